// HyperX: one hop per dimension. Links are numbered by node, dimension and destination coordinate,
// without the node's own.
#include <algorithm>

#include "network/kinds.hpp"
#include "schedule/coordinates.hpp"

namespace hopbine::network {

namespace {

class HyperX : public Topology {
public:
    HyperX(const std::string& name, std::vector<int> shape, int nodes)
        : Topology(name, nodes, 0), at_(std::move(shape)) {
        for (int n : at_.shape()) per_node_ += n - 1;
        expect_links(static_cast<double>(nodes) * per_node_);
        for (int v = 0; v < nodes; ++v)
            for (std::size_t d = 0; d < at_.shape().size(); ++d)
                for (int c = 0, own = at_.of(v, d); c < at_.shape()[d]; ++c)
                    if (c != own) add({v, at_.moved(v, d, c), 1, 1, static_cast<int>(d)});
    }
    void route(int from, int to, Route& out) const override {
        out.hops.clear();
        int first = 0;
        for (std::size_t d = 0; d < at_.shape().size(); ++d) {
            const int a = at_.of(from, d), b = at_.of(to, d);
            if (a != b) {
                out.hops.push_back({from * per_node_ + first + (b < a ? b : b - 1), 1});
                from = at_.moved(from, d, b);
            }
            first += at_.shape()[d] - 1;
        }
        const int hops = static_cast<int>(out.hops.size());
        out.cables = hops ? hops + 2 : 0;
        out.routers = hops ? hops + 1 : 0;
    }
    std::vector<int> shape() const override { return at_.shape(); }
    int ports() const override { return std::max(1, per_node_); }

private:
    Coordinates at_;
    int per_node_ = 0;
};

}  // namespace

TopologyPtr hyperx(const Request& q) {
    return std::make_shared<HyperX>(q.text, q.extents[0], node_count(q.extents[0]));
}

}  // namespace hopbine::network
