// The text of a rules file, as rules_file.cpp reads it, and its lines.
#include "select/json.hpp"
#include "select/renamed.hpp"
#include "select/rules.hpp"

namespace hopbine::select {

namespace {

constexpr std::string_view kList = ",\n \"rules\": [", kRule = "\n   ", kEnd = "]}\n";

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
    std::string out = "{\"hopbine_rules\": " + std::to_string(kRulesVersion) +
                      ", \"note\": " + json::quote(rules.note);
    out += kList;
    for (std::size_t i = 0; i < rules.rules.size(); ++i)
        ((out += i ? "," : "") += kRule) += rule_text(rules.rules[i]);
    return out += kEnd;
}

std::string with_lines(const std::string& text,
                       const std::function<bool(std::string_view)>& wanted) {
    const std::size_t list = text.find(kList);
    if (list == text.npos || !text.ends_with(kEnd)) return text;
    std::string_view rest(text);
    std::string out(rest.substr(0, list + kList.size()));
    rest.remove_prefix(out.size());
    rest.remove_suffix(kEnd.size());
    bool first = true;
    while (!rest.empty()) {
        if (!rest.starts_with(kRule)) return text;
        rest.remove_prefix(kRule.size());
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(line.size());
        if (!rest.empty()) {
            if (!line.ends_with(',')) return text;
            line.remove_suffix(1);
        }
        if (!wanted(line)) continue;
        ((out += first ? "" : ",") += kRule) += line;
        first = false;
    }
    return out += kEnd;
}

bool asks_for_another(std::string_view line, const std::string& condition,
                      const std::string& word) {
    std::string asked;
    member(asked, condition, "");
    const std::size_t at = line.find(asked);
    return at != line.npos && !line.substr(at + asked.size()).starts_with(json::quote(word));
}

}  // namespace hopbine::select
