/// The step of a plan that is the last to write at each position of its working memory.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "runtime/plan.hpp"

namespace hopbine::mpi {

class LastWrites {
public:
    explicit LastWrites(const Plan& plan) {
        StepScratch scratch;
        for (std::size_t s = 0, all = plan.step_count(); s < all; ++s)
            each_piece(plan.step(s, scratch), [&](const Piece& p) {
                std::vector<int>& last = of(p.space);
                const auto end = static_cast<std::size_t>(p.first + p.count);
                if (last.size() < end) last.resize(end, kNever);
                std::fill_n(last.begin() + p.first, p.count, static_cast<int>(s));
            });
    }
    /// f(piece) for what step s, which has ended, was the last to write. Each position once.
    template <class F>
    void ended(const StepView& step, std::size_t s, const F& f) {
        each_piece(step, [&](const Piece& p) {
            std::vector<int>& last = of(p.space);
            const auto is_last = [&](std::int64_t at) {
                return last[static_cast<std::size_t>(at)] == static_cast<int>(s);
            };
            for (std::int64_t at = p.first, end = p.first + p.count; at < end;) {
                const std::int64_t begin = at;
                for (; at < end && is_last(at); ++at) last[static_cast<std::size_t>(at)] = kNever;
                if (at > begin) f(Piece{p.space, begin, at - begin});
                if (at < end && !is_last(at)) ++at;
            }
        });
    }

private:
    static constexpr int kNever = -1;
    std::vector<int>& of(Space space) { return last_[static_cast<std::size_t>(space)]; }
    /// f(piece) for every piece that is received, but not into slots, which hold no results.
    template <class F>
    static void each_piece(const StepView& step, const F& f) {
        for (const Message* m = step.begin; m != step.end; ++m)
            for (std::uint32_t i = m->begin; m->direction == Direction::recv && i < m->end; ++i)
                if (step.pieces[i].space != Space::temp) f(step.pieces[i]);
    }

    std::array<std::vector<int>, 2> last_;  ///< [space][position]
};

}  // namespace hopbine::mpi
