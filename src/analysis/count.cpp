#include "analysis/count.hpp"

namespace hopbine {

Traffic count(const Algorithm& a, const Problem& given, const std::vector<int>& group) {
    const Problem q = resolve(a, given);
    if (static_cast<int>(group.size()) != q.p)
        throw Error("groups are given for " + std::to_string(group.size()) + " ranks, but p = " + std::to_string(q.p));
    const SchedulePtr s = a.make(q);
    Traffic out;
    Step moves;
    for (int t = 0; t < s->steps(); ++t) {
        std::int64_t crossing = 0;
        for (int r = 0; r < q.p; ++r) {
            moves.clear();
            s->moves(r, t, moves);
            for (const Move& m : moves) {
                if (m.way != Way::send) continue;
                const std::int64_t n = m.blocks.size(), sent = s->wire() == Wire::per_run ? static_cast<std::int64_t>(m.blocks.runs().size()) : 1;
                out.blocks += n;
                out.messages += sent;
                if (group[static_cast<std::size_t>(r)] == group[static_cast<std::size_t>(m.peer)]) continue;
                crossing += n;
                out.crossing_messages += sent;
            }
        }
        out.crossing_blocks += crossing;
        out.crossing_by_step.push_back(crossing);
    }
    return out;
}

}  // namespace hopbine
