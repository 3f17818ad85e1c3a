#include "combinators/segments.hpp"

#include <algorithm>
#include <cmath>

namespace hopbine {

namespace {

class Segmented : public Schedule {
public:
    Segmented(SchedulePtr inner, int p, int n)
        : Schedule(traits_of(*inner, n)),
          inner_(std::move(inner)),
          n_(n),
          width_(Block{p} * inner_->traits().parts) {}
    int steps() const override { return steps_of(*inner_, n_); }
    void moves(int rank, int t, Step& out) const override {
        for (int k = first(t); k <= std::min(t, n_ - 1); ++k) {
            const std::size_t before = out.size();
            inner_->moves(rank, t - k, out);
            for (std::size_t i = before; i < out.size(); ++i)
                out[i].blocks = moved_on(out[i].blocks, k * width_);
        }
    }

private:
    static int steps_of(const Schedule& inner, int n) {
        return inner.steps() == 0 ? 0 : inner.steps() + n - 1;
    }
    /// The first segment that is still in progress in step t.
    int first(int t) const { return std::max(0, t - inner_->steps() + 1); }
    static BlockSet moved_on(const BlockSet& blocks, Block by) {
        std::vector<Run> runs = blocks.runs();
        for (Run& r : runs) r.lo += by, r.hi += by;
        return BlockSet::of_runs(std::move(runs));
    }
    /// Key of a step: the classes of the steps in which its segments are.
    static std::vector<int> steps_under_way(const Schedule& inner, int n, int t) {
        std::vector<int> out;
        for (int k = std::max(0, t - inner.steps() + 1); k <= std::min(t, n - 1); ++k)
            out.push_back(inner.traits().step_class(t - k));
        std::sort(out.begin(), out.end());
        return out;
    }
    static Traits traits_of(const Schedule& inner, int n) {
        const Traits& t = inner.traits();
        if (t.layout || (t.parts > 1 && !t.parts_together))
            throw Error(
                "segmented: the schedule is permuted, or the parts of a block lie together");
        return {.parts = t.parts * n,
                .parts_together = true,
                .channels = t.channels,
                .wire = t.wire,
                .layout = nullptr,
                .period = t.period,
                .mirrored = t.mirrored,
                .classes = classes_by_key(steps_of(inner, n),
                                          [&](int t) { return steps_under_way(inner, n, t); }),
                .barriers = {}};
    }

    SchedulePtr inner_;
    int n_;
    Block width_;  ///< parts of a segment
};

}  // namespace

SchedulePtr segmented(SchedulePtr inner, int p, int n) {
    return n == 1 ? inner : std::make_shared<Segmented>(std::move(inner), p, n);
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
