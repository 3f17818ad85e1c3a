// Fat trees, with interchangeable switches of a layer merged into one. The parallel cables up to
// them, chosen adaptively, are one link of their total capacity. A byte passes the same numbers of
// cables and routers as in the real tree.
#include "network/kinds.hpp"
#include "schedule/problem.hpp"

namespace hopbine::network {

namespace {

class FatTree : public Topology {
public:
    /// Takes the sizes and capacities of the layers; layer 0 are the nodes. A switch of layer i + 1
    /// has `below[i]` vertices of layer i below it. capacity[i] is that of a link up from layer i.
    FatTree(const std::string& name, int nodes, int switches, std::vector<int> below,
            const std::vector<double>& capacity)
        : Topology(name, nodes, switches), below_(std::move(below)) {
        int first = 0, count = nodes;
        for (std::size_t i = 0; i < below_.size(); ++i) {
            first_.push_back(first);
            for (int k = 0; k < count; ++k) {
                const int v = first + k, above = first + count + k / below_[i];
                const int up = static_cast<int>(i);
                add({v, above, capacity[i], 1, up});
                add({above, v, capacity[i], 1, 2 * static_cast<int>(below_.size()) - 1 - up});
            }
            first += count;
            count /= below_[i];
        }
    }
    int group_nodes() const override { return nodes() / below_.back(); }
    void route(int from, int to, Route& out) const override {
        out.hops.clear();
        std::size_t layers = 0;
        for (int a = from, b = to; a != b; ++layers) {
            out.hops.push_back({2 * (first_[layers] + a), 1});
            a /= below_[layers];
            b /= below_[layers];
        }
        // The way down, in the order in which a byte passes the links.
        out.hops.resize(2 * layers);
        for (std::size_t i = 0; i < layers; ++i) {
            out.hops[2 * layers - 1 - i] = {2 * (first_[i] + to) + 1, 1};
            to /= below_[i];
        }
        out.cables = static_cast<double>(out.hops.size());
        out.routers = out.hops.empty() ? 0 : out.cables - 1;
    }

private:
    std::vector<int> below_, first_;  ///< first_: number of the first vertex of a layer
};

}  // namespace

TopologyPtr fat_tree(const Request& q) {
    const std::vector<int> below(q.extents[0].rbegin(), q.extents[0].rend());
    if (below.size() == 2 && q.number("core", 0) > 0)
        throw Error("'core' needs pods: PODSxLEAVESxNODES");
    const int nodes = node_count(below);
    std::vector<double> capacity = {1, below[0] / q.number("oversubscription", 1)};
    if (below.size() == 3) capacity.push_back(below[1] * capacity[1] / q.number("core", 1));
    int switches = 0;
    for (int i = 0, layer = nodes; i < static_cast<int>(below.size()); ++i)
        switches += layer /= below[static_cast<std::size_t>(i)];
    return std::make_shared<FatTree>(q.text, nodes, switches, below, capacity);
}

}  // namespace hopbine::network
