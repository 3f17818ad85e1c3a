// Tori of any dimension. Links are numbered by node, dimension and direction, so that a route needs
// no table.
#include <algorithm>

#include "network/kinds.hpp"
#include "schedule/coordinates.hpp"

namespace hopbine::network {

namespace {

class Torus : public Topology {
public:
    Torus(const std::string& name, std::vector<int> shape, int nodes)
        : Topology(name, nodes, 0), shape_(std::move(shape)) {
        const Coordinates at(shape_);
        int before = 0;
        for (std::size_t d = 0; d < shape_.size(); ++d) {
            if (shape_[d] == 1) continue;
            lines_.push_back({shape_[d], at.stride(d), per_node_, before});
            before += shape_[d];
            per_node_ += shape_[d] == 2 ? 1 : 2;
        }
        expect_links(static_cast<double>(nodes) * per_node_);
        for (int v = 0; v < nodes; ++v)
            for (const Line& l : lines_) {
                const int at = v / l.stride % l.extent;
                // In a dimension of two both neighbours are the same node, with two cables to it.
                // Orders rise along a dimension in either direction, but for the link around.
                add({v, v + (at + 1 < l.extent ? l.stride : l.stride - l.around()),
                     l.extent == 2 ? 2.0 : 1.0, 1, l.before + at});
                if (l.extent > 2)
                    add({v, v + (at > 0 ? -l.stride : l.around() - l.stride), 1, 1,
                         l.before + l.extent - 1 - at});
            }
    }
    void route(int from, int to, Route& out) const override {
        out.hops.clear();
        int hops = 0;
        for (const Line& l : lines_) {
            const int a = from / l.stride % l.extent, b = to / l.stride % l.extent;
            if (a == b) continue;
            const RingWays ways = ring_ways(a, b, l.extent);
            if (ways.forward > 0) up(l, from, a, ways.ahead, ways.forward, out.hops);
            if (ways.forward < 1) down(l, from, a, ways.back, 1 - ways.forward, out.hops);
            hops += ways.hops();
            from += (b - a) * l.stride;
        }
        out.cables = hops ? hops + 2 : 0;
        out.routers = hops ? hops + 1 : 0;
    }
    std::vector<int> shape() const override { return shape_; }
    int ports() const override { return std::max<int>(1, 2 * static_cast<int>(lines_.size())); }

private:
    /// A dimension with an extent above 1.
    struct Line {
        int extent, stride;
        int first;   ///< its first link among those of a node
        int before;  ///< extents of the dimensions before
        int around() const { return extent * stride; }
    };
    void up(const Line& l, int node, int at, int steps, double share, std::vector<Hop>& out) const {
        for (; steps > 0; --steps) {
            out.push_back({node * per_node_ + l.first, share});
            node += l.stride;
            if (++at == l.extent) at = 0, node -= l.around();
        }
    }
    void down(const Line& l, int node, int at, int steps, double share,
              std::vector<Hop>& out) const {
        for (; steps > 0; --steps) {
            out.push_back({node * per_node_ + l.first + 1, share});
            node -= l.stride;
            if (--at < 0) at = l.extent - 1, node += l.around();
        }
    }

    std::vector<int> shape_;
    std::vector<Line> lines_;
    int per_node_ = 0;
};

}  // namespace

TopologyPtr torus(const Request& q) {
    return std::make_shared<Torus>(q.text, q.extents[0], node_count(q.extents[0]));
}

}  // namespace hopbine::network
