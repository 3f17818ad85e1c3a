#include "select/lower_bound.hpp"

#include <algorithm>
#include <cmath>

#include "schedule/integers.hpp"

namespace hopbine::select {

namespace {

/// Ranks inside a set, and the others.
struct Cut {
    std::int64_t inside, outside;
    bool root_inside;
};

/// Blocks that are inside before the collective and wanted outside after it.
std::int64_t leaving(const CollectiveSpec& c, const Cut& cut) {
    if (!c.has_data()) return 0;
    if (c.blocks == Blocks::pairs) return cut.inside * cut.outside;
    if ((c.before == Owner::root && !cut.root_inside) ||
        (c.after == Owner::root && cut.root_inside))
        return 0;
    if (c.before == Owner::number) return cut.inside;
    return c.after == Owner::number ? cut.outside : cut.inside + cut.outside;
}

/// Least latency of a datum's way to all ranks. In s steps in which no rank sends more than m
/// messages altogether it reaches (1 + m)^s ranks.
double least_latency(int p, const LocatedRanks& located, const LinkCosts& net) {
    const int nodes = located.nodes.count(), groups = located.groups.count();
    const double farthest = groups > 1  ? net.global_latency
                            : nodes > 1 ? net.local_latency
                                        : net.node_latency,
                 nearest = nodes < p        ? net.node_latency
                           : groups < nodes ? net.local_latency
                                            : net.global_latency;
    double least = 0;
    for (int s = 1; s <= ceil_log2(p); ++s) {
        const double messages = std::pow(p, 1.0 / s) - 1,
                     seconds = farthest + (s - 1) * std::min(nearest, farthest) +
                               std::max(0.0, messages - s) * net.overhead;
        least = s == 1 ? seconds : std::min(least, seconds);
    }
    return least;
}

}  // namespace

std::int64_t least_blocks(Collective c, std::int64_t p, std::int64_t size, bool with_root) {
    if (size == p) return 0;
    // Patarasuk and Yuan 2009, Sec. 3: a rank of an allreduce cannot do with less.
    if (size == 1 && spec(c).reduces() && spec(c).after == Owner::every && !spec(c).prefix())
        return 2 * (p - 1);
    return std::max(leaving(spec(c), {size, p - size, with_root}),
                    leaving(spec(c), {p - size, size, !with_root}));
}

LowerBound lower_bound(Collective c, int root, const LocatedRanks& located, const LinkCosts& net,
                       double bytes) {
    const auto p = static_cast<int>(located.placement->group.size());
    if (p == 1) return {0, 0, "ranks"};
    const auto seconds = [&](std::int64_t size, bool with_root, double bandwidth) {
        return static_cast<double>(least_blocks(c, p, size, with_root)) * bytes / p / bandwidth;
    };
    const double of_rank = net.rank_bandwidth * std::max(1.0, net.cards);
    LowerBound out{least_latency(p, located, net),
                   std::max(seconds(1, true, of_rank), seconds(1, false, of_rank)), "ranks"};
    const auto raise = [&](const Units& units, const char* name, auto bandwidth_of) {
        for (int u = 0; u < units.count(); ++u) {
            const double busy = seconds(units.size(u), units.of(root) == u, bandwidth_of(u));
            if (busy > out.bytes) out.bytes = busy, out.busiest = name;
        }
    };
    raise(located.nodes, "nodes", [&](int) { return net.node_bandwidth; });
    std::vector<int> nodes_of(static_cast<std::size_t>(located.groups.count()));
    for (int n = 0; n < located.nodes.count(); ++n)
        ++nodes_of[static_cast<std::size_t>(located.groups.of(located.nodes.members(n).front()))];
    raise(located.groups, "groups", [&](int g) {
        return nodes_of[static_cast<std::size_t>(g)] * net.node_bandwidth / net.taper;
    });
    // p - 1 of p contributions to every block are reduced (p - 2 in an exclusive prefix sum), by
    // ranks that share the work at best, beside messages.
    const int reduced = spec(c).summed == Summed::below ? p - 2 : p - 1;
    if (!spec(c).reduces()) return out;
    const double reducing = bytes * reduced / p / net.reduce_bandwidth;
    if (reducing > out.bytes) out.bytes = reducing, out.busiest = "ranks";
    return out;
}

}  // namespace hopbine::select
