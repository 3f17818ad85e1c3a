/// A persistent collective call that hopbine serves.
#pragma once
#include <memory>
#include <mutex>
#include <optional>

#include "mpi/arguments/arguments.hpp"
#include "mpi/arguments/kept.hpp"
#include "mpi/bind/bind_buffers.hpp"
#include "mpi/device/node_request.hpp"
#include "mpi/progress/engine.hpp"
#include "mpi/requests/drivers.hpp"
#include "mpi/requests/stand_in.hpp"
#include "mpi/state/tag_space.hpp"
#include "mpi/sums/later_sum.hpp"
#include "statistics/wait_clock.hpp"

namespace hopbine::mpi {

/// From MPI_..._init to MPI_Request_free. It has tags of its own: ranks may start several in
/// different orders (MPI 4.1, Sec. 6.13).
class PersistentCall final : public Activity {
public:
    /// `sum`: the call is on words of it; null: it is the program's.
    PersistentCall(const Call& call, std::shared_ptr<Communicator> state,
                   std::unique_ptr<LaterSum> sum);

    /// Exchanges tags with the other ranks. Collective. False, on all ranks: none are left.
    /// `peers`: of the program's communicator.
    bool open(const Peers* peers);
    const Endpoint& endpoint() const { return at_; }
    /// Sends by mailboxes, if the ranks have them. Collective.
    void use_mailboxes();
    /// Binds the validated call to the plan that serves it. Keeps copies of its counts and
    /// displacements. Collective. Returns an MPI error code, the same on all ranks.
    int bind(const Arguments& known, const Served& served);

    /// Has the devices of a node make it, if they can. After bind(). `user`: of the program's
    /// communicator; `bytes`: that all ranks know. Collective.
    void use_kernels(Communicator& user, std::int64_t bytes);

    MPI_Request handle() const { return stand_in_->handle(); }
    /// Returns an MPI error code: MPI_ERR_REQUEST where it is under way.
    int start();
    /// Deletes it, or lets it be deleted at its end. The handle is left to the MPI library.
    void give_up();
    MPI_Comm user() const { return state_->user(); }

    void run() noexcept override;
    bool is_behind(MPI_Request request) const override { return handle() == request; }
    bool ends_in_program() const override { return mpi::ends_in_program(error_); }
    void ended() override;

private:
    ServedCall served(const Endpoint& at);
    int run_plan() noexcept;

    std::unique_ptr<LaterSum> sum_;
    Call call_;
    std::shared_ptr<Communicator> state_;
    Arguments known_;
    Reduction reduction_;
    KeptHandles handles_;
    KeptArrays arrays_;
    std::optional<Plan> plan_;  ///< a copy: those of a communicator may be dropped
    TagSpace tags_;
    Endpoint at_;
    Workspace workspace_;
    NonuniformWorkspace nonuniform_;
    bool copied_ = false;  ///< a buffer is on a device that does not work on it
    std::optional<ServedCall> on_kernels_;
    std::unique_ptr<NodeRequest> kernels_;  ///< null: the plan serves
    std::optional<StandIn> stand_in_;

    const char* served_by_ = select::kLibrary;
    StatRow* row_ = nullptr;  ///< null when no statistics are kept
    FlightTimer timer_;
    int error_ = MPI_SUCCESS;
    std::mutex lock_;
    bool active_ = false, freed_ = false;  ///< guarded by the lock
};

// hopbine_alltoallv_init by the MPI library's own MPI_Alltoallv_init, where its progress cannot
// call hopbine.
/// Makes the library's request. It has copies of the counts and displacements. Returns an MPI error
/// code.
int make_library_alltoallv(const Call& call, MPI_Request* request);
/// Frees what belongs to a request that is being freed.
void forget_library_alltoallv(MPI_Request request);
/// Whether there are such requests.
bool any_library_alltoallv();

}  // namespace hopbine::mpi
