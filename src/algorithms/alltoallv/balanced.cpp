// Group-balanced: in every exchange the messages of a group go to all groups in proportion, so that
// no link between groups is idle while another is full. At most a batch is in flight.
#include "families/exchange/direct_alltoall.hpp"

namespace hopbine::registered {

Algorithm alltoallv_balanced{
    .collective = Collective::alltoallv,
    .name = "balanced",
    .summary = "one message to each rank, every exchange spread over all groups",
    .paper = "hopbine",
    .section = "docs/rivals",
    .parameters = {direct_alltoall::throttle(8)},
    .follows_placement = true,
    .note = "any p, groups of any sizes; in one group the shifts of scattered",
    .claim = direct_alltoall::balanced_claim,
    .make = direct_alltoall::balanced,
};

}  // namespace hopbine::registered
