#include "mpi/execute/execute_arriving.hpp"

#include "mpi/execute/last_writes.hpp"
#include "mpi/execute/step_by_step.hpp"

namespace hopbine::mpi {

namespace {

/// Each step waits for what it reads and writes.
class Arriving : StepByStep<Arriving> {
public:
    using StepByStep::StepByStep;

    /// `writes`: results leave as they become final; null: they stay.
    int steps(LastWrites* writes) {
        for (std::size_t s = 0, all = plan_.step_count(); s < all; ++s) {
            const StepView now = plan_.step(s, w_.step);
            pieces_ = now.pieces;
            await_arrival(now, is_direct(s));
            if (is_direct(s))
                direct(now.begin, now.end);
            else
                step(now);
            if (writes) store(*writes, now, s);
        }
        return error_;
    }

private:
    /// Waits for what the step reads and writes.
    void await_arrival(const StepView& now, bool direct) {
        for (const Message* m = now.begin; m != now.end; ++m)
            for (const Piece* p = pieces(*m); p != pieces(*m) + (m->end - m->begin); ++p) {
                const std::int64_t bytes = elements(*p) * b_.width;
                b_.mirror->wait_for(address(*p), bytes);
                if (direct) b_.mirror->wait_for(b_.own + b_.layout(p->first) * b_.width, bytes);
            }
    }
    /// Lets the mirror copy what is final.
    void store(LastWrites& writes, const StepView& now, std::size_t s) {
        writes.ended(now, s, [this](const Piece& p) {
            b_.mirror->store(address(p), elements(p) * b_.width);
        });
    }
};

/// Begins copies from a device, those first that the first steps read or write.
void fetch(const Plan& plan, const Binding& b, StepScratch& scratch) {
    const std::size_t steps = plan.channels.empty() && !b.own ? plan.step_count() : 0;
    for (std::size_t s = 0; s < steps; ++s) {
        const StepView step = plan.step(s, scratch);
        for (const Message* m = step.begin; m != step.end; ++m)
            for (std::uint32_t i = m->begin; i < m->end; ++i) {
                const Piece& p = step.pieces[i];
                const std::int64_t first = b.layout(p.first);
                b.mirror->fetch(b.base[static_cast<int>(p.space)] + first * b.width,
                                (b.layout(p.first + p.count) - first) * b.width);
            }
    }
    b.mirror->fetch_all();
}

}  // namespace

int execute_arriving(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w) {
    fetch(plan, b, w.step);
    if (!plan.channels.empty()) {
        b.mirror->wait_for_all();
        return run_channels(plan, b, at, w.staging, w.channels);
    }
    Arriving run(plan, b, at, w);
    if (!b.results) return run.steps(nullptr);
    LastWrites writes(plan);
    return run.steps(&writes);
}

}  // namespace hopbine::mpi
