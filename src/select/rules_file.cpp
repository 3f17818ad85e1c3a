// Rules files: JSON, in which the first matching rule wins (docs/selection.md).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "schedule/bounds.hpp"
#include "select/coverage.hpp"
#include "select/json.hpp"
#include "select/renamed.hpp"
#include "select/rules.hpp"

namespace hopbine::select {

namespace {

std::int64_t whole(const json::Value& v, const std::string& name, const std::string& what) {
    if (v.kind != json::Kind::number || v.number != std::floor(v.number) ||
        std::fabs(v.number) > 9e15)
        throw Error(json::at(v, name) + what + " must be a whole number");
    return static_cast<std::int64_t>(v.number);
}

Range range(const json::Value& v, const std::string& name, const std::string& what) {
    if (v.kind != json::Kind::array || v.items.size() != 2)
        throw Error(json::at(v, name) + "\"" + what +
                    "\" must be [low, high]; null leaves an end open");
    Range r;
    if (v.items[0].kind != json::Kind::null) r.low = whole(v.items[0], name, what);
    if (v.items[1].kind != json::Kind::null) r.high = whole(v.items[1], name, what);
    if (r.low < 0 || r.high < r.low)
        throw Error(json::at(v, name) + "\"" + what + "\" needs 0 <= low <= high");
    return r;
}

const json::Value& text_member(const json::Value& o, const char* key, const std::string& name) {
    const json::Value* v = o.find(key);
    if (!v) throw Error(json::at(o, name) + "a rule needs \"" + key + "\"");
    if (v->kind != json::Kind::string)
        throw Error(json::at(*v, name) + "\"" + key + "\" must be a string");
    return *v;
}

std::string words(const json::Value& v, const std::string& name, const std::string& what) {
    if (v.kind == json::Kind::string) return v.string;
    throw Error(json::at(v, name) + "\"" + what + "\" must be a string");
}

/// Names of the members of a rule.
std::vector<std::string> members() {
    std::vector<std::string> out = {"collective", "algorithm", "parameters",
                                    "numbering",  "note",      "measured"};
    for (const Condition& c : kConditions) out.push_back(c.name);
    for (const TextCondition& c : kTextConditions) out.push_back(c.name);
    return out;
}

void check_members(const json::Value& o, const std::string& name) {
    static const std::vector<std::string> known = members();
    for (const auto& [key, v] : o.members) {
        if (std::ranges::find(known, key) != known.end()) continue;
        std::string all;
        for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
        throw Error(json::at(v, name) + "unknown member \"" + shown(key) + "\" (known: " + all +
                    ")");
    }
}

Parameters parameters(const json::Value& v, const std::string& name) {
    if (v.kind != json::Kind::object)
        throw Error(json::at(v, name) + "\"parameters\" must be an object");
    Parameters out;
    for (const auto& [key, value] : v.members)
        out.emplace_back(key, whole(value, name, "\"" + key + "\""));
    return out;
}

std::map<std::int64_t, std::string> measured(const json::Value& v, const std::string& name) {
    if (v.kind != json::Kind::object)
        throw Error(json::at(v, name) + "\"measured\" must be an object");
    std::map<std::int64_t, std::string> out;
    for (const auto& [key, value] : v.members) {
        std::int64_t bytes = 0;
        const auto [stop, wrong] = std::from_chars(key.data(), key.data() + key.size(), bytes);
        if (wrong != std::errc() || stop != key.data() + key.size() || bytes < 0)
            throw Error(json::at(value, name) + "\"" + shown(key) + "\" is not a number of bytes");
        out[bytes] = words(value, name, key);
    }
    return out;
}

Rule rule_of(const json::Value& o, const std::string& name, int version) {
    if (o.kind != json::Kind::object) throw Error(json::at(o, name) + "a rule must be an object");
    check_members(o, name);
    Rule r;
    const json::Value& collective = text_member(o, "collective", name);
    const json::Value& algorithm = text_member(o, "algorithm", name);
    for (const Condition& c : kConditions)
        if (const auto* v = o.find(c.name)) r.*c.range = range(*v, name, c.name);
    for (const TextCondition& c : kTextConditions)
        if (const auto* v = o.find(c.name)) r.*c.text = words(*v, name, c.name);
    if (const auto* v = o.find("note")) r.note = words(*v, name, "note");
    if (const auto* v = o.find("numbering")) r.numbering = words(*v, name, "numbering");
    if (const auto* v = o.find("measured")) r.measured = measured(*v, name);
    if (r.numbering == "given") r.numbering.clear();
    r.algorithm = algorithm.string;
    if (const auto* v = o.find("parameters")) r.parameters = parameters(*v, name);
    const json::Value* blamed = &collective;
    try {
        r.collective = collective_named(collective.string);
        blamed = &algorithm;
        rename(r, version);
        verify(r);
    } catch (const Error& e) {
        throw Error(json::at(*blamed, name) + e.what());
    }
    r.line = o.line;
    r.why = name + ":" + std::to_string(o.line);
    return r;
}

std::string number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", x);
    return text;
}

/// The list of rules of a document. Throws Error unless its outermost members are those of a rules
/// file.
const json::Value& list_of_rules(const json::Value& doc, const std::string& name) {
    const std::string latest = std::to_string(kRulesVersion);
    if (doc.kind != json::Kind::object)
        throw Error(json::at(doc, name) + "a rules file is an object {\"hopbine_rules\": " +
                    latest + ", \"rules\": [...]}");
    const json::Value* version = doc.find("hopbine_rules");
    if (!version) throw Error(json::at(doc, name) + "\"hopbine_rules\": " + latest + " is missing");
    if (version->kind != json::Kind::number)
        throw Error(json::at(*version, name) + "\"hopbine_rules\" must be the version, " + latest);
    if (version->number < 1 || version->number > kRulesVersion ||
        version->number != std::floor(version->number))
        throw Error(json::at(*version, name) + "is version " + number(version->number) +
                    " of rules files; hopbine " HOPBINE_VERSION " knows versions 1 to " + latest);
    const json::Value* list = doc.find("rules");
    if (!list || list->kind != json::Kind::array)
        throw Error(json::at(list ? *list : doc, name) + "\"rules\" must be a list");
    for (const auto& [key, v] : doc.members)
        if (key != "hopbine_rules" && key != "rules" && key != "note")
            throw Error(json::at(v, name) + "unknown member \"" + shown(key) +
                        "\" (known: hopbine_rules, rules, note)");
    if (list->items.size() > kMostRules)
        throw Error(json::at(*list, name) + "has " + std::to_string(list->items.size()) +
                    " rules, more than " + std::to_string(kMostRules));
    return *list;
}

}  // namespace

Rules parse_file(const std::string& text, const std::string& name) {
    const json::Value doc = json::parse(text, name);
    const json::Value& list = list_of_rules(doc, name);
    Rules out;
    if (const auto* v = doc.find("note")) out.note = words(*v, name, "note");
    const auto version = static_cast<int>(doc.find("hopbine_rules")->number);
    for (const json::Value& o : list.items) out.rules.push_back(rule_of(o, name, version));
    // Every rule must have calls left to answer if its algorithm differs from those before it.
    if (const auto [earlier, later] = contradiction(out.rules); earlier) {
        const Rule &r = *earlier, &last = *later;
        throw Error(json::at(list.items[static_cast<std::size_t>(later - out.rules.data())], name) +
                    "contradicts the rule in line " + std::to_string(r.line) +
                    ": that one answers all these calls of " + hopbine::name(last.collective) +
                    " with " + select::text(r.algorithm, r.parameters) + ", so that " +
                    select::text(last.algorithm, last.parameters) + " never would");
    }
    return out;
}

Rules read_file(const std::string& path) {
    return parse_file(read_bounded(path, "a rules file"), path);
}

}  // namespace hopbine::select
