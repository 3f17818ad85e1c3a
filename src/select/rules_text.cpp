// The text of a rules file, as rules_file.cpp reads it.
#include "select/json.hpp"
#include "select/rules.hpp"

namespace hopbine::select {

namespace {

/// Adds `"key": value` to an object that is written.
void member(std::string& object, const std::string& key, const std::string& value) {
    object += (object.empty() ? "" : ", ") + json::quote(key) + ": " + value;
}

std::string range(const Range& r) {
    const std::string high = r.high == Range{}.high ? "null" : std::to_string(r.high);
    return '[' + std::to_string(r.low) + ", " + high + ']';
}

std::string rule_text(const Rule& r) {
    std::string out, parameters, measured;
    member(out, "collective", json::quote(name(r.collective)));
    for (const Condition& c : kConditions)
        if (r.*c.range != Range{}) member(out, c.name, range(r.*c.range));
    for (const TextCondition& c : kTextConditions)
        if (!(r.*c.text).empty()) member(out, c.name, json::quote(r.*c.text));
    member(out, "algorithm", json::quote(r.algorithm));
    for (const auto& [key, value] : r.parameters) member(parameters, key, std::to_string(value));
    if (!parameters.empty()) member(out, "parameters", '{' + parameters + '}');
    if (!r.numbering.empty()) member(out, "numbering", json::quote(r.numbering));
    for (const auto& [bytes, text] : r.measured)
        member(measured, std::to_string(bytes), json::quote(text));
    if (!measured.empty()) member(out, "measured", '{' + measured + '}');
    if (!r.note.empty()) member(out, "note", json::quote(r.note));
    return '{' + out + '}';
}

}  // namespace

std::string file_text(const Rules& rules) {
    std::string out =
        "{\"hopbine_rules\": 1, \"note\": " + json::quote(rules.note) + ",\n \"rules\": [";
    for (std::size_t i = 0; i < rules.rules.size(); ++i)
        out += (i ? ",\n   " : "\n   ") + rule_text(rules.rules[i]);
    return out + "]}\n";
}

}  // namespace hopbine::select
