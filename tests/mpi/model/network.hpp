/// A network between the ranks of one process that delays and reorders as MPI may.
///
/// - Messages match in the order of posting: those of a sender to a receiver with one tag on one
///   communicator (MPI 4.1, Sec. 3.5).
/// - What has matched is delivered at any time and in any order. The data of a send is read as late
///   as that, or buffered at once. The receive buffer is overwritten before.
/// - Sends end after they are delivered, or earlier where they are buffered.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace model {

/// A send or receive, from its start until its end.
struct Transfer {
    bool sends = false;
    char* data = nullptr;
    std::int64_t bytes = 0;
    int peer = 0, tag = 0;
    bool complete = false, truncated = false;
    std::int64_t got = 0;        ///< bytes received
    std::vector<char> buffered;  ///< of a send that is read at once
    bool reads_late = true;
};
using TransferPtr = std::shared_ptr<Transfer>;

/// What a seed draws of a network.
struct Habits {
    double buffers = 0.5;     ///< share of sends that are buffered at once
    double delivers = 0.5;    ///< share of turns in which the network moves, not a rank
    bool last_first = false;  ///< what has matched last is delivered first
    bool overtakes = false;   ///< a fault: messages of one tag overtake each other
};

class Network {
public:
    static Network& get();
    /// Begins anew with the habits that a seed draws.
    void draw(std::uint64_t seed, bool overtakes);

    using Place = std::tuple<int, int, int, int>;  ///< communicator, from, to, tag
    void post(const Place& place, const TransferPtr& transfer);
    /// Something happens that is under way. False: nothing is.
    bool move();
    /// What is under way may happen in a turn of the network.
    bool may_move();
    /// Whether there is a message that no receive has met, or a receive that no message has.
    std::string unmatched();
    /// Whether two may be found equal: nothing has happened in between.
    std::uint64_t version() const { return version_; }
    /// Something has happened that others may wait for.
    void note() { ++version_; }
    /// Guards the network and all that the ranks share, where they are threads.
    std::recursive_mutex lock;

private:
    struct Queue {
        std::deque<TransferPtr> sent, awaited;
    };
    struct Match {
        TransferPtr sent, awaited;
    };
    void match(Queue& queue);
    void deliver(const Match& match);
    std::size_t drawn(std::size_t n);

    std::mt19937_64 random_;
    Habits habits_;
    std::map<Place, Queue> queues_;
    std::vector<Match> matched_;
    std::vector<TransferPtr> ending_;  ///< sends that only have to end
    std::uint64_t version_ = 0;
};

}  // namespace model
