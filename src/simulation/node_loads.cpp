#include <algorithm>
#include <map>
#include <numeric>

#include "analysis/walk.hpp"
#include "simulation/drawn_blocks.hpp"
#include "simulation/nodes.hpp"

namespace hopbine::simulation {

namespace {

/// A move with the number of its blocks only.
struct Posted {
    Direction direction;
    int peer;
    bool bare;
    std::int64_t blocks;
};

/// Representative ranks: those whose moves are computed, and whole nodes of ranks with all loads.
class Standing {
public:
    Standing(const Schedule& s, int p, int per_node, Walked walked) : p_(p), asked_(p), loaded_(p) {
        if (walked == Walked::everything) return;
        if (s.traits().mirrored && power_of_two(per_node)) {
            mirrored_ = true;
            asked_ = 1;
            loaded_ = per_node;
            return;
        }
        const int period = s.traits().period;
        if (period == 0 || p % period != 0 || p % std::lcm(period, per_node) != 0) return;
        asked_ = period;
        loaded_ = std::lcm(period, per_node);
    }
    int asked() const { return asked_; }
    int loaded() const { return loaded_; }
    /// The representative with the moves of `rank`, to other peers.
    int like(int rank) const { return rank % asked_; }
    /// The peer of `rank` that corresponds to `peer` of like(rank).
    int peer(int rank, int peer) const {
        return mirrored_ ? peer ^ rank : mod(std::int64_t{peer} + rank - like(rank), p_);
    }

private:
    int p_, asked_, loaded_;
    bool mirrored_ = false;
};

std::vector<RankLoad> loads_of(const Standing& who, const std::vector<std::vector<Posted>>& posted,
                               int per_node) {
    std::vector<RankLoad> out(static_cast<std::size_t>(who.loaded()));
    for (int first = 0; first < who.loaded(); first += per_node) {
        MessageCounts node_sent, node_received;
        for (int r = first; r < first + per_node; ++r) {
            RankLoad& load = out[static_cast<std::size_t>(r)];
            for (const Posted& m : posted[static_cast<std::size_t>(who.like(r))]) {
                const bool inside = who.peer(r, m.peer) / per_node == r / per_node,
                           sends = m.direction == Direction::send;
                (sends    ? inside ? load.sent_inside : load.sent_between
                 : inside ? load.received_inside
                          : load.received_between) +=
                    m.bare ? MessageCounts{1, 0, 0, 0} : MessageCounts{0, 1, m.blocks, m.blocks};
            }
            node_sent += load.sent_between;
            node_received += load.received_between;
        }
        for (int r = first; r < first + per_node; ++r) {
            out[static_cast<std::size_t>(r)].node_sent = node_sent;
            out[static_cast<std::size_t>(r)].node_received = node_received;
        }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::vector<EqualSteps> equal_steps(const Schedule& s, const Problem& q, int per_node,
                                    Walked walked) {
    const Standing who(s, q.p, per_node, walked);
    std::vector<std::vector<Posted>> posted(static_cast<std::size_t>(who.asked()));
    std::map<std::vector<RankLoad>, std::size_t> known;
    std::vector<EqualSteps> out;
    Step moves;
    for (const Pattern& now : patterns(s)) {
        for (int r = 0; r < who.asked(); ++r) {
            moves.clear();
            s.moves(r, now.step, moves);
            auto& of_rank = posted[static_cast<std::size_t>(r)];
            of_rank.clear();
            for (const Move& m : moves)
                of_rank.push_back({m.direction, m.peer, bare(m, r, q), m.blocks.size()});
        }
        const auto [it, fresh] = known.try_emplace(loads_of(who, posted, per_node), out.size());
        if (fresh) out.push_back({it->first, 0});
        out[it->second].times += now.times;
    }
    return out;
}

}  // namespace

MessageCounts& MessageCounts::operator+=(const MessageCounts& m) {
    bare += m.bare;
    packed += m.packed;
    blocks += m.blocks;
    longest = std::max(longest, m.longest);
    return *this;
}

NodeLoads node_loads(const Algorithm& a, Problem q, int nodes, int per_node, Walked walked) {
    if (a.collective != Collective::alltoallv)
        throw Error(std::string("blocks of given sizes are those of alltoallv, not of ") +
                    name(a.collective));
    if (nodes < 1 || per_node < 1 || std::int64_t{nodes} * per_node != q.p)
        throw Error(std::to_string(nodes) + " nodes of " + std::to_string(per_node) +
                    " ranks are not " + std::to_string(q.p) + " ranks");
    std::vector<int> node(static_cast<std::size_t>(q.p));
    for (int r = 0; r < q.p; ++r) node[static_cast<std::size_t>(r)] = r / per_node;
    q.placement =
        std::make_shared<const Placement>(Placement{std::vector<int>(node.size(), 0), node});
    const SchedulePtr s = schedule(a, q);
    NodeLoads out{equal_steps(*s, q, per_node, walked), {}, s->traits().wire, q.p};
    if (out.wire == Wire::padded) {
        // Recursive doubling, as in MPI_Allreduce of one number in MPICH and Open MPI.
        const Problem agreed{Collective::allreduce, q.p};
        out.agreement = equal_steps(
            *schedule(algorithm_named(Collective::allreduce, "recursive_doubling"), agreed), agreed,
            per_node, walked);
    }
    return out;
}

}  // namespace hopbine::simulation
