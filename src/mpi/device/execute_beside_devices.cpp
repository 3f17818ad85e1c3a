// Runs plans in host memory, of calls that have to do with devices.
#include "mpi/device/peer_steps.hpp"
#include "runtime/last_writes.hpp"

namespace hopbine::mpi {

namespace {

/// Each step waits for what it reads and writes.
class Arriving : public PeerSteps<Arriving> {
public:
    using PeerSteps::PeerSteps;

    /// Begins copies from the device, those first that the first steps read or write.
    void fetch() {
        for (std::size_t s = 0, all = b_.own ? 0 : plan_.step_count(); s < all; ++s)
            each_piece(plan_.step(s, w_.step), [&](const Piece& p, std::int64_t bytes) {
                b_.mirror->fetch(address(p), bytes);
            });
        b_.mirror->fetch_all();
    }
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
    /// f(piece, its bytes) for what the step reads and writes.
    template <class F>
    void each_piece(const StepView& now, const F& f) {
        for (const Message* m = now.begin; m != now.end; ++m)
            for (std::uint32_t i = m->begin; i < m->end; ++i)
                f(now.pieces[i], elements(now.pieces[i]) * b_.width);
    }
    void await_arrival(const StepView& now, bool direct) {
        each_piece(now, [&](const Piece& p, std::int64_t bytes) {
            b_.mirror->wait_for(address(p), bytes);
            if (direct) b_.mirror->wait_for(b_.own + b_.layout(p.first) * b_.width, bytes);
        });
    }
    /// Lets the mirror copy what is final.
    void store(LastWrites& writes, const StepView& now, std::size_t s) {
        writes.ended(now, s, [this](const Piece& p) {
            b_.mirror->store(address(p), elements(p) * b_.width);
        });
    }
};

class BesidePeers : public PeerSteps<BesidePeers> {
public:
    using PeerSteps::PeerSteps;
};

}  // namespace

int execute_arriving(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w) {
    Arriving run(plan, b, at, w);
    run.fetch();
    if (!b.results) return run.steps(nullptr);
    LastWrites writes(plan);
    return run.steps(&writes);
}

int execute_beside_peers(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w) {
    return BesidePeers(plan, b, at, w).steps();
}

}  // namespace hopbine::mpi
