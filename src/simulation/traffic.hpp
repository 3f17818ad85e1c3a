/// Traffic of other jobs on the nodes that the simulated job does not use.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "simulation/program.hpp"

namespace hopbine::simulation {

/// A job that calls a collective in every period, or when the call before has ended where that
/// takes longer.
struct OtherCalls {
    /// Throws Error unless every rank has a node and the period is longer than nothing.
    OtherCalls(Program of, std::vector<int> on, double of_bytes, double every);
    Program program;         ///< of one call
    std::vector<int> nodes;  ///< of each rank; no other rank, of any job, is there
    double bytes;            ///< of a call's vector; of none nothing is sent
    double period;           ///< seconds from the begin of a call to that of the next
};

/// What other jobs send.
struct Background {
    enum class Pattern { uniform, permutation, alltoall };
    enum class Aggressor { none, incast, alltoall };
    double share = 0;  ///< of the bandwidth at which a node can send, 0..1
    Pattern pattern = Pattern::uniform;
    Aggressor aggressor = Aggressor::none;
    int nodes =
        0;  ///< of the aggressor; 0: as many as the job has, or all others if they are fewer
    /// Nodes of other jobs, each of which sends to nodes of its own only; a job of one node sends
    /// nothing. Empty: all nodes that neither the job nor the aggressor has are one job.
    std::vector<std::vector<int>> jobs = {};
    std::shared_ptr<const OtherCalls> calls = {};  ///< of another job
    /// Whether nothing is sent.
    bool none() const;
    /// Whether a collective is called that sends something.
    bool called() const { return calls && calls->bytes > 0; }
};
/// Throw Error with the names that exist.
Background::Pattern pattern_named(const std::string& name);
Background::Aggressor aggressor_named(const std::string& name);

/// Senders of background messages, each an end point. A sender has kWindow messages under way at
/// most, so that a network that cannot carry them slows the senders instead of queueing for ever.
/// - share: messages of kBytes at random times to end points of the sender's other job that are on
///   other nodes: a random one for each message (uniform), the same for all (permutation), or each
///   in turn (alltoall)
/// - aggressor: messages without a pause, to its first node (incast) or to its nodes in turn
class Traffic {
public:
    static constexpr double kBytes = 64 << 10;
    static constexpr int kWindow = 4;
    static constexpr int kWarmUp = 16;  ///< messages of each sender before the job begins
    struct Sender {
        int at;
        bool aggressor;
        int under_way = 0;
        bool held = false;  ///< the next message is due, but the window is full
        unsigned turn = 0;
        std::size_t own;           ///< its place among the end points of its job
        std::size_t first, count;  ///< end points of its job
    };
    /// Draws senders among the nodes that are not `used`, with as many end points each. Throws
    /// Error if there are too few, or if told jobs share nodes with others.
    Traffic(const Background& b, const std::vector<bool>& used, int cards, std::uint64_t seed);
    std::vector<Sender>& senders() { return senders_; }
    /// End point that the next message of a sender goes to.
    int next(Sender& s);
    /// Time until the next one, in times that a message takes on a link.
    double gap(const Sender& s);
    /// Before the job begins: in the same unit. The first messages of an incast come all at once;
    /// it is under way when its receiver has them.
    double warm_up() const;

private:
    void add(const std::vector<int>& nodes, bool aggressor);
    /// Takes its nodes from the idle ones of all `nodes`, as many as the job has by default.
    void add_aggressor(std::vector<int>& idle, std::ptrdiff_t job, std::size_t nodes);
    /// End point of its job that is `turn` places after those of the sender's node.
    int after(const Sender& s, std::size_t turn) const;
    Background b_;
    std::size_t cards_;
    std::mt19937_64 random_;
    std::vector<int> ends_;  ///< end points of all senders' jobs, node by node
    std::vector<Sender> senders_;
    std::size_t aggressors_ = 0;  ///< end points of the aggressor
};

}  // namespace hopbine::simulation
