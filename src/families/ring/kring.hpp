/// k-ring (Wilkins et al. CLUSTER'23, Sec. V): rings inside groups of ranks, and a ring of groups.
#pragma once
#include "schedule/placement.hpp"
#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace hopbine {

/// Groups of a k-ring, and their order on the ring of groups.
struct Rings {
    Units groups;
    std::vector<int> order;  ///< groups in ring order
    int rounds = 0;          ///< steps inside a group: the ranks of the largest group less one

    /// Groups of "k" consecutive ranks, the last one possibly smaller. For k = 0 the ranks of each
    /// node, with nodes of one group of nodes next to each other (all ranks without a placement).
    /// Rank v here is rank v + first (mod p) of the problem.
    static Rings of(const Problem& q, int first = 0);
    /// g (k - 1) steps inside groups and g - 1 between them (eq. 11).
    int steps() const { return static_cast<int>(order.size()) * (rounds + 1) - 1; }
};

/// Allgather: a group passes the blocks of one group around its ring. It then forwards them to the
/// next group.
SchedulePtr kring_allgather(Rings rings);

}  // namespace hopbine
