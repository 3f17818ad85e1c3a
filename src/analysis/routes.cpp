#include "analysis/routes.hpp"

#include <unordered_map>

#include "analysis/walk.hpp"

namespace hopbine {

namespace {

class Router {
public:
    Router(Grid grid, const std::vector<int>& shape) : grid_(grid), shape_(shape), stride_(shape.size(), 1) {
        for (std::size_t d = shape.size() - 1; d-- > 0;) stride_[d] = stride_[d + 1] * shape[d + 1];
    }

    void send(int from, int to, std::int64_t blocks) {
        for (std::size_t d = 0; d < shape_.size(); ++d) {
            const int n = shape_[d], a = from / stride_[d] % n, b = to / stride_[d] % n;
            if (a == b) continue;
            const int ahead = mod(b - a, n), back = n - ahead;
            if (grid_ == Grid::hyperx) from = hop(from, d, b, 2 * blocks);
            else if (ahead == back) {
                walk_along(from, d, ahead, -1, blocks);
                from = walk_along(from, d, ahead, 1, blocks);
            } else from = ahead < back ? walk_along(from, d, ahead, 1, 2 * blocks) : walk_along(from, d, back, -1, 2 * blocks);
        }
    }
    RouteTraffic total() const {
        RouteTraffic out;
        out.links = static_cast<std::int64_t>(load_.size());
        for (const auto& [link, halves] : load_) {
            out.half_blocks_hops += halves;
            const std::pair now{static_cast<int>(link >> 32), static_cast<int>(link & 0xFFFFFFFF)};
            if (halves > out.worst_half_blocks || (halves == out.worst_half_blocks && now < std::pair(out.worst_from, out.worst_to)))
                out.worst_half_blocks = halves, out.worst_from = now.first, out.worst_to = now.second;
        }
        return out;
    }

private:
    int hop(int from, std::size_t d, int coordinate, std::int64_t halves) {
        const int to = from + (coordinate - from / stride_[d] % shape_[d]) * stride_[d];
        load_[static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to)] += halves;
        return to;
    }
    int walk_along(int from, std::size_t d, int hops, int way, std::int64_t halves) {
        for (; hops > 0; --hops) from = hop(from, d, mod(from / stride_[d] % shape_[d] + way, shape_[d]), halves);
        return from;
    }
    Grid grid_;
    std::vector<int> shape_, stride_;
    std::unordered_map<std::uint64_t, std::int64_t> load_;
};

}  // namespace

RouteTraffic count_routes(const Algorithm& a, const Problem& given, Grid grid, const std::vector<int>& shape, const std::vector<int>& at) {
    const Problem q = resolve(a, given);
    std::int64_t nodes = 1;
    for (int n : shape) {
        if (n < 1 || (nodes *= n) > 1 << 30) throw Error("a shape has extents of at least 1 and at most 2^30 nodes");
    }
    if (shape.empty() || static_cast<int>(at.size()) != q.p) throw Error("coordinates of " + std::to_string(at.size()) + " ranks are given, p = " + std::to_string(q.p));
    for (int n : at)
        if (n < 0 || n >= nodes) throw Error("node " + std::to_string(n) + " is outside the shape of " + std::to_string(nodes) + " nodes");
    const SchedulePtr s = a.make(q);
    Router router(grid, shape);
    for (const Pattern& now : patterns(*s))
        walk(*s, q.p, now.step, 0, q.p, [&](int from, int to, std::int64_t blocks, std::int64_t, Mode) {
            router.send(at[static_cast<std::size_t>(from)], at[static_cast<std::size_t>(to)], blocks * now.times);
        });
    RouteTraffic out = router.total();
    out.parts = s->parts();
    return out;
}

}  // namespace hopbine
