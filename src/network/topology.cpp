#include "network/topology.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "network/kinds.hpp"
#include "schedule/bounds.hpp"
#include "schedule/near_names.hpp"
#include "schedule/problem.hpp"

namespace hopbine::network {

namespace {

constexpr std::size_t kAny = 1 << 24;
constexpr double kLeast = 1e-6, kMost = 1e6;

struct Kind {
    std::string name, form, meaning;
    std::size_t lists, fewest, most;  // lists of extents; extents in each
    std::vector<std::string> keys;
    TopologyPtr (*make)(const Request&);
    std::size_t switches = kAny;  // the extent that counts switches, not end points
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {
        {"torus",
         "torus:N0[xN1...]",
         "each node is linked with its neighbours in every dimension, going round",
         1,
         1,
         kAny,
         {},
         torus},
        {"hyperx",
         "hyperx:N0[xN1...]",
         "each node is linked with all that differ from it in one coordinate",
         1,
         1,
         kAny,
         {},
         hyperx},
        {"hammingmesh",
         "hammingmesh:AxB:XxY",
         "X x Y boards, each a mesh of A x B nodes; a switch joins the board edges of each row and "
         "column of nodes",
         2,
         2,
         2,
         {},
         hammingmesh},
        {"dragonfly",
         "dragonfly:GROUPSxROUTERSxNODES[:global=H][:capacity=C]",
         "routers of a group are all linked, each has NODES nodes and H global cables of capacity "
         "C (default: as few as link all groups, 1)",
         1,
         3,
         3,
         {"global", "capacity"},
         dragonfly},
        {"dragonfly_plus",
         "dragonfly_plus:GROUPSxLEAVESxSPINESxNODES[:global=K][:capacity=C]",
         "leaves with NODES nodes and spines of a group are all linked, K global cables of "
         "capacity C join two groups (default: a spine each, 1)",
         1,
         4,
         4,
         {"global", "capacity"},
         dragonfly_plus,
         2},
        {"fattree",
         "fattree:[PODSx]LEAVESxNODES[:oversubscription=F][:core=F]",
         "leaves with NODES nodes below spines, PODS of them below a core; F: bandwidth into a "
         "leaf (core: into a pod) by that up from it",
         1,
         2,
         3,
         {"oversubscription", "core"},
         fat_tree},
    };
    return all;
}

std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> out(1);
    for (char c : text) {
        if (c == by)
            out.emplace_back();
        else
            out.back() += c;
    }
    return out;
}

std::vector<int> extents_of(const Kind& kind, const std::string& text) {
    auto out = parse_shape(text, "extents are whole numbers of at least 1");
    if (out.size() < kind.fewest || out.size() > kind.most)
        throw Error("'" + shown(text) + "' has " + std::to_string(out.size()) + " extents, not " +
                    std::to_string(kind.fewest) +
                    (kind.most > kind.fewest ? " to " + std::to_string(kind.most) : ""));
    return out;
}

std::pair<std::string, double> option_of(const Kind& kind, const std::string& text) {
    const auto equals = text.find('=');
    const std::string key = text.substr(0, equals);
    if (kind.keys.empty())
        throw Error("'" + shown(text) + "' is too much: " + kind.name + " takes no options");
    if (equals == std::string::npos)
        throw Error("'" + shown(text) + "' is not KEY=NUMBER with a key of " + listed(kind.keys));
    if (std::find(kind.keys.begin(), kind.keys.end(), key) == kind.keys.end())
        throw Error("unknown key '" + shown(key) + "' (known: " + listed(kind.keys) + ")");
    const char *begin = text.data() + equals + 1, *end = text.data() + text.size();
    double value = 0;
    const auto [stop, wrong] = std::from_chars(begin, end, value);
    if (wrong != std::errc() || stop != end || !(value >= kLeast && value <= kMost))
        throw Error("'" + shown(text) + "' needs a number above 0, from 1e-6 to 1e6");
    return {key, value};
}

Request request_of(const Kind& kind, const std::string& text) {
    Request out{text, {}, {}};
    const auto pieces = split(text, ':');
    if (pieces.size() <= kind.lists) throw Error("extents are missing");
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        if (i <= kind.lists) {
            out.extents.push_back(extents_of(kind, pieces[i]));
            continue;
        }
        out.options.push_back(option_of(kind, pieces[i]));
        for (std::size_t o = 0; o + 1 < out.options.size(); ++o)
            if (out.options[o].first == out.options.back().first)
                throw Error("'" + out.options[o].first + "' is given twice");
    }
    return out;
}

/// What `use` makes of a topology's text. Throws Error naming what was given and what is allowed.
template <typename Use>
auto of_kind(const std::string& text, Use use) {
    const std::string wanted = text.substr(0, text.find(':'));
    std::string forms;
    std::vector<std::string> names;
    for (const Kind& kind : kinds()) {
        names.push_back(kind.name);
        forms += (forms.empty() ? "" : ", ") + kind.form;
        if (kind.name != wanted) continue;
        try {
            return use(kind, request_of(kind, text));
        } catch (const Error& e) {
            throw Error("topology '" + shown(text, 200) + "': " + e.what() + "; the form is " +
                        kind.form);
        }
    }
    throw Error("topology '" + shown(text, 200) + "': '" + shown(wanted) +
                "' is no known kind; the forms are " + forms + is_meant(wanted, names));
}

}  // namespace

double Request::number(const std::string& key, double otherwise) const {
    for (const auto& [name, value] : options)
        if (name == key) return value;
    return otherwise;
}

std::int64_t Request::whole(const std::string& key, std::int64_t otherwise) const {
    const double value = number(key, static_cast<double>(otherwise));
    if (value != std::floor(value)) throw Error("'" + key + "' needs a whole number of at least 1");
    return static_cast<std::int64_t>(value);
}

int node_count(const std::vector<int>& extents) {
    std::int64_t nodes = 1;
    for (int n : extents)
        if ((nodes *= n) > kMostNodes)
            throw Error("these are more nodes than " + std::to_string(kMostNodes) +
                        ", the most there may be");
    return static_cast<int>(nodes);
}

void expect_links(double links) {
    if (links > kMostLinks)
        throw Error("these are more links than " + std::to_string(kMostLinks) +
                    ", the most there may be");
}

TopologyPtr topology(const std::string& text) {
    return of_kind(text, [](const Kind& kind, const Request& q) { return kind.make(q); });
}

int topology_nodes(const std::string& text) {
    return of_kind(text, [](const Kind& kind, const Request& q) {
        std::vector<int> counted;
        for (const std::vector<int>& list : q.extents)
            for (std::size_t i = 0; i < list.size(); ++i)
                if (i != kind.switches) counted.push_back(list[i]);
        return node_count(counted);
    });
}

const std::vector<std::pair<std::string, std::string>>& topology_forms() {
    static const auto forms = [] {
        std::vector<std::pair<std::string, std::string>> out;
        for (const Kind& kind : kinds()) out.emplace_back(kind.form, kind.meaning);
        return out;
    }();
    return forms;
}

}  // namespace hopbine::network
