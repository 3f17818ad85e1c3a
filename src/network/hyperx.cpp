// HyperX: one hop per dimension. Links are numbered by node, dimension and the coordinate they lead to, the node's own left out.
#include <algorithm>

#include "network/kinds.hpp"

namespace hopbine::network {

namespace {

class HyperX : public Topology {
public:
    HyperX(const std::string& name, std::vector<int> shape, int nodes) : Topology(name, nodes, 0), shape_(std::move(shape)) {
        for (int n : shape_) per_node_ += n - 1;
        expect_links(static_cast<double>(nodes) * per_node_);
        for (int v = 0; v < nodes; ++v) {
            int stride = nodes;
            for (int n : shape_) {
                stride /= n;
                const int at = v / stride % n;
                for (int c = 0; c < n; ++c)
                    if (c != at) add({v, v + (c - at) * stride});
            }
        }
    }
    void route(int from, int to, Route& out) const override {
        out.hops.clear();
        int stride = nodes(), first = 0;
        for (int n : shape_) {
            stride /= n;
            const int a = from / stride % n, b = to / stride % n;
            if (a != b) {
                out.hops.push_back({from * per_node_ + first + (b < a ? b : b - 1), 1});
                from += (b - a) * stride;
            }
            first += n - 1;
        }
        const int hops = static_cast<int>(out.hops.size());
        out.cables = hops ? hops + 2 : 0;
        out.routers = hops ? hops + 1 : 0;
    }
    std::vector<int> shape() const override { return shape_; }
    int ports() const override { return std::max(1, per_node_); }

private:
    std::vector<int> shape_;
    int per_node_ = 0;
};

}  // namespace

TopologyPtr hyperx(const Request& q) { return std::make_shared<HyperX>(q.text, q.extents[0], node_count(q.extents[0])); }

}  // namespace hopbine::network
