#include "mpi/requests/persistent_call.hpp"

#include <algorithm>
#include <utility>

#include "mpi/bind/bind_buffers.hpp"
#include "mpi/device/device_mirror.hpp"
#include "mpi/device/device_use.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/state/passing.hpp"
#include "mpi/state/shared_mailboxes.hpp"

namespace hopbine::mpi {

PersistentCall::PersistentCall(const Call& call, std::shared_ptr<Communicator> state,
                               std::unique_ptr<LaterSum> sum)
    : sum_(std::move(sum)), call_(call), state_(std::move(state)) {}

bool PersistentCall::open(const Peers* peers) {
    int most = 0;
    if (!tags_.open(state_->user(), state_->size, &most)) return false;
    at_ = state_->endpoint(tags_);
    at_.carry_by(peers);
    return true;
}

void PersistentCall::use_mailboxes() {
    std::optional<Mailboxes*>& all = state_->mailboxes;
    if (!all) all = agree_on_mailboxes(*state_, at_);
    at_.carry_by(*all);
}

int PersistentCall::bind(const Arguments& known, const Served& by) {
    known_ = known;
    reduction_ = state_->reduction();
    plan_ = *by.plan;
    served_by_ = by.by;
    row_ = by.row;
    call_.device = direct_memory(call_, *state_, known_.bytes);
    copied_ = !call_.device && on_device(call_, *state_);
    arrays_.keep(call_, *state_);
    handles_.keep(call_, known_, reduction_);
    if (call_.neighbors || call_.collective == Collective::alltoallv) {
        const int error = learn_sizes(served(at_));
        if (error != MPI_SUCCESS) return error;
    }
    stand_in_.emplace(tags_.tag());
    return MPI_SUCCESS;
}

void PersistentCall::use_kernels(Communicator& user, std::int64_t bytes) {
    on_kernels_.emplace(served(at_));
    kernels_ = NodeRequest::make(*on_kernels_, user);
    if (!kernels_) return;
    Chosen kernels{{plan_->algorithm, {}, "GPU memory", true, {}}};
    kernels.by_devices = true;
    const Served by =
        state_->decider.serve(std::move(kernels), call_.collective, bytes, call_.root);
    served_by_ = by.by;
    row_ = by.row;
}

int PersistentCall::start() {
    {
        const LockAmongThreads hold(lock_);
        if (active_) return MPI_ERR_REQUEST;
        active_ = true;
    }
    error_ = stand_in_->start();
    if (error_ != MPI_SUCCESS) {
        const LockAmongThreads hold(lock_);
        active_ = false;
        return error_;
    }
    timer_.begin(hopbine_caller);
    Engine::get().start([this] { return this; });
    return MPI_SUCCESS;
}

ServedCall PersistentCall::served(const Endpoint& at) {
    return {call_,      *state_, *plan_,     known_.send, known_.recv,
            reduction_, at,      workspace_, nonuniform_};
}

void PersistentCall::run() noexcept {
    error_ = run_as_sum(sum_.get(), *state_, [this] { return run_plan(); });
}

int PersistentCall::run_plan() noexcept {
    Endpoint at = at_;
    at.fiber = &fiber;
    try {
        const int error = kernels_  ? kernels_->run(fiber)
                          : copied_ ? run_mirrored(served(at))
                                    : mpi::run(served(at));
        return error != MPI_SUCCESS ? error : known_.error;
    } catch (const std::exception& e) {
        return error_class(e, call_.collective, "persistent ");
    }
}

void PersistentCall::ended() {
    note_served(served_by_);
    if (row_) {
        StatRow& row = timer_.end(*row_, state_->rank, known_.bytes);
        if (call_.varies) row.extra = std::max<std::int64_t>(row.extra, nonuniform_.peak);
    }
    const bool failed = error_ != MPI_SUCCESS;
    if (failed) raise_at_end(state_->user(), error_);
    bool freed = false;
    Engine::get().complete(*this, [&] {
        const int number = stand_in_->number();
        {
            const LockAmongThreads hold(lock_);
            active_ = false;
            freed = freed_;
        }
        StandIn::complete(number, failed);
    });
    if (freed) delete this;  // else it may be started or freed by now
}

void PersistentCall::give_up() {
    {
        const LockAmongThreads hold(lock_);
        freed_ = true;
        if (active_) return;
    }
    delete this;
}

}  // namespace hopbine::mpi
