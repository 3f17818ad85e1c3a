#include "mpi/requests/nonblocking_call.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "mpi/arguments/library_call.hpp"
#include "mpi/device/device_mirror.hpp"
#include "mpi/device/device_use.hpp"
#include "mpi/execute/messages.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/state/passing.hpp"

namespace hopbine::mpi {

namespace {

/// What is not in use, for later calls. Changed by the thread that is inside of the engine, and
/// never freed: a thread may outlive main().
struct Unused {
    std::vector<NonblockingCall*> calls;
    std::vector<int> numbers;  ///< of stand-ins
    int made = 0;              ///< numbers

    static Unused& get() {
        static Unused& one = *new Unused;
        return one;
    }
    /// There are not more numbers than tags.
    int take_number() {
        if (numbers.empty()) return kCallTags.first(made++) + 1;
        const int out = numbers.back();
        numbers.pop_back();
        return out;
    }
};

/// Keeps the communicator's plans while one of them runs.
class PlanInUse {
public:
    explicit PlanInUse(Communicator& choice) : choice_(choice) { ++choice_.plans.in_use; }
    PlanInUse(const PlanInUse&) = delete;
    PlanInUse& operator=(const PlanInUse&) = delete;
    ~PlanInUse() { --choice_.plans.in_use; }

private:
    Communicator& choice_;
};

}  // namespace

NonblockingCall::NonblockingCall() : number_(Unused::get().take_number()) {}
NonblockingCall::~NonblockingCall() { Unused::get().numbers.push_back(number_); }

NonblockingCall& NonblockingCall::take() {
    std::vector<NonblockingCall*>& unused = Unused::get().calls;
    if (unused.empty()) return *new NonblockingCall;
    NonblockingCall* const out = unused.back();
    unused.pop_back();
    return *out;
}

void NonblockingCall::prepare(const Call& call, std::shared_ptr<Nonblocking> of, const Peers* peers,
                              const Examined& found, std::shared_ptr<const select::Choice> measured,
                              MPI_Request* request) {
    call_ = call;
    call_.neighbors = found.neighbors;
    request_ = request;
    stand_in_ = MPI_REQUEST_NULL;
    of_ = std::move(of);
    peers_ = peers;
    measured_ = std::move(measured);
    error_ = MPI_SUCCESS;
    row_ = nullptr;
    timer_.begin(hopbine_caller);
    known_ = found.known;
    key_ = found.key;
    reduction_ = found.reduction;
    call_.device = direct_memory(call_, of_->choice(), known_.bytes);
    handles_.keep(call_, known_, reduction_);
    arrays_.keep(call_, of_->choice());
    ticket_ = of_->take_ticket();
}

void NonblockingCall::prepare_staged(const StagedCall& staged, std::shared_ptr<Nonblocking> of,
                                     MPI_Request* request) {
    staged_ = staged;
    call_ = staged.call;
    if (call_.neighbors) call_.neighbors = &staged_->neighbors;
    request_ = request;
    stand_in_ = MPI_REQUEST_NULL;
    of_ = std::move(of);
    row_ = nullptr;
    served_by_ = select::kLibrary;
}

void NonblockingCall::set_sum(std::unique_ptr<LaterSum> sum) {
    sum_ = std::move(sum);
    if (sum_ && !staged_) sum_->ask_for_window();
}

void NonblockingCall::run() noexcept {
    error_ = run_as_sum(sum_.get(), of_->choice(), [this] {
        staged_ ? run_by_library() : run_in_turn();
        return error_;
    });
    sum_.reset();
}

void NonblockingCall::run_in_turn() noexcept {
    bool decided = false;
    try {
        of_->await_turn(ticket_, fiber);
        Endpoint at = of_->endpoint(ticket_, fiber);
        at.carry_by(peers_);
        if (sum_ && sum_->asks_for_window()) error_ = agree_on_window(at);
        const Served served = decide(at);
        if (fits_mailboxes(call_, key_)) at.carry_by(of_->mailboxes());
        of_->end_turn();
        decided = true;
        const int error = serve(served, at);
        if (error_ == MPI_SUCCESS) error_ = error;
    } catch (const std::exception& e) {
        error_ = error_class(e, call_.collective, "nonblocking ");
    }
    if (!decided) of_->end_turn();
    of_->end_call(ticket_);
}

void NonblockingCall::run_by_library() noexcept {
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

/// The ranks tell one another the bits that their numbers need, by an allreduce in this call's
/// lane; the words are made then. It holds the turn meanwhile, as other decisions that take
/// messages do, so that all ranks make these in one order. Returns an MPI error code.
int NonblockingCall::agree_on_window(const Endpoint& at) {
    Communicator& choice = of_->choice();
    const sums::Range r = sum_->range();
    const std::int64_t mine[3] = {-r.low, r.end, r.special};
    std::int64_t most[3] = {};
    const Call call{.collective = Collective::allreduce,
                    .send = mine,
                    .recv = most,
                    .recv_count = 3,
                    .recv_type = MPI_INT64_T,
                    .op = MPI_MAX,
                    .comm = call_.comm};
    Arguments known;
    if (!examine(call, choice, &known)) throw Error("a window cannot be agreed on");
    const Reduction reduction = choice.reduction();
    const KnownToAll key = known_to_all(call, choice, known);
    choice.count_over(at);
    const Served served =
        choice.decider.decide(call.collective, key.bytes, key.root, key.operands).served;
    int error = MPI_SUCCESS;
    if (served.plan) {
        const PlanInUse in_use(choice);
        error = mpi::run({call, choice, *served.plan, known.send, known.recv, reduction, at,
                          of_->workspace(ticket_), of_->nonuniform(ticket_)});
        sum_->use_window({static_cast<int>(-most[0]), static_cast<int>(most[1]), most[2] != 0});
        take_words();
    }
    if (served.plan && decide(at).plan) return error;
    sum_->use_all_values();  // no algorithm serves so few words
    take_words();
    return error;
}

/// The call is on the words that the sum has now.
void NonblockingCall::take_words() {
    Communicator& choice = of_->choice();
    call_ = sum_->call();
    if (!examine(call_, choice, &known_)) throw Error("its words cannot be added");
    key_ = known_to_all(call_, choice, known_);
    arrays_.keep(call_, choice);
}

Served NonblockingCall::decide(const Endpoint& at) {
    Communicator& choice = of_->choice();
    choice.count_over(at);
    if (call_.neighbors) {
        choice.neighborhood().prepare();
        return choice.neighborhood().decide(call_.neighbor_blocks(), known_.bytes);
    }
    return choice.decider.decide(call_.collective, key_.bytes, key_.root, key_.operands, measured_)
        .served;
}

int NonblockingCall::serve(const Served& served, const Endpoint& at) {
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
    if (call_.varies && row_) row_->extra = std::max<std::int64_t>(row_->extra, f.nonuniform.peak);
    return error != MPI_SUCCESS ? error : known_.error;
}

void NonblockingCall::suspended() { *request_ = stand_in_ = StandIn::begin(number_); }

void NonblockingCall::ended() {
    constexpr std::size_t kMostUnused = 64;
    handles_.release();
    note_served(served_by_);
    if (row_) timer_.end(*row_, of_->choice().rank, known_.bytes);
    const bool failed = error_ != MPI_SUCCESS;
    if (failed) raise_at_end(of_->choice().user(), error_);
    const std::shared_ptr<Nonblocking> of = std::move(of_);  // may free a communicator at the end
    Engine::get().complete(*this, [&] {
        const bool returned = stand_in_ != MPI_REQUEST_NULL;
        if (failed && !returned) suspended();
        if (failed || returned)
            StandIn::complete(number_, failed);
        else
            *request_ = StandIn::ended();
        if (Unused::get().calls.size() < kMostUnused)
            Unused::get().calls.push_back(this);
        else
            delete this;
    });
}

}  // namespace hopbine::mpi
