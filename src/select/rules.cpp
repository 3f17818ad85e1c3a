#include "select/rules.hpp"

#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "select/json.hpp"

namespace hopbine::select {

namespace {

std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> out;
    std::stringstream in(text);
    for (std::string part; std::getline(in, part, by);) out.push_back(part);
    return out;
}

/// An algorithm and its parameters, held against the registry (p is not known yet).
void verify(const Rule& r) {
    if (r.algorithm == kLibrary) {
        if (!r.parameters.empty()) throw Error("'mpi' takes no parameters");
        return;
    }
    const Algorithm& a = algorithm_named(r.collective, r.algorithm);
    resolve(a, {r.collective, 1, 0, r.parameters});
}

Rule parse_one(const std::string& part) {
    const auto equals = part.find('=');
    if (equals == std::string::npos) throw Error("expected COLLECTIVE=ALGORITHM[:PARAMETER=VALUE...]");
    Rule r;
    r.collective = collective_named(part.substr(0, equals));
    const auto pieces = split(part.substr(equals + 1), ':');
    if (pieces.empty() || pieces[0].empty()) throw Error("no algorithm is named");
    r.algorithm = pieces[0];
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        const auto eq = pieces[i].find('=');
        std::int64_t value = 0;
        const char* end = pieces[i].data() + pieces[i].size();
        if (eq == std::string::npos || std::from_chars(pieces[i].data() + eq + 1, end, value).ptr != end || eq + 1 == pieces[i].size())
            throw Error("'" + pieces[i] + "' is not PARAMETER=INTEGER");
        r.parameters.emplace_back(pieces[i].substr(0, eq), value);
    }
    verify(r);
    return r;
}

std::int64_t whole(const json::Value& v, const std::string& name, const std::string& what) {
    if (v.kind != json::Kind::number || v.number != std::floor(v.number) || std::fabs(v.number) > 9e15)
        throw Error(json::at(v, name) + what + " must be a whole number");
    return static_cast<std::int64_t>(v.number);
}

Range range(const json::Value& v, const std::string& name, const std::string& what) {
    if (v.kind != json::Kind::array || v.items.size() != 2)
        throw Error(json::at(v, name) + "\"" + what + "\" must be [low, high]; null leaves an end open");
    Range r;
    if (v.items[0].kind != json::Kind::null) r.low = whole(v.items[0], name, what);
    if (v.items[1].kind != json::Kind::null) r.high = whole(v.items[1], name, what);
    if (r.low < 0 || r.high < r.low) throw Error(json::at(v, name) + "\"" + what + "\" needs 0 <= low <= high");
    return r;
}

const json::Value& text_member(const json::Value& o, const char* key, const std::string& name) {
    const json::Value* v = o.find(key);
    if (!v) throw Error(json::at(o, name) + "a rule needs \"" + key + "\"");
    if (v->kind != json::Kind::string) throw Error(json::at(*v, name) + "\"" + key + "\" must be a string");
    return *v;
}

Rule rule_of(const json::Value& o, const std::string& name) {
    if (o.kind != json::Kind::object) throw Error(json::at(o, name) + "a rule must be an object");
    for (const auto& [key, v] : o.members)
        if (key != "collective" && key != "ranks" && key != "bytes" && key != "algorithm" && key != "parameters" && key != "note")
            throw Error(json::at(v, name) + "unknown member \"" + key + "\" (known: collective, ranks, bytes, algorithm, parameters, note)");
    Rule r;
    const json::Value& collective = text_member(o, "collective", name);
    const json::Value& algorithm = text_member(o, "algorithm", name);
    if (const auto* v = o.find("ranks")) r.ranks = range(*v, name, "ranks");
    if (const auto* v = o.find("bytes")) r.bytes = range(*v, name, "bytes");
    r.algorithm = algorithm.string;
    if (const auto* v = o.find("parameters")) {
        if (v->kind != json::Kind::object) throw Error(json::at(*v, name) + "\"parameters\" must be an object");
        for (const auto& [key, value] : v->members) r.parameters.emplace_back(key, whole(value, name, "\"" + key + "\""));
    }
    const json::Value* blamed = &collective;
    try {
        r.collective = collective_named(collective.string);
        blamed = &algorithm;
        verify(r);
    } catch (const Error& e) {
        throw Error(json::at(*blamed, name) + e.what());
    }
    r.why = name + ":" + std::to_string(o.line);
    return r;
}

}  // namespace

Rules parse_algorithms(const std::string& text, const std::string& source) {
    Rules out;
    for (const std::string& part : split(text, ',')) {
        try {
            out.rules.push_back(parse_one(part));
        } catch (const Error& e) {
            throw Error(source + ": '" + part + "': " + e.what());
        }
        out.rules.back().why = source;
    }
    return out;
}

Rules parse_file(const std::string& text, const std::string& name) {
    const json::Value doc = json::parse(text, name);
    if (doc.kind != json::Kind::object) throw Error(json::at(doc, name) + "a rules file is an object {\"hopbine_rules\": 1, \"rules\": [...]}");
    const json::Value* version = doc.find("hopbine_rules");
    if (!version) throw Error(json::at(doc, name) + "\"hopbine_rules\": 1 is missing");
    if (version->kind != json::Kind::number || version->number != 1)
        throw Error(json::at(*version, name) + "only version 1 of rules files is known here");
    const json::Value* list = doc.find("rules");
    if (!list || list->kind != json::Kind::array) throw Error(json::at(list ? *list : doc, name) + "\"rules\" must be a list");
    for (const auto& [key, v] : doc.members)
        if (key != "hopbine_rules" && key != "rules" && key != "note") throw Error(json::at(v, name) + "unknown member \"" + key + "\" (known: hopbine_rules, rules, note)");
    Rules out;
    for (const json::Value& o : list->items) out.rules.push_back(rule_of(o, name));
    return out;
}

Rules read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    if (!in || !(text << in.rdbuf())) throw Error(path + ": cannot be read as a rules file");
    return parse_file(text.str(), path);
}

std::string text(const std::string& algorithm, const Parameters& parameters) {
    std::string out = algorithm;
    for (const auto& [key, value] : parameters) out += ":" + key + "=" + std::to_string(value);
    return out;
}

Choice choose(const std::vector<const Rules*>& sources, Collective c, int p, std::int64_t bytes, Operands operands) {
    for (const Rules* source : sources)
        for (const Rule& r : source->rules) {
            if (r.collective != c || !r.ranks.holds(p) || !r.bytes.holds(bytes)) continue;
            if (r.algorithm == kLibrary) return {nullptr, {}, r.why, true, {}};
            const Algorithm* a = find(c, r.algorithm);
            std::string unfit;
            if (!a) unfit = std::string(name(c)) + " has no algorithm " + r.algorithm;
            else if (fits(*a, p, &unfit) && !serves(*a, operands, &unfit) && !source->skip_unfit && operands == Operands::commute)
                return {a, r.parameters, r.why, true, unfit};
            if (unfit.empty()) return {a, r.parameters, r.why, true, {}};
            if (!source->skip_unfit) return {nullptr, {}, r.why, true, unfit};
        }
    return {nullptr, {}, "no rule", false, {}};
}

}  // namespace hopbine::select
