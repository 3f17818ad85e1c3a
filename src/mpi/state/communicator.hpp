/// State of a communicator of the program: its ranks, the choice and the plans of their calls, and
/// the memory that these use.
#pragma once
#include <mpi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "choice/decider.hpp"
#include "choice/learning.hpp"
#include "choice/neighborhood.hpp"
#include "choice/plan_cache.hpp"
#include "mpi/alltoallv/nonuniform.hpp"
#include "mpi/execute/execute.hpp"
#include "mpi/state/group.hpp"
#include "statistics/arrivals.hpp"
#include "sums/sum_state.hpp"

namespace hopbine::mpi {

class FirstCalls;
class NodeGroup;
class Nonblocking;

class Communicator : public Group {
public:
    /// The state of `comm`, made at its first use without communication. Null when it cannot be
    /// kept, and while this thread frees the communicator.
    static Communicator* of(MPI_Comm comm);
    /// The state, or one for this rank alone as long as there is none: the other ranks count first
    /// calls (at_call()). Knows the ranks and examines arguments; never opened.
    static Communicator* aside(MPI_Comm comm);
    /// What is known of a communicator at a collective call.
    struct AtCall {
        Communicator* state = nullptr;  ///< null, with first_calls: the library serves the call
        /// That the call is one of, where it need not be looked at or, with a state, is to be.
        FirstCalls* first_calls = nullptr;
    };
    /// The state of `comm` at a collective call, or its first calls. One with a topology has cost
    /// more than a state takes, and lasts.
    static AtCall at_call(MPI_Comm comm, bool among_neighbors);
    /// Has a communicator for a call, where threads may call at once. MPI forbids that two are in
    /// collective calls of one communicator, but a program that is wrong is not to be ended by what
    /// both would change. Without a mutex: one thread calls at a time, or nothing is kept.
    static std::unique_lock<std::recursive_mutex> among_threads(MPI_Comm comm);
    /// This thread frees the communicator until end_free(): callbacks that delete its attributes
    /// may call collectives on it.
    static void begin_free(MPI_Comm comm);
    static void end_free();
    /// Frees the states of all communicators; called before MPI is finalized.
    static void end_all();
    ~Communicator();
    /// Changes when a communicator is freed or the rules change. Until then a handle means the same
    /// communicator, and its calls are served the same way. Acquired before what it holds for, and
    /// released when that changes.
    static std::atomic<unsigned> generation;
    /// A generation of handles of datatypes and operations that the program has made: changes when
    /// it frees one, too.
    static std::atomic<unsigned> generation_of_handles;
    /// Both change.
    static void expire() {
        ++generation;
        ++generation_of_handles;
    }

    /// Has the devices of each node's ranks make collectives from now on, if there is a group. The
    /// ranks of each place on all nodes do what is left within such calls: nothing is learned of
    /// that.
    void have_devices(std::shared_ptr<NodeGroup> group);
    /// A state of the same ranks for their nonblocking or persistent calls, without tags of its
    /// own. It shares no knowledge with others, since ranks may make those calls on several
    /// communicators in different orders, and nothing is measured. Where it counts hopbine always
    /// serves nonblocking calls: one rank may learn that the library is faster after others have
    /// started the call by hopbine.
    std::unique_ptr<Communicator> for_form(Form form) const;
    /// The state for persistent calls, made at their first. It may outlive this one.
    const std::shared_ptr<Communicator>& for_persistent();

    /// What serves its neighbourhood collectives in this form, made at the first.
    Neighborhood& neighborhood();
    /// What exact sums keep, made by the first.
    sums::SumState& sums();
    /// describe(op, type), cached for the last predefined pair.
    const Reduction& find_reduction(MPI_Op op, const Type& type);
    bool join_devices() override;
    /// The reduction of the current call.
    const Reduction& reduction() const { return reduction_; }

    PlanCache plans;
    Decider decider;
    Learning learning;
    Workspace workspace;
    NonuniformWorkspace nonuniform;
    std::shared_ptr<NodeGroup> node_group;  ///< null: its devices make no collective by themselves
    std::unique_ptr<Communicator> between_nodes;  ///< of this place; null: there is one node
    bool workspace_told = false;  ///< the other ranks know this rank's (peer_agreement.cpp)
    std::shared_ptr<Nonblocking> nonblocking_calls;  ///< made by the first of them
    std::optional<Mailboxes*> mailboxes;  ///< of persistent calls, set by the first that fits
    std::optional<Arrivals*> arrivals;    ///< of blocking calls, set where statistics take times

private:
    explicit Communicator(MPI_Comm comm);
    Communicator(const Communicator& other, Form form);
    Communicator(const Communicator& of, std::span<const int> ranks);
    static bool library_serves_first_calls();

    std::shared_ptr<Communicator> persistent_;
    std::unique_ptr<sums::SumState> sums_;
    std::unique_ptr<Neighborhood> neighborhood_;
    Reduction reduction_;
};

}  // namespace hopbine::mpi
