#include "analysis/routes.hpp"

#include <unordered_map>

#include "analysis/walk.hpp"
#include "schedule/coordinates.hpp"

namespace hopbine {

namespace {

class Router {
public:
    Router(Grid grid, const std::vector<int>& shape) : grid_(grid), at_(shape) {}

    void send(int from, int to, std::int64_t blocks) {
        for (std::size_t d = 0; d < at_.shape().size(); ++d) {
            const int a = at_.of(from, d), b = at_.of(to, d);
            if (a == b) continue;
            if (grid_ == Grid::hyperx)
                hop(from, d, b, 2 * blocks);
            else {
                const RingWays ways = ring_ways(a, b, at_.shape()[d]);
                const auto ahead = static_cast<std::int64_t>(2 * ways.forward) * blocks;
                if (ahead > 0) walk_along(from, d, ways.ahead, 1, ahead);
                if (ahead < 2 * blocks) walk_along(from, d, ways.back, -1, 2 * blocks - ahead);
            }
            from = at_.moved(from, d, b);
        }
    }
    RouteTraffic total() const {
        RouteTraffic out;
        out.links = static_cast<std::int64_t>(load_.size());
        for (const auto& [link, halves] : load_) {
            out.half_blocks_hops += halves;
            const std::pair now{static_cast<int>(link >> 32), static_cast<int>(link & 0xFFFFFFFF)};
            if (halves > out.worst_half_blocks ||
                (halves == out.worst_half_blocks && now < std::pair(out.worst_from, out.worst_to)))
                out.worst_half_blocks = halves, out.worst_from = now.first,
                out.worst_to = now.second;
        }
        return out;
    }

private:
    int hop(int from, std::size_t d, int coordinate, std::int64_t halves) {
        const int to = at_.moved(from, d, coordinate);
        load_[static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to)] += halves;
        return to;
    }
    void walk_along(int from, std::size_t d, int hops, int direction, std::int64_t halves) {
        for (; hops > 0; --hops)
            from = hop(from, d, mod(at_.of(from, d) + direction, at_.shape()[d]), halves);
    }
    Grid grid_;
    Coordinates at_;
    std::unordered_map<std::uint64_t, std::int64_t> load_;
};

}  // namespace

RouteTraffic count_routes(const Algorithm& a, const Problem& given, Grid grid,
                          const std::vector<int>& shape, const std::vector<int>& at) {
    const Problem q = resolve(a, given);
    std::int64_t nodes = 1;
    for (int n : shape) {
        if (n < 1 || (nodes *= n) > 1 << 30)
            throw Error("a shape has extents of at least 1 and at most 2^30 nodes");
    }
    if (shape.empty() || static_cast<int>(at.size()) != q.p)
        throw Error("coordinates of " + std::to_string(at.size()) +
                    " ranks are given, p = " + std::to_string(q.p));
    for (int n : at)
        if (n < 0 || n >= nodes)
            throw Error("node " + std::to_string(n) + " is outside the shape of " +
                        std::to_string(nodes) + " nodes");
    const SchedulePtr s = a.make(q);
    Router router(grid, shape);
    for (const Pattern& now : patterns(*s))
        walk(*s, q.p, now.step, [&](int from, int to, std::int64_t blocks, std::int64_t, Op) {
            router.send(at[static_cast<std::size_t>(from)], at[static_cast<std::size_t>(to)],
                        blocks * now.times);
        });
    RouteTraffic out = router.total();
    out.parts = s->traits().parts;
    return out;
}

}  // namespace hopbine
