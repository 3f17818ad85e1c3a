// Combines what the ranks have counted of the candidates, over hopbine's own messages.

#include <algorithm>
#include <cstring>

#include "mpi/execute/messages.hpp"
#include "mpi/state/chooser.hpp"
#include "schedule/problem.hpp"

namespace hopbine::mpi {

namespace {

using select::Bytes;
using select::Loads;

/// Messages between ranks of a communicator, of lengths that the receiver does not know. What is
/// beyond the first message, which tells the length, follows in a second one: a probe could not be
/// made inside of MPICH's progress.
class ByteMessages {
public:
    explicit ByteMessages(const Endpoint& at) : at_(at) {}
    void send(const Bytes& all, int to) const {
        const std::uint64_t length = all.size();
        const std::size_t first = std::min(all.size(), kFirst);
        Bytes message(sizeof length + first);
        std::memcpy(message.data(), &length, sizeof length);
        std::copy_n(all.begin(), first, message.begin() + sizeof length);
        send(message.data(), message.size(), to);
        if (first < all.size()) send(all.data() + first, all.size() - first, to);
    }
    Bytes receive(int from) const {
        std::uint64_t length = 0;
        Bytes message(sizeof length + kFirst);
        receive(message.data(), message.size(), from);
        std::memcpy(&length, message.data(), sizeof length);
        Bytes out(length);
        const std::size_t first = std::min(out.size(), kFirst);
        std::copy_n(message.begin() + sizeof length, first, out.begin());
        if (first < out.size()) receive(out.data() + first, out.size() - first, from);
        return out;
    }

private:
    static constexpr std::size_t kFirst = 4088;  ///< bytes in the first message

    void send(const std::uint8_t* data, std::size_t n, int to) const {
        check(mpi::send(data, static_cast<int>(n), MPI_BYTE, to, kDataChannel, at_));
    }
    void receive(std::uint8_t* data, std::size_t n, int from) const {
        check(mpi::receive(data, static_cast<int>(n), MPI_BYTE, from, kDataChannel, at_));
    }
    static void check(int error) {
        if (error != MPI_SUCCESS) throw Error("the counts of candidates could not be exchanged");
    }
    const Endpoint& at_;
};

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
bool reduce_to_first(const std::vector<int>& ranks, int rank, std::vector<Loads>& loads,
                     const ByteMessages& messages) {
    const auto me = static_cast<std::size_t>(std::ranges::find(ranks, rank) - ranks.begin());
    for (std::size_t unit = 1; unit < ranks.size(); unit *= kRadix) {
        if (const std::size_t digit = me / unit % kRadix) {
            messages.send(packed(loads), ranks[me - digit * unit]);
            return false;
        }
        for (std::size_t digit = 1; digit < kRadix && me + digit * unit < ranks.size(); ++digit)
            add_packed(loads, messages.receive(ranks[me + digit * unit]));
    }
    return true;
}

/// Sends rank 0's loads to all ranks along a tree.
void broadcast(std::vector<Loads>& loads, std::size_t rank, std::size_t size,
               const ByteMessages& messages) {
    std::size_t unit = 1;  // of the level below which this rank is the first
    while (unit < size && rank / unit % kRadix == 0) unit *= kRadix;
    Bytes all;
    if (rank == 0) {
        all = packed(loads);
    } else {
        all = messages.receive(static_cast<int>(rank - rank / unit % kRadix * unit));
        for (Loads& one : loads) one = {};
        add_packed(loads, all);
    }
    for (unit /= kRadix; unit > 0; unit /= kRadix)
        for (std::size_t digit = 1; digit < kRadix && rank + digit * unit < size; ++digit)
            messages.send(all, static_cast<int>(rank + digit * unit));
}

}  // namespace

std::vector<Loads> count_together(const std::vector<select::Candidate>& candidates,
                                  const std::vector<select::Numbering>& numberings, int root,
                                  const select::LocatedRanks& located, int rank,
                                  const Endpoint& at) {
    const ByteMessages messages(at);
    const std::vector<select::Team> teams = select::teams(located, candidates.size());
    const select::Stages way = select::stages_of(teams, rank);
    const std::vector<int>& mates = way.team->ranks;
    std::vector<Loads> loads(candidates.size());
    const auto me = static_cast<std::size_t>(std::ranges::find(mates, rank) - mates.begin());
    for (std::size_t i = me; i < candidates.size(); i += mates.size())
        loads[i] = select::measure(candidates[i],
                                   numberings[static_cast<std::size_t>(candidates[i].numbering)],
                                   root, located, way.team->nodes);
    for (std::size_t i = 0; i < way.stages.size(); ++i) {
        if (!reduce_to_first(way.stages[i], rank, loads, messages)) break;
        select::end_stage(way, i, located, loads);
    }
    broadcast(loads, static_cast<std::size_t>(rank), located.placement->group.size(), messages);
    return loads;
}

}  // namespace hopbine::mpi
