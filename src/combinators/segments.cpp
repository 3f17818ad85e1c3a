#include "combinators/segments.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace hopbine {

namespace {

class Segmented : public Schedule {
public:
    Segmented(std::vector<SchedulePtr> segments, int p, int together)
        : Schedule(traits_of(segments, together)),
          segments_(std::move(segments)),
          together_(together),
          width_(Block{p} * segments_.front()->traits().parts) {}
    int steps() const override { return steps_of(segments_, together_); }
    void moves(int rank, int t, Step& out) const override {
        each_under_way(segments_, together_, t, [&](std::size_t k, int step) {
            const std::size_t before = out.size();
            segments_[k]->moves(rank, step, out);
            for (std::size_t i = before; i < out.size(); ++i)
                out[i].blocks = moved_on(out[i].blocks, static_cast<Block>(k) * width_);
        });
    }

protected:
    void count(int rank, int t, MoveSizes& out) const override {
        each_under_way(segments_, together_, t, [&](std::size_t k, int step) {
            segments_[k]->sizes(rank, step, Wire::packed, out);
        });
    }

private:
    using Segments = std::vector<SchedulePtr>;
    static int steps_of(const Segments& all, int together) {
        const int each = all.front()->steps();
        return each <= together ? each : each + static_cast<int>(all.size()) - 1;
    }
    /// Calls f(k, s) for the segments that are in progress in step t, which are in their step s.
    template <class F>
    static void each_under_way(const Segments& all, int together, int t, F&& f) {
        const int each = all.front()->steps(), n = static_cast<int>(all.size());
        const int first = t < together ? 0 : std::max(0, t - each + 1),
                  last = t < together ? n - 1 : std::min(t - together, n - 1);
        for (int k = first; k <= last; ++k)
            f(static_cast<std::size_t>(k), t < together ? t : t - k);
    }
    static BlockSet moved_on(const BlockSet& blocks, Block by) {
        std::vector<Run> runs = blocks.runs();
        for (Run& r : runs) r.lo += by, r.hi += by;
        return BlockSet::of_runs(std::move(runs));
    }
    /// Key of a step: the classes of the steps in which its segments are, which differ between
    /// segments of different schedules.
    static std::vector<int> under_way(const Segments& all, int together, int t) {
        std::vector<int> out;
        each_under_way(all, together, t, [&](std::size_t k, int step) {
            const auto first = std::ranges::find(all, all[k]) - all.begin();
            out.push_back(static_cast<int>(first) * all[k]->steps() +
                          all[k]->traits().step_class(step));
        });
        std::sort(out.begin(), out.end());
        return out;
    }
    static Traits traits_of(const Segments& all, int together) {
        const Traits& t = all.front()->traits();
        if (t.layout || (t.parts > 1 && !t.parts_together))
            throw Error(
                "segmented: the schedule is permuted, or the parts of a block lie together");
        return {.parts = t.parts * static_cast<int>(all.size()),
                .parts_together = true,
                .channels = t.channels,
                .wire = t.wire,
                .layout = nullptr,
                .period = t.period,
                .mirrored = t.mirrored,
                .classes = classes_by_key(steps_of(all, together),
                                          [&](int t) { return under_way(all, together, t); }),
                .barriers = {}};
    }

    Segments segments_;
    int together_;
    Block width_;  ///< parts of a segment
};

}  // namespace

SchedulePtr segmented(std::vector<SchedulePtr> segments, int p, int together) {
    return std::make_shared<Segmented>(std::move(segments), p, together);
}

SchedulePtr segmented(SchedulePtr inner, int p, int n) {
    return n == 1 ? inner : segmented(std::vector(static_cast<std::size_t>(n), inner), p, 0);
}

int segments::by_bytes(const Problem& q) {
    const std::int64_t most = q.get(bytes_parameter.name);
    std::int64_t n = 1;
    while (most > 0 && n * most < q.bytes && n < parameter.high) n *= 2;
    return static_cast<int>(n);
}

std::int64_t segments::best(std::int64_t steps, double bytes, double alpha, double beta,
                            double within) {
    const auto behind = static_cast<double>(std::max<std::int64_t>(steps - 1, 0));
    const auto seconds = [&](std::int64_t n) {
        return (behind + static_cast<double>(n)) * (alpha + beta * bytes / static_cast<double>(n));
    };
    std::int64_t fastest = 1;
    while (fastest < parameter.high && seconds(2 * fastest) < seconds(fastest)) fastest *= 2;
    std::int64_t out = fastest;
    while (out > 1 && seconds(out / 2) <= within * seconds(fastest)) out /= 2;
    return out;
}

}  // namespace hopbine
