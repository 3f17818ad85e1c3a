#include "select/shared_count.hpp"

#include <algorithm>

namespace hopbine::select {

namespace {

using Numbers = std::vector<std::int64_t>;

/// Raises (volume, nodes) of a pattern to the larger volume per node.
void raise_busiest(Numbers& busiest, std::size_t pattern, std::int64_t volume, std::int64_t nodes) {
    std::int64_t &most = busiest[2 * pattern], &of = busiest[2 * pattern + 1];
    if (volume == 0) return;
    if (most == 0 || static_cast<double>(volume) * static_cast<double>(of) >
                         static_cast<double>(most) * static_cast<double>(nodes))
        most = volume, of = nodes;
}

/// Calls f(field) for every list of numbers of some loads.
template <class AnyLoads, class F>
void each_list(AnyLoads& loads, F&& f) {
    f(loads.times);
    f(loads.group);
    f(loads.busiest_group);
    f(loads.peaks);
    f(loads.lines);
    f(loads.packed);
    f(loads.totals);
}

}  // namespace

void close_group(Loads& loads, std::size_t pattern, std::int64_t nodes) {
    std::int64_t &out = loads.group[2 * pattern], &in = loads.group[2 * pattern + 1];
    raise_busiest(loads.busiest_group, pattern, std::max(out, in), nodes);
    out = in = 0;
}

void add(Loads& to, Loads&& other) {
    if (other.patterns == 0) return;
    if (to.patterns == 0) {
        to = std::move(other);
        return;
    }
    const auto sum = [](Numbers& into, const Numbers& from) {
        std::ranges::transform(into, from, into.begin(), std::plus<>());
    };
    sum(to.group, other.group);
    sum(to.lines, other.lines);
    if (to.packed.empty()) to.packed = std::move(other.packed);
    sum(to.totals, other.totals);
    std::ranges::transform(to.peaks, other.peaks, to.peaks.begin(), std::ranges::max);
    for (std::size_t i = 0; i < static_cast<std::size_t>(to.patterns); ++i)
        raise_busiest(to.busiest_group, i, other.busiest_group[2 * i],
                      other.busiest_group[2 * i + 1]);
}

void pack(std::int64_t number, Bytes& out) {
    for (; number >= 128; number >>= 7) out.push_back(static_cast<std::uint8_t>(number | 128));
    out.push_back(static_cast<std::uint8_t>(number));
}

std::int64_t unpack_number(const std::uint8_t*& at) {
    std::int64_t out = 0;
    for (int shift = 0;; shift += 7) {
        const std::uint8_t byte = *at++;
        out |= std::int64_t{byte & 127} << shift;
        if (byte < 128) return out;
    }
}

void pack(const Loads& loads, Bytes& out) {
    for (const int x : {loads.patterns, loads.parts, loads.channels, int{loads.pipelined},
                        static_cast<int>(loads.permutes)})
        pack(x, out);
    each_list(loads, [&](const Numbers& list) {
        pack(static_cast<std::int64_t>(list.size()), out);
        for (std::int64_t x : list) pack(x, out);
    });
}

Loads unpack(const std::uint8_t*& at) {
    Loads out;
    out.patterns = static_cast<int>(unpack_number(at));
    out.parts = static_cast<int>(unpack_number(at));
    out.channels = static_cast<int>(unpack_number(at));
    out.pipelined = unpack_number(at) != 0;
    out.permutes = static_cast<Permutes>(unpack_number(at));
    each_list(out, [&](Numbers& list) {
        list.resize(static_cast<std::size_t>(unpack_number(at)));
        for (std::int64_t& x : list) x = unpack_number(at);
    });
    return out;
}

namespace {

/// Adds the nodes of a group to a team.
void take(Team& team, const LocatedRanks& located, std::span<const int> nodes) {
    for (int node : nodes) {
        team.nodes.push_back(node);
        const auto ranks = located.nodes.members(node);
        team.ranks.insert(team.ranks.end(), ranks.begin(), ranks.end());
    }
}

/// Divides a group among teams of at least `size` ranks.
void divide(std::vector<Team>& all, const LocatedRanks& located, int group, std::size_t size) {
    const auto nodes = located.nodes_of_groups.members(group);
    std::size_t left = static_cast<std::size_t>(located.groups.size(group));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i == 0 || (all.back().ranks.size() >= size && left >= size))
            all.emplace_back().part_of = group;
        take(all.back(), located, nodes.subspan(i, 1));
        left -= static_cast<std::size_t>(located.nodes.size(nodes[i]));
    }
    if (all.back().nodes.size() == nodes.size()) all.back().part_of = -1;
}

}  // namespace

std::vector<Team> teams(const LocatedRanks& located, std::size_t candidates) {
    // Larger teams make fewer schedules each, and walk more ranks of them: the slowest candidates
    // then take longer than all the others.
    constexpr std::size_t kLargest = 16;
    const std::size_t size = std::clamp<std::size_t>(candidates, 1, kLargest);
    std::vector<Team> out;
    bool open = false;  // the last team takes the next group as well
    for (int g = 0; g < located.groups.count(); ++g) {
        if (static_cast<std::size_t>(located.groups.size(g)) >= 2 * size) {
            divide(out, located, g, size);
            open = false;
            continue;
        }
        if (!open) out.emplace_back();
        take(out.back(), located, located.nodes_of_groups.members(g));
        open = out.back().ranks.size() < size;
    }
    return out;
}

Stages stages_of(const std::vector<Team>& all, int rank) {
    Stages out;
    for (const Team& t : all)
        if (std::ranges::find(t.ranks, rank) != t.ranks.end()) out.team = &t;
    out.stages.push_back(out.team->ranks);
    std::vector<int> parts, heads;
    int last = -1;  // the group of the last head
    for (const Team& t : all) {
        if (t.part_of >= 0 && t.part_of == out.team->part_of) parts.push_back(t.ranks.front());
        if (t.part_of < 0 || t.part_of != last) heads.push_back(t.ranks.front());
        last = t.part_of;
    }
    if (!parts.empty()) {
        out.stages.push_back(std::move(parts));
        out.closes = out.team->part_of;
    }
    out.stages.push_back(std::move(heads));
    return out;
}

void end_stage(const Stages& all, std::size_t i, const LocatedRanks& located,
               std::vector<Loads>& loads) {
    if (i != 1 || all.closes < 0) return;
    for (Loads& one : loads)
        for (std::size_t k = 0; k < static_cast<std::size_t>(one.patterns); ++k)
            close_group(one, k, located.nodes_of_groups.size(all.closes));
}

}  // namespace hopbine::select
