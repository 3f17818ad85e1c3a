/// What hopbine keeps for a communicator: a private one to talk on, plans, decisions, scratch.
#pragma once
#include <mpi.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mpi/execute.hpp"
#include "mpi/plan.hpp"
#include "mpi/stats.hpp"

namespace hopbine::mpi {

/// What was decided for calls alike in collective, bytes, root and commutativity.
struct Decision {
    std::int64_t bytes = -1;
    int root = -1, generation = -1;
    bool commutes = true;
    const Plan* plan = nullptr;   ///< null: the MPI library serves
    StatRow* row = nullptr;       ///< null when no statistics are kept
    std::string served;           ///< "bine_large:segment=0", or "mpi"
};

class Communicator {
public:
    /// The state of `comm`, made at its first use (collective). Null when it cannot be kept.
    static Communicator* of(MPI_Comm comm);
    ~Communicator();

    int rank = 0, size = 1;
    Workspace workspace;

    /// Plan (or not) for a call. All ranks of the communicator come to the same decision.
    const Decision& decide(Collective c, std::int64_t bytes, int root, bool commutes);
    MPI_Comm private_comm() const { return private_; }

private:
    explicit Communicator(MPI_Comm comm);
    void agree();
    bool make_private();
    void make_order();
    const Plan* plan_for(const Algorithm& a, const Parameters& parameters, int root);
    void count(Decision& d, Collective c, std::int64_t bytes, const std::string& why, const Algorithm* a, const Parameters& parameters);

    MPI_Comm user_, private_ = MPI_COMM_NULL;
    bool agreed_ = false, private_tried_ = false;
    std::string unusable_;              ///< why every call passes through; empty: hopbine may serve
    std::vector<int> order_;            ///< renumbering: schedule rank v is rank order_[v]; empty: none
    Decision last_[kCollectives];
    std::map<std::string, std::unique_ptr<Plan>> plans_;
};

}  // namespace hopbine::mpi
