/// All messages of a schedule, without walking equivalent steps and ranks. These are given by
/// Traits::classes and Traits::period.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "schedule/integers.hpp"
#include "schedule/schedule.hpp"

namespace hopbine {

/// Equivalent steps and their number.
struct Pattern {
    int step;  ///< the first of these steps
    std::int64_t times;
};

/// Patterns in the order of their first steps.
template <class StepClass>
std::vector<Pattern> patterns(int steps, StepClass&& step_class) {
    std::vector<Pattern> out;
    std::vector<int> at(static_cast<std::size_t>(steps), -1);
    for (int t = 0; t < steps; ++t) {
        int& known = at[static_cast<std::size_t>(step_class(t))];
        if (known < 0) {
            known = static_cast<int>(out.size());
            out.push_back({t, 0});
        }
        ++out[static_cast<std::size_t>(known)].times;
    }
    return out;
}
inline std::vector<Pattern> patterns(const Schedule& s) {
    return patterns(s.steps(), [&](int t) { return s.traits().step_class(t); });
}

/// Number of messages of a move of rank 0 after rotation by `r`. A run may be cut at the end of the
/// circle of blocks.
class RotatedMessages {
public:
    /// A move that has this number of messages on every rank.
    explicit RotatedMessages(std::int64_t messages)
        : blocks_(0), circular_(messages), same_(true) {}
    RotatedMessages(const Move& m, Wire wire, Block blocks)
        : blocks_(blocks), same_(wire != Wire::per_run || m.blocks.size() == blocks) {
        if (same_) return;
        const auto& runs = m.blocks.runs();
        const bool wraps = runs.size() > 1 && runs.front().lo == 0 && runs.back().hi == blocks;
        circular_ = static_cast<std::int64_t>(runs.size()) - wraps;
        for (const Run& r : runs)  // a cut between b - 1 and b, both in the set
            for (Block b = r.lo + 1; b < r.hi; ++b) joined_.push_back(b);
        if (runs.front().lo == 0 && runs.back().hi == blocks) joined_.insert(joined_.begin(), 0);
    }
    std::int64_t at(int r) const {
        if (same_) return circular_;
        const Block cut = r == 0 ? 0 : blocks_ - r;
        return circular_ + std::binary_search(joined_.begin(), joined_.end(), cut);
    }

private:
    Block blocks_;
    std::int64_t circular_ = 1;
    std::vector<Block> joined_;
    bool same_;
};

/// Calls message(source, destination, blocks, messages, op) for every send of p ranks in step t.
template <class Message>
void walk(const Schedule& s, int p, int t, Message&& message) {
    Step moves;
    const int q = s.traits().period;
    if (q > 0 && p % q == 0) {
        for (int first = 0; first < q; ++first) {
            moves.clear();
            s.moves(first, t, moves);
            for (const Move& m : moves) {
                if (m.direction != Direction::send) continue;
                const Block n = m.blocks.size();
                const RotatedMessages sent(m, s.traits().wire, p);
                int to = m.peer;
                for (int r = first; r < p; r += q) {
                    message(r, to, n, sent.at(r - first), m.op);
                    if ((to += q) >= p) to -= p;
                }
            }
        }
        return;
    }
    for (int r = 0; r < p; ++r) {
        moves.clear();
        s.moves(r, t, moves);
        for (const Move& m : moves)
            if (m.direction == Direction::send)
                message(r, m.peer, m.blocks.size(), messages_of(m, s.traits().wire), m.op);
    }
}

}  // namespace hopbine
