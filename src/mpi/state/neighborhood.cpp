#include "mpi/state/neighborhood.hpp"

#include <algorithm>

#include "mpi/execute/dissemination.hpp"
#include "mpi/execute/try.hpp"
#include "mpi/neighborhood/gather.hpp"
#include "mpi/neighborhood/topology.hpp"
#include "mpi/state/settings.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

using select::NeighborMode;

std::size_t index(NeighborBlocks blocks) { return static_cast<std::size_t>(blocks); }

/// What stands for joined messages among the arms of trials. It is no row of the registry, whose
/// algorithms depend on the number of ranks alone.
const Algorithm kJoined{.collective = Collective::alltoallv, .name = "joined"};

}  // namespace

const char* name(NeighborBlocks blocks) {
    return blocks == NeighborBlocks::each ? "neighbor_alltoallv" : "neighbor_allgather";
}

Neighborhood::Neighborhood(Communicator& of)
    : of_(of), nodes_(of.nodes()), exists_(read_topology(of.user(), &mine_)) {
    can_join_ = nodes_.count() > 1 && nodes_.count() < of.size;
    for (int n = 0; n < nodes_.count(); ++n)
        for (select::NeighborLoads& l : most_)
            l.ranks_per_node = std::max<std::int64_t>(l.ranks_per_node, nodes_.size(n));
}

Neighborhood& Neighborhood::of(Communicator& state) {
    if (!state.neighborhood) state.neighborhood = std::make_shared<Neighborhood>(state);
    return *state.neighborhood;
}

NeighborMode Neighborhood::asked(NeighborBlocks blocks) const {
    const select::NeighborModes& modes = settings().asked.neighbors;
    return blocks == NeighborBlocks::each ? modes.alltoallv : modes.allgather;
}

bool Neighborhood::library_only(NeighborBlocks blocks) const {
    const NeighborMode mode = asked(blocks);
    if (!exists_ || mode == NeighborMode::library) return true;
    if (mode != NeighborMode::automatic) return false;
    return !can_join_ || !settings().counts || (prepared() && !any_joined_[index(blocks)]);
}

const NeighborPlan& Neighborhood::plan(NeighborBlocks blocks, Joined joined) {
    const auto [at, fresh] = plans_.try_emplace({blocks, joined});
    const select::LinkCosts& net = settings().network;
    if (fresh)
        at->second = make_neighbor_plan(of_.rank, nodes_, lists_, blocks, [&](const PairCount& c) {
            return joined == Joined::all
                       ? c.messages > 1
                       : joined == Joined::counted &&
                             select::joins(c.messages, c.sources, c.destinations, net);
        });
    return at->second;
}

int Neighborhood::prepare(const Endpoint& at) {
    if (prepared()) return MPI_SUCCESS;
    std::vector<Neighbors> lists;
    HOPBINE_TRY(gather_neighbors(mine_, of_.rank, nodes_.members(nodes_.of(of_.rank)), at, &lists));
    lists_ = std::move(lists);
    const NeighborCount each = plan(NeighborBlocks::each, Joined::counted).count,
                        same = plan(NeighborBlocks::same, Joined::counted).count;
    std::array<std::int64_t, 8> most{each.direct, each.between, each.hops, each.joined,
                                     same.direct, same.between, same.hops, same.joined};
    HOPBINE_TRY(most_of_all(most, of_.rank, of_.size, kDataChannel, at));
    for (std::size_t b = 0; b < most_.size(); ++b) {
        most_[b].direct = most[4 * b];
        most_[b].between = most[4 * b + 1];
        most_[b].hops = most[4 * b + 2];
        any_joined_[b] = most[4 * b + 3] > 0;
    }
    return MPI_SUCCESS;
}

/// Rounded up to a power of two: calls of one size class are decided alike.
std::int64_t Neighborhood::agreed(NeighborBlocks blocks, std::int64_t bytes, const Endpoint& at) {
    MaxBytesEstimate& estimate = estimates_[index(blocks)];
    const std::int64_t most = estimate.begin(bytes, [&](std::int64_t own) {
        std::array<std::int64_t, 1> all{own};
        most_of_all(all, of_.rank, of_.size, kDataChannel, at);
        return all[0];
    });
    estimate.end();
    return select::sizes_of(select::size_class(most)).high;
}

bool Neighborhood::joins_pay(NeighborBlocks blocks, std::int64_t bytes) const {
    const select::NeighborLoads& loads = most_[index(blocks)];
    const select::LinkCosts& net = settings().network;
    return any_joined_[index(blocks)] &&
           select::joined_seconds(loads, net, static_cast<double>(bytes),
                                  blocks == NeighborBlocks::same) <
               select::direct_seconds(loads, net, static_cast<double>(bytes));
}

std::string Neighborhood::counted(NeighborBlocks blocks) const {
    const select::NeighborLoads& loads = most_[index(blocks)];
    return "counted: a rank has up to " + std::to_string(loads.direct) +
           " messages to other nodes, joined " + std::to_string(loads.between);
}

StatRow* Neighborhood::library_row(NeighborBlocks blocks) {
    if (settings().stats.empty()) return nullptr;
    const char* const why = !exists_ ? "no topology"
                            : asked(blocks) == NeighborMode::library
                                ? "asked for"
                                : "no messages of one node to another to join";
    return served(blocks, nullptr, select::kLibrary, select::kUnknown, why).row;
}

Served Neighborhood::served(NeighborBlocks blocks, const Plan* plan, const char* by,
                            std::int64_t bytes, const std::string& why) const {
    Served out{plan, nullptr, by};
    if (!settings().stats.empty())
        out.row = stat_row({of_.size, name(blocks), of_.form(), -1, select::size_class(bytes), by,
                            "", plan ? "given" : "", why});
    return out;
}

Served Neighborhood::by_plan(NeighborBlocks blocks, Joined joined, std::int64_t bytes,
                             const std::string& why) {
    return served(blocks, &plan(blocks, joined).plan,
                  joined == Joined::none ? "direct" : kJoined.name, bytes, why);
}

const Served* Neighborhood::by_request(NeighborBlocks blocks) {
    const NeighborMode mode = asked(blocks);
    if (mode != NeighborMode::direct && mode != NeighborMode::joined) return nullptr;
    Served& out = requested_[{blocks, mode}];
    if (!out.by)
        out = by_plan(blocks, mode == NeighborMode::direct ? Joined::none : Joined::all,
                      select::kUnknown, "asked for");
    return &out;
}

Neighborhood::Turn Neighborhood::take_turn(NeighborBlocks blocks, std::int64_t bytes,
                                           const Endpoint& at) {
    if (const Served* const asked = by_request(blocks)) return {*asked};
    const std::int64_t most = agreed(blocks, bytes, at);
    return take_turn(blocks, kind(blocks, most), most);
}

Neighborhood::Kind& Neighborhood::kind(NeighborBlocks blocks, std::int64_t bytes) {
    Kind& out = kinds_[{blocks, select::size_class(bytes)}];
    if (out.guess < 0) {
        out.guess = joins_pay(blocks, bytes);
        // A rank may leave a call before others come to it.
        if (of_.measures() && bytes > 0)
            out.learning.emplace(
                out.guess ? joined_arm(blocks) : Chosen{{nullptr, {}, counted(blocks), true, {}}},
                true);
    }
    return out;
}

Chosen Neighborhood::joined_arm(NeighborBlocks blocks) const {
    return {{&kJoined, {}, counted(blocks), true, {}}, nullptr, true};
}

Neighborhood::Turn Neighborhood::take_turn(NeighborBlocks blocks, Kind& kind, std::int64_t bytes) {
    int arm = kind.guess;
    Learning* const turns = kind.learning ? &*kind.learning : nullptr;
    if (turns) {
        if (turns->wants_candidates()) turns->begin({joined_arm(blocks)});
        arm = turns->turn(of_.user());
        if (kind.version != turns->version()) kind.arms = {};
        kind.version = turns->version();
    }
    Served& out = kind.arms[static_cast<std::size_t>(arm)];
    if (!out.by) {
        const std::string why = turns ? turns->reason(arm) : counted(blocks);
        out = arm ? by_plan(blocks, Joined::counted, bytes, why)
                  : served(blocks, nullptr, select::kLibrary, bytes, why);
    }
    return {out, turns && turns->measures() ? turns : nullptr};
}

Served Neighborhood::decide(NeighborBlocks blocks, std::int64_t bytes, const Endpoint& at) {
    if (const Served* const asked = by_request(blocks)) return *asked;
    const std::int64_t most = agreed(blocks, bytes, at);
    Kind& calls = kind(blocks, most);
    Served& out = calls.arms[static_cast<std::size_t>(calls.guess)];
    if (!out.by)
        out = by_plan(blocks, calls.guess ? Joined::counted : Joined::none, most, counted(blocks));
    return out;
}

Served Neighborhood::decide_repeated(NeighborBlocks blocks, std::int64_t most) {
    if (const Served* const asked = by_request(blocks)) return *asked;
    return joins_pay(blocks, most)
               ? by_plan(blocks, Joined::counted, most, counted(blocks))
               : served(blocks, nullptr, select::kLibrary, most, counted(blocks));
}

}  // namespace hopbine::mpi
