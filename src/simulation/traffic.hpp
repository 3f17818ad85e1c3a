/// Traffic of other jobs on the nodes that the simulated job does not use.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace hopbine::simulation {

/// What other jobs send.
struct Background {
    enum class Pattern { uniform, permutation };
    enum class Aggressor { none, incast, alltoall };
    double share = 0;  ///< of the bandwidth at which a node can send, 0..1
    Pattern pattern = Pattern::uniform;
    Aggressor aggressor = Aggressor::none;
    int nodes =
        0;  ///< of the aggressor; 0: as many as the job has, or all others if they are fewer
    bool none() const { return share == 0 && aggressor == Aggressor::none; }
};
/// Throw Error with the names that exist.
Background::Pattern pattern_named(const std::string& name);
Background::Aggressor aggressor_named(const std::string& name);

/// Senders of background messages, each an end point. A sender has kWindow messages under way at
/// most, so that a network that cannot carry them slows the senders instead of queueing for ever.
/// - share: messages of kBytes at random times to other such end points, a new one for each message
///   (uniform) or the same for all (permutation)
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
        std::size_t to = 0;  ///< the end point that it sends to, or sends to first
    };
    /// Draws senders among the nodes that are not `used`, with as many end points each. Throws
    /// Error if there are too few.
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
    Background b_;
    int cards_;
    std::mt19937_64 random_;
    std::vector<int> others_, aggressors_;  ///< end points
    std::vector<Sender> senders_;
};

}  // namespace hopbine::simulation
