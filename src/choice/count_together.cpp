// Combines what the ranks have counted of the candidates.

#include <algorithm>

#include "choice/chooser.hpp"

namespace hopbine::mpi {

namespace {

using select::Bytes;
using select::Loads;

/// Loads of those candidates that were counted, each after its index.
Bytes packed(const std::vector<Loads>& loads) {
    Bytes out;
    for (std::size_t i = 0; i < loads.size(); ++i)
        if (loads[i].patterns > 0) {
            select::pack(static_cast<std::int64_t>(i), out);
            select::pack(loads[i], out);
        }
    return out;
}

void add_packed(std::vector<Loads>& to, const Bytes& from) {
    for (const std::uint8_t *at = from.data(), *end = at + from.size(); at != end;) {
        Loads& into = to[static_cast<std::size_t>(select::unpack_number(at))];
        select::add(into, select::unpack(at));
    }
}

/// Children of a node of the tree on each level: a rank waits for few levels, which take longer
/// than messages where ranks share cores.
constexpr std::size_t kRadix = 8;

/// Adds up the loads of some ranks along a tree. Returns whether this rank has the sum: the first
/// one does.
bool reduce_to_first(const std::vector<int>& ranks, std::vector<Loads>& loads, Members& all) {
    const auto me = static_cast<std::size_t>(std::ranges::find(ranks, all.rank) - ranks.begin());
    for (std::size_t unit = 1; unit < ranks.size(); unit *= kRadix) {
        if (const std::size_t digit = me / unit % kRadix) {
            all.send(packed(loads), ranks[me - digit * unit]);
            return false;
        }
        for (std::size_t digit = 1; digit < kRadix && me + digit * unit < ranks.size(); ++digit)
            add_packed(loads, all.receive(ranks[me + digit * unit]));
    }
    return true;
}

/// Sends rank 0's loads to all ranks along a tree.
void broadcast(std::vector<Loads>& loads, Members& members) {
    const auto rank = static_cast<std::size_t>(members.rank),
               size = static_cast<std::size_t>(members.size);
    std::size_t unit = 1;  // of the level below which this rank is the first
    while (unit < size && rank / unit % kRadix == 0) unit *= kRadix;
    Bytes all;
    if (rank == 0) {
        all = packed(loads);
    } else {
        all = members.receive(static_cast<int>(rank - rank / unit % kRadix * unit));
        for (Loads& one : loads) one = {};
        add_packed(loads, all);
    }
    for (unit /= kRadix; unit > 0; unit /= kRadix)
        for (std::size_t digit = 1; digit < kRadix && rank + digit * unit < size; ++digit)
            members.send(all, static_cast<int>(rank + digit * unit));
}

}  // namespace

std::vector<Loads> count_together(const std::vector<select::Candidate>& candidates,
                                  const std::vector<select::Numbering>& numberings, int root,
                                  Members& all) {
    const select::LocatedRanks& located = all.located();
    const std::vector<select::Team> teams = select::teams(located, candidates.size());
    const select::Stages way = select::stages_of(teams, all.rank);
    const std::vector<int>& mates = way.team->ranks;
    std::vector<Loads> loads(candidates.size());
    const auto me = static_cast<std::size_t>(std::ranges::find(mates, all.rank) - mates.begin());
    for (std::size_t i = me; i < candidates.size(); i += mates.size())
        loads[i] = select::measure(candidates[i],
                                   numberings[static_cast<std::size_t>(candidates[i].numbering)],
                                   root, located, way.team->nodes);
    for (std::size_t i = 0; i < way.stages.size(); ++i) {
        if (!reduce_to_first(way.stages[i], loads, all)) break;
        select::end_stage(way, i, located, loads);
    }
    broadcast(loads, all);
    return loads;
}

}  // namespace hopbine::mpi
