// Dragonfly+: a group has leaves and spines, and spines of different groups are linked.
#include "network/globals.hpp"
#include "network/kinds.hpp"
#include "schedule/integers.hpp"

namespace hopbine::network {

namespace {

class DragonflyPlus : public Topology {
public:
    /// Nodes are numbered by group and leaf. Switches are numbered by group, leaves before spines.
    DragonflyPlus(const std::string& name, int leaves, int on_leaf, const Globals& globals,
                  double capacity)
        : Topology(name, globals.groups * leaves * on_leaf,
                   globals.groups * (leaves + globals.switches)),
          leaves_(leaves),
          on_leaf_(on_leaf),
          globals_(globals) {
        const int groups = globals_.groups;
        for (int v = 0; v < nodes(); ++v) {
            add({v, leaf(v / on_leaf_), 1, 1, kIn});
            add({leaf(v / on_leaf_), v, 1, 1, kOut});
        }
        for (int l = 0; l < groups * leaves_; ++l)
            for (int s = 0; s < globals_.switches; ++s) {
                add({leaf(l), spine(l / leaves_, s), 1, 1, kUp});
                add({spine(l / leaves_, s), leaf(l), 1, 1, kDown});
            }
        first_global_ = static_cast<int>(links().size());
        for (int g = 0; g < groups; ++g)
            for (int ahead = 1; ahead < groups; ++ahead)
                for (int j = 0; j < globals_.bundles(); ++j)
                    add({spine(g, globals_.near_end(ahead, j)),
                         spine((g + ahead) % groups, globals_.far_end(ahead, j)),
                         globals_.cables(j) * capacity, 1, kGlobal});
    }
    int group_nodes() const override { return leaves_ * on_leaf_; }
    void route(int from, int to, Route& out) const override {
        out.hops.clear();
        out.cables = out.routers = 0;
        if (from == to) return;
        const int a = from / on_leaf_, b = to / on_leaf_, group = a / leaves_,
                  ahead = mod(b / leaves_ - group, globals_.groups);
        out.hops.push_back({2 * from, 1});
        if (a != b && ahead == 0)
            for (int s = 0; s < globals_.switches; ++s)
                by_spines(a, s, -1, s, b, 1.0 / globals_.switches, out.hops);
        for (int j = 0; ahead != 0 && j < globals_.bundles(); ++j) {
            const double share = globals_.cables(j) / static_cast<double>(globals_.each);
            const int global = first_global_ + globals_.number(group, ahead, j);
            by_spines(a, globals_.near_end(ahead, j), global, globals_.far_end(ahead, j), b, share,
                      out.hops);
        }
        out.hops.push_back({2 * to + 1, 1});
        out.cables = a == b ? 2 : ahead == 0 ? 4 : 5;
        out.routers = out.cables - 1;
    }

private:
    enum Order { kIn, kUp, kGlobal, kDown, kOut };  ///< of links
    int in_group() const { return leaves_ + globals_.switches; }
    int leaf(int l) const { return nodes() + l / leaves_ * in_group() + l % leaves_; }
    int spine(int group, int s) const { return nodes() + group * in_group() + leaves_ + s; }
    /// Link from a leaf up to a spine of its group; the link down has the next number.
    int up(int l, int s) const { return 2 * (nodes() + l * globals_.switches + s); }
    void by_spines(int a, int out, int global, int in, int b, double share,
                   std::vector<Hop>& hops) const {
        hops.push_back({up(a, out), share});
        if (global >= 0) hops.push_back({global, share});
        hops.push_back({up(b, in) + 1, share});
    }

    int leaves_, on_leaf_;
    Globals globals_;
    int first_global_ = 0;
};

}  // namespace

TopologyPtr dragonfly_plus(const Request& q) {
    const int groups = q.extents[0][0], leaves = q.extents[0][1], spines = q.extents[0][2],
              on_leaf = q.extents[0][3];
    const double nodes = node_count({groups, leaves, on_leaf});
    const Globals globals{groups, spines, q.whole("global", spines)};
    expect_links(2 * (nodes + static_cast<double>(groups) * leaves * spines) +
                 static_cast<double>(groups) * (groups - 1) * globals.bundles());
    return std::make_shared<DragonflyPlus>(q.text, leaves, on_leaf, globals,
                                           q.number("capacity", 1));
}

}  // namespace hopbine::network
