#include "select/site.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "schedule/hash.hpp"

namespace hopbine::select {

namespace {

constexpr std::size_t kLongest = 60;  ///< fits beside the other columns of a table

/// Equal neighbours as their number and one of them.
template <class T>
std::vector<std::pair<int, T>> runs(const std::vector<T>& all) {
    std::vector<std::pair<int, T>> out;
    for (const T& one : all)
        if (!out.empty() && out.back().second == one)
            ++out.back().first;
        else
            out.emplace_back(1, one);
    return out;
}

/// Nodes of each group, in the order of their first ranks, as in "4x4+1x2".
std::vector<std::string> groups_of_nodes(const LocatedRanks& located) {
    std::vector<std::vector<int>> ranks(static_cast<std::size_t>(located.groups.count()));
    for (int n = 0; n < located.nodes.count(); ++n) {
        const int group = located.groups.of(located.nodes.members(n).front());
        ranks[static_cast<std::size_t>(group)].push_back(located.nodes.size(n));
    }
    std::vector<std::string> out;
    for (const std::vector<int>& nodes : ranks) {
        std::string text;
        for (const auto& [times, size] : runs(nodes)) {
            if (!text.empty()) text += '+';
            text += std::to_string(times) + 'x' + std::to_string(size);
        }
        out.push_back(text);
    }
    return out;
}

/// How ranks are numbered: empty for node by node and group by group.
std::string order(const LocatedRanks& located) {
    const int p = static_cast<int>(located.placement->node.size()), n = located.nodes.count();
    const auto place = [&](int r) { return std::pair(located.groups.of(r), located.nodes.of(r)); };
    bool blocks = true, cyclic = true;
    for (int r = 0; r < p; ++r) {
        cyclic &= located.nodes.of(r) == r % n;
        blocks &= r == 0 || place(r - 1) <= place(r);
    }
    if (blocks) return "";
    if (cyclic) return " cyclic";
    std::string all;
    for (int r = 0; r < p; ++r) all += std::to_string(located.nodes.of(r)) + ' ';
    return ' ' + hexadecimal(fnv1a(all));
}

}  // namespace

std::string placement_shape(const LocatedRanks& located) {
    std::string out;
    for (const auto& [times, group] : runs(groups_of_nodes(located))) {
        const std::string several =
            times > 1 && located.groups.count() > 1 ? std::to_string(times) + '*' : std::string();
        out += (out.empty() ? "" : ",") + several + group;
    }
    out += order(located);
    if (out.size() <= kLongest) return out;
    return std::to_string(located.groups.count()) + " groups, " +
           std::to_string(located.nodes.count()) + " nodes: " + hexadecimal(fnv1a(out));
}

std::string machine_word(std::string system) {
    while (system.ends_with('/')) system.pop_back();
    system.erase(0, system.find_last_of('/') + 1);
    if (system.ends_with(".toml")) system.resize(system.size() - 5);
    return system;
}

std::string library_word(std::string version) {
    version.resize(std::min(version.find_first_of(",\n"), version.size()));
    std::ranges::replace(version, '\t', ' ');  // MPICH separates words by tabs or spaces
    const auto spaces = [](char a, char b) { return a == ' ' && b == ' '; };
    version.erase(std::ranges::unique(version, spaces).begin(), version.end());
    return version;
}

std::string cores_word(std::int64_t cores, std::int64_t ranks) {
    if (cores <= 0 || ranks <= 0) return "";
    if (cores >= ranks) return std::to_string(cores / ranks);
    return "1/" + std::to_string((ranks + cores - 1) / cores);
}

}  // namespace hopbine::select
