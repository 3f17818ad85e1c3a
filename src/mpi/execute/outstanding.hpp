/// Requests under way, each with a note of its purpose.
#pragma once
#include <mpi.h>

#include <vector>

#include "mpi/execute/endpoint.hpp"
#include "mpi/execute/wait.hpp"
#include "schedule/problem.hpp"

namespace hopbine::mpi {

/// Keeps its memory when it is cleared.
template <class Use>
class Outstanding {
public:
    bool empty() const { return requests_.empty(); }
    void clear() {
        requests_.clear();
        uses_.clear();
    }
    /// For functions that append requests. note() comes next.
    std::vector<MPI_Request>& requests() { return requests_; }
    /// Notes the purpose of the requests just appended. Returns their number.
    int note(const Use& use) {
        const std::size_t before = uses_.size();
        uses_.resize(requests_.size(), use);
        return static_cast<int>(uses_.size() - before);
    }
    /// Waits until at least one completes. f(its purpose, its error code) for each that has.
    template <class F>
    void wait_for_some(const Endpoint& at, const F& f) {
        int over = 0, kind = MPI_SUCCESS;
        over_.resize(requests_.size());
        statuses_.resize(requests_.size());
        const int e = mpi::wait_some(static_cast<int>(requests_.size()), requests_.data(), &over,
                                     over_.data(), statuses_.data(), at);
        PMPI_Error_class(e, &kind);
        if (kind != MPI_SUCCESS && kind != MPI_ERR_IN_STATUS) throw Error("MPI_Waitsome failed");
        for (std::size_t i = 0; i < static_cast<std::size_t>(over); ++i)
            f(uses_[static_cast<std::size_t>(over_[i])],
              kind == MPI_ERR_IN_STATUS ? statuses_[i].MPI_ERROR : MPI_SUCCESS);
        remove_completed();
    }

private:
    void remove_completed() {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < requests_.size(); ++i)
            if (requests_[i] != MPI_REQUEST_NULL) {
                requests_[kept] = requests_[i];
                uses_[kept++] = uses_[i];
            }
        requests_.resize(kept);
        uses_.resize(kept);
    }

    std::vector<MPI_Request> requests_;
    std::vector<Use> uses_;  ///< one for each request
    std::vector<int> over_;
    std::vector<MPI_Status> statuses_;
};

}  // namespace hopbine::mpi
