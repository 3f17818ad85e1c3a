// Dragonfly. Minimal routes have at most one global cable, even where two would make a shorter
// route than one with a local cable at each end.
#include "network/globals.hpp"
#include "network/kinds.hpp"
#include "schedule/integers.hpp"
#include "schedule/problem.hpp"

namespace hopbine::network {

namespace {

class Dragonfly : public Topology {
public:
    /// Nodes are numbered by group and router, routers by group.
    Dragonfly(const std::string& name, int on_router, const Globals& globals, double capacity)
        : Topology(name, globals.groups * globals.switches * on_router,
                   globals.groups * globals.switches),
          on_router_(on_router),
          globals_(globals) {
        const int in_group = globals_.switches, groups = globals_.groups;
        for (int v = 0; v < nodes(); ++v) {
            add({v, router(v / on_router_), 1, 1, kIn});
            add({router(v / on_router_), v, 1, 1, kOut});
        }
        first_local_ = 2 * nodes();
        for (int r = 0; r < switches(); ++r)
            for (int i = 0; i < in_group; ++i)
                if (i != r % in_group) add({router(r), router(r - r % in_group + i), 1, 1, kLocal});
        first_global_ = static_cast<int>(links().size());
        for (int g = 0; g < groups; ++g)
            for (int ahead = 1; ahead < groups; ++ahead)
                for (int j = 0; j < globals_.bundles(); ++j)
                    add({router(g * in_group + globals_.near_end(ahead, j)),
                         router((g + ahead) % groups * in_group + globals_.far_end(ahead, j)),
                         globals_.cables(j) * capacity, 1, kGlobal});
    }
    int group_nodes() const override { return on_router_ * globals_.switches; }
    void route(int from, int to, Route& out) const override {
        out.hops.clear();
        out.cables = out.routers = 0;
        if (from == to) return;
        out.hops.push_back({2 * from, 1});
        const int passed = between(from / on_router_, to / on_router_, out.hops);
        out.hops.push_back({2 * to + 1, 1});
        out.cables = passed + 2;
        out.routers = passed + 1;
    }

private:
    enum Order { kIn, kLocal, kGlobal, kOut };  ///< of links
    int router(int r) const { return nodes() + r; }
    int local(int r, int to) const {
        const int in_group = globals_.switches, i = r % in_group;
        return first_local_ + r * (in_group - 1) + (to < i ? to : to - 1);
    }
    /// Appends the routes between two routers. Returns the number of links of each.
    int between(int from, int to, std::vector<Hop>& hops) const {
        if (from == to) return 0;
        const int in_group = globals_.switches, group = from / in_group,
                  ahead = mod(to / in_group - group, globals_.groups);
        const int a = from % in_group, b = to % in_group;
        if (ahead == 0) {
            hops.push_back({local(from, b), 1});
            return 1;
        }
        const auto length = [&](int j) {
            return 1 + (globals_.near_end(ahead, j) != a) + (globals_.far_end(ahead, j) != b);
        };
        int nearest = 3;
        double ways = 0;  // one per cable
        for (int j = 0; j < globals_.bundles(); ++j) {
            if (length(j) < nearest) nearest = length(j), ways = 0;
            if (length(j) == nearest) ways += globals_.cables(j);
        }
        for (int j = 0; j < globals_.bundles(); ++j) {
            if (length(j) != nearest) continue;
            const int out = globals_.near_end(ahead, j), in = globals_.far_end(ahead, j);
            const double share = globals_.cables(j) / ways;
            if (out != a) hops.push_back({local(from, out), share});
            hops.push_back({first_global_ + globals_.number(group, ahead, j), share});
            if (in != b) hops.push_back({local(to - b + in, b), share});
        }
        return nearest;
    }

    int on_router_;
    Globals globals_;
    int first_local_ = 0, first_global_ = 0;
};

}  // namespace

TopologyPtr dragonfly(const Request& q) {
    const int groups = q.extents[0][0], routers = q.extents[0][1], others = groups - 1;
    const double nodes = node_count(q.extents[0]);
    const std::int64_t on_router = q.whole("global", others > 0 ? ceil_div(others, routers) : 1);
    const std::int64_t each = others > 0 ? routers * on_router / others : 0;
    if (others > 0 && each < 1)
        throw Error("global=" + std::to_string(on_router) + " gives a group " +
                    std::to_string(routers * on_router) +
                    " global cables, it needs one to each of " + std::to_string(others) +
                    " other groups");
    const Globals globals{groups, routers, each};
    expect_links(2 * nodes + static_cast<double>(groups) * routers * (routers - 1) +
                 static_cast<double>(groups) * others * globals.bundles());
    return std::make_shared<Dragonfly>(q.text, q.extents[0][2], globals, q.number("capacity", 1));
}

}  // namespace hopbine::network
