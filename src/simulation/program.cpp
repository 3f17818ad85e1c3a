#include "simulation/program.hpp"

#include <algorithm>

namespace hopbine::simulation {

Program::Program(const Algorithm& a, const Problem& given)
    : algorithm_(&a),
      problem_(resolve(a, given)),
      schedule_(a.make(problem_)),
      channels_(schedule_->traits().channels) {
    // A rank's vector in an alltoall has p of the p * p blocks.
    parts_ = std::min<std::int64_t>(block_count(a.collective, problem_.p), problem_.p) *
             schedule_->traits().parts;
    for (int s = 0; s < schedule_->steps(); ++s) {
        pattern_.push_back(schedule_->traits().step_class(s));
        phase_.push_back(s == 0 ? 0 : phase_.back() + schedule_->traits().barrier(s));
    }
}

Messages Program::messages(int step) const {
    Messages out;
    out.first.assign(static_cast<std::size_t>(lines()) + 1, 0);
    out.received.assign(static_cast<std::size_t>(lines()), 0);
    Step moves;
    for (int r = 0; r < problem_.p; ++r) {
        moves.clear();
        schedule_->moves(r, step, moves);
        std::stable_sort(moves.begin(), moves.end(),
                         [](const Move& x, const Move& y) { return x.channel < y.channel; });
        for (const Move& m : moves) {
            const int line = r * channels_ + m.channel;
            if (m.direction == Direction::recv) {
                ++out.received[static_cast<std::size_t>(line)];
                continue;
            }
            out.all.push_back({r, m.peer, m.channel,
                               static_cast<std::uint32_t>(m.blocks.runs().size()) & 0x7fffffffU,
                               m.op == Op::reduce, m.blocks.size()});
            ++out.first[static_cast<std::size_t>(line) + 1];
        }
    }
    for (std::size_t l = 1; l < out.first.size(); ++l) out.first[l] += out.first[l - 1];
    return out;
}

}  // namespace hopbine::simulation
