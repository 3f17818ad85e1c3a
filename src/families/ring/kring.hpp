/// k-ring (Wilkins et al. CLUSTER'23, Sec. V): rings inside groups of ranks, and a ring of the
/// groups.
#pragma once
#include "schedule/placement.hpp"
#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace hopbine {

/// The groups of a k-ring and the order in which data goes round them.
struct Rings {
    Units groups;
    std::vector<int> order;  ///< of the groups
    int rounds = 0;          ///< inside a group: its ranks less one, those of the largest

    /// "k" consecutive ranks each, the last group maybe fewer; where k is 0 the ranks of each node,
    /// and nodes of one group of nodes after one another (without a placement all ranks). Rank v
    /// here is rank v + first of the problem, mod p.
    static Rings of(const Problem& q, int first = 0);
    /// g (k - 1) inside and g - 1 between groups (eq. 11).
    int steps() const { return static_cast<int>(order.size()) * (rounds + 1) - 1; }
};

/// Each group passes what one group contributed from rank to rank, then hands it on to the next
/// group.
SchedulePtr kring_allgather(Rings rings);

}  // namespace hopbine
