// k-ring: rings inside groups of ranks, and a ring of groups (Sec. V-C, Fig. 6).
#include "families/ring/kring.hpp"

#include "families/claims.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm allgather_kring{
    .collective = Collective::allgather,
    .name = "kring",
    .summary = "ring of rings",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "V",
    .parameters = {radix::of_ring},
    .follows_placement = true,
    .note = "groups may differ in size; the smaller wait for the largest",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, Rings::of(q).steps()); },
    .make = [](const Problem& q) { return kring_allgather(Rings::of(q)); },
};

}  // namespace hopbine::registered
