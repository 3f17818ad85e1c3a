/// Binds a call's buffers to its plan: packs what is sent, unpacks what is received.
#pragma once
#include "mpi/execute/call.hpp"
#include "mpi/execute/datatype.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// A call that hopbine serves: its plan, and its datatypes as looked up.
struct ServedCall {
    const Call& call;
    Communicator& state;
    const Plan& plan;
    Type send, recv;  ///< as significant at this rank
    const Reduction& reduction;
    const Endpoint& endpoint;
    Workspace& workspace;
    NonuniformWorkspace& nonuniform;
    MemoryWork* device = nullptr;  ///< works on the buffers; null: the CPU does
    Mirror* mirror = nullptr;      ///< has some of the buffers; null: they are all here

    const Steps& steps() const { return plan.steps(); }
    /// What the plan runs on, without its buffers.
    Binding binding() const {
        Binding b;
        b.device = device;
        b.layout.within = steps().parts;
        return b;
    }
};

/// Whether what a plan writes last is a result in its place.
enum class Results : std::uint8_t { in_place, elsewhere };

/// Runs the call's plan on buffers that are bound. Returns an MPI error code.
int run_steps(const ServedCall& f, Binding& b, Results results);

// Run the plan on the user's buffers. Return an MPI error code.
/// Blocks are of one size.
int gather_or_scatter(const ServedCall& f);
int alltoall(const ServedCall& f);
/// Only both ends know the sizes of blocks.
int alltoallv(const ServedCall& f);
int gatherv(const ServedCall& f);
int neighbors(const ServedCall& f);

/// Prepares a call that is repeated with the same counts: its messages will have no headers.
/// Collective. Returns an MPI error code: MPI_ERR_TRUNCATE, on all ranks, when the counts of two
/// disagree.
int learn_sizes(const ServedCall& f);

// Validate this rank's arguments of a call whose block sizes only both ends know. False: the MPI
// library reports the error. They look up the datatypes that are significant here and set `bytes`
// to what this rank sends.
bool valid_alltoallv(const Call& call, int p, Type* send, Type* recv, std::int64_t* bytes);
bool valid_gatherv(const Call& call, int rank, int p, Type* send, Type* recv, std::int64_t* bytes);
bool valid_neighbors(const Call& call, Type* send, Type* recv, std::int64_t* bytes);

/// Runs the plan for the call. Returns an MPI error code.
int run(const ServedCall& f);

}  // namespace hopbine::mpi
