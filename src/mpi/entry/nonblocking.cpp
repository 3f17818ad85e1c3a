#include "mpi/entry/nonblocking.hpp"

#include <mutex>
#include <optional>
#include <utility>

#include "mpi/bind/bind_buffers.hpp"
#include "mpi/entry/arguments.hpp"
#include "mpi/entry/device_mirror.hpp"
#include "mpi/entry/direct.hpp"
#include "mpi/entry/drivers.hpp"
#include "mpi/entry/kept_arrays.hpp"
#include "mpi/entry/kept_handles.hpp"
#include "mpi/entry/library_call.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/entry/staged.hpp"
#include "mpi/entry/stand_in.hpp"
#include "mpi/execute/wait.hpp"
#include "mpi/progress/engine.hpp"
#include "mpi/progress/library_progress.hpp"
#include "mpi/progress/progress_thread.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/state/flight_timer.hpp"
#include "mpi/state/neighborhood.hpp"
#include "mpi/state/nonblocking.hpp"
#include "mpi/state/settings.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

/// The number of a stand-in, no multiple of kCallTags.each. Numbers that are given back are used
/// again: there are not more of them than tags.
class Number {
public:
    Number() {
        const std::lock_guard hold(lock_);
        if (free_.empty()) free_.push_back(kCallTags.first(made_++) + 1);
        value_ = free_.back();
        free_.pop_back();
    }
    Number(const Number&) = delete;
    Number& operator=(const Number&) = delete;
    ~Number() {
        const std::lock_guard hold(lock_);
        free_.push_back(value_);
    }
    operator int() const { return value_; }

private:
    static inline std::mutex lock_;
    static inline std::vector<int> free_;
    static inline int made_ = 0;
    int value_;
};

/// A nonblocking call from its start until its end. Kept for later calls: a stack and memory are
/// not made anew.
class NonblockingCall final : public Activity {
public:
    /// `known`: the validated arguments. Null: the MPI library refuses the call on this rank, which
    /// takes part in what all ranks decide together.
    /// `measured`: what blocking calls of the kind have.
    /// `request` is set when the call is suspended or has ended.
    void prepare(const Call& call, std::shared_ptr<Nonblocking> of, const Peers* peers,
                 const Arguments* known, std::shared_ptr<const select::Choice> measured,
                 MPI_Request* request) {
        call_ = call;
        request_ = request;
        stand_in_ = MPI_REQUEST_NULL;
        of_ = std::move(of);
        peers_ = peers;
        measured_ = std::move(measured);
        refused_ = !known;
        error_ = MPI_SUCCESS;
        row_ = nullptr;
        timer_.begin();
        if (known) {
            known_ = *known;
            key_ = known_to_all(call_, of_->choice(), known_);
            reduction_ = of_->choice().reduction();
            call_.device = direct_memory(call_, of_->choice());
            handles_.keep(call_, known_, reduction_);
            arrays_.keep(call_, of_->choice());
        }
        ticket_ = of_->take_ticket();
    }
    /// For a call on device memory that the MPI library serves: on copies.
    void prepare_staged(const StagedCall& staged, std::shared_ptr<Nonblocking> of,
                        MPI_Request* request) {
        staged_ = staged;
        call_ = staged.call;
        if (call_.neighbors) call_.neighbors = &staged_->neighbors;
        request_ = request;
        stand_in_ = MPI_REQUEST_NULL;
        of_ = std::move(of);
        refused_ = false;
        row_ = nullptr;
        served_by_ = select::kLibrary;
    }
    void run() noexcept override {
        if (staged_) return run_by_library();
        bool decided = false;
        try {
            of_->await_turn(ticket_, fiber);
            Endpoint at = of_->endpoint(ticket_, fiber);
            at.peers = peers_;
            const Served served = decide(at);
            of_->end_turn();
            decided = true;
            if (!refused_) error_ = serve(served, at);
        } catch (const std::exception& e) {
            error_ = error_class(e, call_.collective, "nonblocking ");
        }
        if (!decided) of_->end_turn();
        of_->end_call(ticket_);
    }

    void suspended() override;
    void ended() override;
    bool is_behind(MPI_Request request) const override { return stand_in_ == request; }
    bool ends_in_program() const override { return mpi::ends_in_program(error_); }

private:
    void run_by_library() noexcept {
        try {
            DeviceMirror mirror(call_, of_->choice().rank, of_->choice().size);
            MPI_Request request = MPI_REQUEST_NULL;
            error_ = call_library(mirror.arrived_call(), &request);
            if (error_ == MPI_SUCCESS) error_ = in_fiber::wait(&request, MPI_STATUS_IGNORE, fiber);
            error_ = mirror.finish(error_);
        } catch (const std::exception& e) {
            error_ = error_class(e, call_.collective, "nonblocking ");
        }
        staged_.reset();
    }

    Served decide(const Endpoint& at) {
        Communicator& choice = of_->choice();
        choice.count_over(at);
        if (call_.neighbors) return decide_among_neighbors(at);
        if (!call_.varies || !rooted(call_.collective))
            choice.prepare_choice(call_.collective, call_.root);
        if (refused_) return {};
        return choice.decide(call_.collective, key_.bytes, key_.root, key_.operands, measured_)
            .served;
    }

    Served decide_among_neighbors(const Endpoint& at) {
        Neighborhood& all = Neighborhood::of(of_->choice());
        if (all.prepare(at) != MPI_SUCCESS)
            throw Error("the ranks of a node could not tell each other their neighbours");
        return all.decide(call_.neighbor_blocks(), refused_ ? 0 : known_.bytes, at);
    }

    /// Keeps the communicator's plans while one of them runs.
    class PlanInUse {
    public:
        explicit PlanInUse(Communicator& choice) : choice_(choice) { ++choice_.using_plans; }
        PlanInUse(const PlanInUse&) = delete;
        PlanInUse& operator=(const PlanInUse&) = delete;
        ~PlanInUse() { --choice_.using_plans; }

    private:
        Communicator& choice_;
    };

    int serve(const Served& served, const Endpoint& at) {
        if (!served.plan) throw Error("no algorithm serves it");
        const PlanInUse in_use(of_->choice());
        served_by_ = served.by;
        row_ = served.row;
        const ServedCall f{call_,
                           of_->choice(),
                           *served.plan,
                           known_.send,
                           known_.recv,
                           reduction_,
                           at,
                           of_->workspace(ticket_),
                           of_->nonuniform(ticket_)};
        const bool copied = !call_.device && on_device(call_, of_->choice());
        const int error = copied ? run_mirrored(f) : mpi::run(f);
        return error != MPI_SUCCESS ? error : known_.error;
    }

    std::optional<StagedCall> staged_;
    Call call_{};
    Arguments known_;
    KnownToAll key_{};
    Reduction reduction_;
    KeptHandles handles_;
    KeptArrays arrays_;
    std::shared_ptr<Nonblocking> of_;
    const Peers* peers_ = nullptr;
    std::shared_ptr<const select::Choice> measured_;
    std::uint64_t ticket_ = 0;
    bool refused_ = false;
    const Number number_;             ///< of its stand-in
    MPI_Request* request_ = nullptr;  ///< the program's, until the call returns
    MPI_Request stand_in_ = MPI_REQUEST_NULL;
    int error_ = MPI_SUCCESS;
    const char* served_by_ = select::kLibrary;
    StatRow* row_ = nullptr;  ///< null when no statistics are kept
    FlightTimer timer_;
};

/// Calls that have ended, for later ones. Guarded by the lock: threads take and give them back.
class Pool {
public:
    NonblockingCall* take() {
        const std::lock_guard hold(lock_);
        if (free_.empty()) return new NonblockingCall;
        NonblockingCall* const out = free_.back();
        free_.pop_back();
        return out;
    }
    void give_back(NonblockingCall* call) {
        constexpr std::size_t kMost = 64;
        {
            const std::lock_guard hold(lock_);
            if (free_.size() < kMost) {
                free_.push_back(call);
                return;
            }
        }
        delete call;
    }
    static Pool& get() {
        static Pool& pool = *new Pool;  // for ever: what it has is not freed when the process ends
        return pool;
    }

private:
    std::mutex lock_;
    std::vector<NonblockingCall*> free_;
};

void NonblockingCall::suspended() {
    if (refused_) return;
    *request_ = stand_in_ = StandIn::begin(number_);
}

void NonblockingCall::ended() {
    handles_.release();
    note_served(served_by_);
    if (row_) timer_.end(*row_, of_->choice().rank, known_.bytes);
    const bool failed = error_ != MPI_SUCCESS;
    if (failed) raise_at_end(of_->choice().user(), error_);
    Engine::get().complete(*this, [&] {
        if (refused_) return;
        const bool returned = stand_in_ != MPI_REQUEST_NULL;
        if (failed && !returned) suspended();
        if (failed || returned)
            StandIn::complete(number_, failed);
        else
            *request_ = StandIn::ended();
    });
    of_.reset();
    Pool::get().give_back(this);
}

/// What blocking calls of the kind have measured.
std::shared_ptr<const select::Choice> measured_by_blocking(const Call& c, const Communicator& state,
                                                           const Communicator& choice,
                                                           const Arguments& known) {
    if (c.neighbors) return nullptr;
    const auto [bytes, root, operands] = known_to_all(c, choice, known);
    return state.measured(c.collective, bytes, operands);
}

/// Whether the MPI library serves the call, known at once and on all ranks.
bool passes(const Call& c, Communicator& choice, const Arguments& known) {
    const auto [bytes, root, operands] = known_to_all(c, choice, known);
    if (!choice.decides_at_once(c.collective, bytes, root, operands)) return false;
    const Served& served = choice.decide(c.collective, bytes, root, operands).served;
    if (served.plan) return false;
    if (served.row) row_here(served.row)->add(choice.rank, known.bytes, 0);
    return true;
}

/// The same for a neighbourhood collective, whose neighbours it sets. What blocking calls have
/// found is known on all ranks: they made the same calls before.
bool passes_among_neighbors(Call& c, Communicator& state, Communicator& choice) {
    const bool out = Neighborhood::of(state).library_only(c.neighbor_blocks());
    if (!out) c.neighbors = &Neighborhood::of(choice).mine();
    return out;
}

/// Counts a call that the MPI library serves for a reason that is no matter of choice.
void count_passed(const Call& c, const Communicator& state, const Arguments& known,
                  const char* why) {
    if (settings().stats.empty()) return;
    const int root = rooted(c.collective) ? c.root : -1;
    row_here(stat_row({state.size, called(c), Form::nonblocking, root,
                       select::size_class(known.bytes), select::kLibrary, "", "", why}))
        ->add(state.rank, known.bytes, 0);
}

/// The call as an activity of hopbine's algorithms; null: the MPI library serves it.
Activity* activity_of(Call c, Communicator& state, MPI_Request* request, bool* refused) {
    const std::shared_ptr<Nonblocking>& of = Nonblocking::of(state);
    Communicator& choice = of->choice();
    if (choice.unusable()) return nullptr;
    if (c.among_neighbors ? passes_among_neighbors(c, state, choice)
                          : settings().stats.empty() && choice.library_only(c.collective))
        return nullptr;
    Arguments known;
    const bool valid = examine(c, choice, &known);
    if (valid && needs_program(c, choice)) {
        count_passed(c, choice, known, kNeedsProgram);
        return nullptr;
    }
    std::shared_ptr<const select::Choice> measured;
    if (valid) measured = measured_by_blocking(c, state, choice, known);
    if (valid && !c.neighbors && !measured && passes(c, choice, known)) return nullptr;
    NonblockingCall* const call = Pool::get().take();
    *refused = !valid;
    call->prepare(c, of, peers_of(state), valid ? &known : nullptr, std::move(measured), request);
    return call;
}

/// A call on device memory that the MPI library serves, as an activity; null: it serves the call as
/// it is.
Activity* staged_activity_of(const Call& c, Communicator& state, MPI_Request* request) {
    const std::shared_ptr<Nonblocking>& of = Nonblocking::of(state);
    StagedCall staged;
    if (!staged.prepare(c, of->choice())) return nullptr;
    NonblockingCall* const call = Pool::get().take();
    call->prepare_staged(staged, of, request);
    return call;
}

/// Counts a call where the MPI library serves all nonblocking ones.
void count_unserved(Call c) {
    if (settings().stats.empty()) return;
    Communicator* const state = Communicator::of(c.comm);
    if (!state || state->unusable()) return;
    if (c.among_neighbors) c.neighbors = &Neighborhood::of(*state).mine();
    Arguments known;
    if (examine(c, *state, &known))
        count_passed(c, *state, known, calls_progress() ? kDeviceLoaded : kNoProgress);
}

int start_unguarded(const Call& c, MPI_Request* request) {
    if (!World::alive() || c.comm == MPI_COMM_NULL || !request) return kPass;
    if (!calls_progress() || (World::get().device_loaded() && !settings().staged)) {
        count_unserved(c);
        return kPass;
    }
    Communicator* const state = Communicator::of(c.comm);
    if (!state || (state->unusable() && !settings().staged)) return kPass;
    bool refused = false;
    const bool started = Engine::get().start([&] {
        Activity* const own = activity_of(c, *state, request, &refused);
        return own ? own : staged_activity_of(c, *state, request);
    });
    if (started && !refused) return MPI_SUCCESS;
    note_served(select::kLibrary);
    return kPass;
}

}  // namespace

int start(const Call& c, MPI_Request* request) {
    try {
        return start_unguarded(c, request);
    } catch (const std::exception& e) {
        return raise_later(c.comm, error_class(e, c.collective, "nonblocking "));
    }
}

/// Keeps a call under way from being cancelled, which MPI forbids. The MPI library would cancel its
/// stand-in.
extern "C" __attribute__((visibility("default"))) int hopbine_MPI_Cancel(MPI_Request* request) {
    return request && Engine::get().has(*request) ? MPI_SUCCESS : kPass;
}

void end_nonblocking() {
    Engine::get().finish();
    ProgressThread::get().end();
    end_library_progress();
}

}  // namespace hopbine::mpi
