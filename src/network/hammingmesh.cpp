// HammingMesh: boards with meshes, joined at their edges by a fat tree per row and column of nodes.
// A fat tree never blocks, so that it is modelled as one switch.
#include <array>
#include <cstdlib>

#include "network/kinds.hpp"

namespace hopbine::network {

namespace {

/// One of the two dimensions.
struct Line {
    int extent, board, stride, order;  ///< `order`: that of its first links
    /// Links of each node, -1 for none. They lead to the next and the previous node on the board,
    /// to the switch, and from it.
    std::vector<int> up = {}, down = {}, out = {}, in = {};
    /// Fraction of the routes between a place and the switch that use the low edge. The nearer edge
    /// is used; both if they are equally near.
    double low(int place) const {
        const int high = board - 1 - place;
        return place < high || board == 1 ? 1
               : place == high            ? 0.5
                               : 0;  // on a board of one node both edges are the same link
    }
    void walk(int node, int by, double share, std::vector<Hop>& hops) const {
        if (share == 0) return;
        const auto& next = by > 0 ? up : down;
        const int step = by > 0 ? 1 : -1;
        for (; by != 0; by -= step, node += step * stride)
            hops.push_back({next[static_cast<std::size_t>(node)], share});
    }
    void leave(int node, int place, int edge, double share, std::vector<Hop>& hops) const {
        if (share == 0) return;
        walk(node, edge - place, share, hops);
        hops.push_back({out[static_cast<std::size_t>(node + (edge - place) * stride)], share});
    }
    void enter(int node, int place, int edge, double share, std::vector<Hop>& hops) const {
        if (share == 0) return;
        const int at = node + (edge - place) * stride;
        hops.push_back({in[static_cast<std::size_t>(at)], share});
        walk(at, place - edge, share, hops);
    }
};

class HammingMesh : public Topology {
public:
    /// x x y boards of a x b nodes.
    HammingMesh(const std::string& name, int a, int b, int x, int y)
        : Topology(name, x * a * y * b, (x * a > 1 ? y * b : 0) + (y * b > 1 ? x * a : 0)),
          lines_{Line{x * a, a, y * b, 0}, Line{y * b, b, 1, a + 2}} {
        int first_switch = nodes();
        for (Line& l : lines_) {
            if (l.extent == 1) continue;
            for (auto* links : {&l.up, &l.down, &l.out, &l.in})
                links->assign(static_cast<std::size_t>(nodes()), -1);
            for (int v = 0; v < nodes(); ++v)
                connect(l, v, first_switch + (l.stride == 1 ? v / l.extent : v % l.stride));
            first_switch += nodes() / l.extent;
        }
    }
    void route(int from, int to, Route& out) const override {
        out.hops.clear();
        for (const Line& l : lines_) {
            const int a = from / l.stride % l.extent, b = to / l.stride % l.extent;
            if (a == b) continue;
            leg(l, from, a, b, out.hops);
            from += (b - a) * l.stride;
        }
        out.cables = out.hops.empty() ? 0 : 2;
        out.routers = out.hops.empty() ? 0 : 1;
        for (const Hop& h : out.hops) {
            out.cables += h.share * links()[static_cast<std::size_t>(h.link)].cable;
            out.routers += h.share;
        }
    }
    std::vector<int> shape() const override { return {lines_[0].extent, lines_[1].extent}; }
    int ports() const override { return 4; }

private:
    void connect(Line& l, int v, int its_switch) {
        const auto at = static_cast<std::size_t>(v);
        const int place = v / l.stride % l.extent % l.board;
        if (place + 1 < l.board) {
            l.up[at] = add({v, v + l.stride, 1, 0, l.order + place});
            l.down[static_cast<std::size_t>(v + l.stride)] =
                add({v + l.stride, v, 1, 0, l.order + l.board - 2 - place});
        }
        if (place > 0 && place + 1 < l.board) return;
        const double cables = l.board == 1 ? 2 : 1;
        l.out[at] = add({v, its_switch, cables, 1, l.order + l.board});
        l.in[at] = add({its_switch, v, cables, 1, l.order + l.board + 1});
    }
    /// Appends the routes in one dimension, from coordinate a to b.
    static void leg(const Line& l, int from, int a, int b, std::vector<Hop>& hops) {
        const int x = a % l.board, y = b % l.board, to = from + (b - a) * l.stride,
                  high = l.board - 1;
        double straight = 0, out_low = l.low(x), in_low = l.low(y);
        if (a / l.board ==
            b / l.board) {  // on the board, or outwards from both nodes and through the switch
            const int across = std::abs(b - a), around = l.board + 1 - across;
            straight = across < around ? 1 : across == around ? 0.5 : 0;
            out_low = b > a ? 1 : 0;
            in_low = 1 - out_low;
        }
        const double switched = 1 - straight;
        l.walk(from, b - a, straight, hops);
        l.leave(from, x, 0, switched * out_low, hops);
        l.leave(from, x, high, switched * (1 - out_low), hops);
        l.enter(to, y, 0, switched * in_low, hops);
        l.enter(to, y, high, switched * (1 - in_low), hops);
    }

    std::array<Line, 2> lines_;
};

}  // namespace

TopologyPtr hammingmesh(const Request& q) {
    const int a = q.extents[0][0], b = q.extents[0][1], x = q.extents[1][0], y = q.extents[1][1];
    node_count({a, b, x, y});
    return std::make_shared<HammingMesh>(q.text, a, b, x, y);
}

}  // namespace hopbine::network
