#include "bindings/selection.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/convert.hpp"
#include "bindings/problem.hpp"
#include "select/classic.hpp"
#include "select/coverage.hpp"
#include "select/learned_cache.hpp"
#include "select/rules.hpp"
#include "select/site.hpp"

namespace nb = nanobind;

namespace hopbine::bindings {

namespace {

nb::tuple choose_default(const Calls& calls, int p, std::int64_t bytes) {
    const select::Choice c =
        select::choose({&select::default_rules()}, {calls.collective, p, bytes, calls.operands()});
    return nb::make_tuple(c.algorithm ? c.algorithm->name : select::kLibrary, c.why);
}

/// One dict per rule. "repeats" is the line of an earlier rule that answers all its calls the same.
/// It is 0 if there is none.
nb::list read_rules(const std::string& path) {
    const std::vector<select::Rule> rules = select::read_file(path).rules;
    const auto repeats = select::covered(rules);
    nb::list out;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const select::Rule& r = rules[i];
        nb::dict d;
        d["collective"] = name(r.collective);
        d["algorithm"] = r.algorithm;
        d["parameters"] = ParameterMap(r.parameters.begin(), r.parameters.end());
        for (const select::Condition& c : select::kConditions) {
            const select::Range& range = r.*c.range;
            d[c.name] = nb::make_tuple(range.low, range.high == select::Range{}.high
                                                      ? nb::none()
                                                      : nb::object(nb::int_(range.high)));
        }
        for (const select::TextCondition& c : select::kTextConditions) d[c.name] = r.*c.text;
        d["numbering"] = r.numbering;
        d["measured"] = r.measured;
        d["note"] = r.note;
        d["line"] = r.line;
        d["repeats"] = repeats[i] ? repeats[i]->line : 0;
        out.append(d);
    }
    return out;
}

/// The text of a file with rules that are dicts as those of read_rules.
std::string rules_text(const nb::list& rules, const std::string& note) {
    select::Rules out;
    out.note = note;
    for (const auto& one : rules) {
        const auto d = nb::cast<nb::dict>(one);
        select::Rule& r = out.rules.emplace_back();
        r.collective = collective_named(nb::cast<std::string>(d["collective"]));
        r.algorithm = nb::cast<std::string>(d["algorithm"]);
        for (auto& [key, value] : nb::cast<ParameterMap>(d["parameters"]))
            r.parameters.emplace_back(key, value);
        for (const select::Condition& c : select::kConditions) {
            const auto range = nb::cast<nb::tuple>(d[c.name]);
            (r.*c.range).low = nb::cast<std::int64_t>(range[0]);
            if (!range[1].is_none()) (r.*c.range).high = nb::cast<std::int64_t>(range[1]);
        }
        for (const select::TextCondition& c : select::kTextConditions)
            r.*c.text = nb::cast<std::string>(d[c.name]);
        r.numbering = nb::cast<std::string>(d["numbering"]);
        r.measured = nb::cast<std::map<std::int64_t, std::string>>(d["measured"]);
        r.note = nb::cast<std::string>(d["note"]);
    }
    return select::file_text(out);
}

/// Where calls are made, as rules ask for it.
struct Place {
    std::int64_t ranks, nodes, ranks_per_node;
    select::Site site;
};

void make_place(Place* self, std::int64_t ranks, std::int64_t nodes, std::int64_t ranks_per_node,
                const std::map<std::string, std::string>& words) {
    select::Rule there;  // its words are a site's
    for (const select::TextCondition& c : select::kTextConditions)
        if (const auto word = words.find(c.name); word != words.end()) there.*c.text = word->second;
    new (self) Place{
        ranks,
        nodes,
        ranks_per_node,
        {there.mpi, there.machine, there.processor, there.transport, there.cores, there.placement}};
}

/// One dict per size. It has the rule that answers ("line", 0: none), what the rule requests with
/// any complaint, and the rules before it with the reasons why they do not answer.
nb::list answer(const std::string& path, const Calls& calls, const std::vector<std::int64_t>& sizes,
                const Place& place) {
    const select::Rules file = select::read_file(path);
    nb::list out;
    for (const std::int64_t bytes : sizes) {
        const select::Asked call{calls.collective, place.ranks, bytes,
                                 calls.operands(), place.nodes, place.ranks_per_node,
                                 &place.site};
        const select::Choice choice = select::choose({&file}, call);
        nb::dict d;
        nb::list passed;
        d["line"] = 0;
        for (const select::Rule& r : file.rules) {
            if (r.collective != call.collective) continue;
            if (r.answers(call)) {
                d["line"] = r.line;
                d["asks"] = select::text(r.algorithm, r.parameters);
                break;
            }
            passed.append(nb::make_tuple(r.line, select::text(r.algorithm, r.parameters),
                                         select::passed_over(r, call)));
        }
        d["served"] = choice.algorithm ? select::text(choice.algorithm->name, choice.parameters)
                                       : select::kLibrary;
        d["complaint"] = choice.complaint;
        d["passed"] = passed;
        out.append(d);
    }
    return out;
}

/// Collective -> ((most bytes, algorithm), ...).
nb::dict classics() {
    std::map<std::string, nb::list> rows;
    nb::dict out;
    for (const select::Classic& row : select::classics()) {
        rows[name(row.collective)].append(nb::make_tuple(row.most_bytes, row.algorithm));
        out[name(row.collective)] = nb::tuple(rows[name(row.collective)]);
    }
    return out;
}

void add_classics(nb::module_& m) {
    m.def("classics", classics,
          "The classic algorithms: collective -> ((most bytes, algorithm), ...).");
    m.def(
        "classic",
        [](const std::string& collective, int p, double size) {
            return select::classic(collective_named(collective), p, size).name;
        },
        nb::arg("collective"), nb::arg("p"), nb::arg("size"),
        "The classic algorithm for a size on p ranks.");
}

void add_learned(nb::module_& m) {
    m.def(
        "learned_file",
        [](const std::string& setting) {
            const select::LearnedFile file = select::learned_file(setting);
            if (!file.named && !file.path.empty()) select::check_cache(file.path);
            return nb::make_tuple(file.path, file.named);
        },
        nb::arg("setting"),
        "(path, whether it is the user's setting) of the file that keeps what jobs learn, with "
        "this HOPBINE_LEARN; an empty path: none. UsageError where the cache cannot be used.");
}

}  // namespace

void add_selection(nb::module_& m) {
    add_classics(m);
    add_learned(m);
    m.def(
        "parse_algorithms",
        [](const std::string& text, const std::string& source) {
            std::vector<std::tuple<std::string, std::string,
                                   std::vector<std::pair<std::string, std::int64_t>>>>
                out;
            for (const select::Rule& r : select::parse_algorithms(text, source).rules)
                out.emplace_back(name(r.collective), r.algorithm, r.parameters);
            return out;
        },
        nb::arg("text"), nb::arg("source"),
        "(collective, algorithm, parameters) of 'allreduce=bine_large:segment=65536,bcast=mpi'; "
        "UsageError.");
    m.def("read_rules", read_rules, nb::arg("path"),
          "The rules of a file as dicts, in order; UsageError with position and reason.");
    m.def("rules_text", rules_text, nb::arg("rules"), nb::arg("note"),
          "The text of a rules file, of dicts as those of read_rules; UsageError.");
    m.def(
        "placement_shape",
        [](const std::vector<int>& group, const std::vector<int>& node) {
            const Placement place = placement(group, node);
            validate(place, static_cast<int>(group.size()));
            return select::placement_shape(select::LocatedRanks(place));
        },
        nb::arg("group"), nb::arg("node"),
        "The shape of a placement, as rules ask for it: '5x4,6x4,5x4'; UsageError.");
    m.def("machine_word", &select::machine_word, nb::arg("system"),
          "The machine of a name, file or formula, as rules ask for it.");
    nb::class_<Place>(m, "Place",
                      "Where calls are made: on how many ranks, on how many nodes, on at most how "
                      "many ranks of one. `words`: of the place, by the names that rules have for "
                      "them.")
        .def("__init__", make_place, nb::arg("ranks"), nb::kw_only(), nb::arg("nodes") = 1,
             nb::arg("ranks_per_node") = 1,
             nb::arg("words") = std::map<std::string, std::string>());
    m.def("answer", answer, nb::arg("path"), nb::arg("calls"), nb::arg("sizes"), nb::arg("place"),
          "Which rule of a file answers for each size, and why not the others.");
    m.def("choose_default", choose_default, nb::arg("calls"), nb::arg("p"), nb::arg("bytes"),
          "(algorithm, reason) of the default table.");
    m.def(
        "default_rules",
        [] {
            std::vector<std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t,
                                   std::int64_t, std::string, std::string>>
                out;
            for (const select::Rule& r : select::default_rules().rules)
                out.emplace_back(name(r.collective), r.ranks.low, r.nodes.low, r.ranks_per_node.low,
                                 r.bytes.high, select::text(r.algorithm, r.parameters), r.why);
            return out;
        },
        "The default table: (collective, fewest ranks, fewest nodes, fewest ranks on one of them, "
        "most bytes, algorithm, reason).");
}

}  // namespace hopbine::bindings
