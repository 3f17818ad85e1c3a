#include "analysis/peaks.hpp"

#include "analysis/walk.hpp"

namespace hopbine {

namespace {

/// Load of a rank in one step.
struct Work {
    std::int64_t blocks_out = 0, blocks_in = 0, messages_out = 0, messages_in = 0, reduced = 0;
};

}  // namespace

Peaks peaks(const Algorithm& a, const Problem& given) {
    const Problem q = resolve(a, given);
    const SchedulePtr s = a.make(q);
    Peaks out{s->traits().parts, {}};
    std::vector<Work> ranks(static_cast<std::size_t>(q.p));
    for (const Pattern& now : patterns(*s)) {
        std::fill(ranks.begin(), ranks.end(), Work{});
        walk(*s, q.p, now.step,
             [&](int from, int to, std::int64_t blocks, std::int64_t messages, Op op) {
                 Work &sender = ranks[static_cast<std::size_t>(from)],
                      &receiver = ranks[static_cast<std::size_t>(to)];
                 sender.blocks_out += blocks;
                 sender.messages_out += messages;
                 receiver.blocks_in += blocks;
                 receiver.messages_in += messages;
                 if (op == Op::reduce) receiver.reduced += blocks;
             });
        StepPeak peak{now.step, now.times};
        for (const Work& w : ranks) {
            peak.messages = std::max({peak.messages, w.messages_out, w.messages_in});
            peak.blocks = std::max({peak.blocks, w.blocks_out, w.blocks_in});
            peak.reduced = std::max(peak.reduced, w.reduced);
        }
        out.steps.push_back(peak);
    }
    return out;
}

}  // namespace hopbine
