/// What a node's watcher sees of a rank at one time, in a form that other nodes understand.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hopbine::watch {

/// A call of a rank.
struct CallView {
    std::uint32_t number = 0;  ///< of watch_function; 0: there is none
    std::uint64_t comm = 0;    ///< CommView::id; 0: none, or it is not known
    std::uint64_t sequence = 0;
    std::string site;        ///< FILE+0xOFFSET of its return address
    std::int64_t peer = -1;  ///< rank of the communicator that a message is of
    std::int64_t root = -1, count = -1, bytes = -1;  ///< -1: the call has none; bytes: of `count`
    std::string type, operation;                     ///< names; empty: none, or not predefined
    bool same_bytes = false;                         ///< all ranks must have as many
    std::int8_t commutes = -1;  ///< whether the operation does; -1: there is none, or not known
    /// Whether it is in place; -1: it need not be so on all ranks where it is on one.
    std::int8_t in_place = -1;

    template <class Archive>
    void with(Archive& a) {
        a(number), a(comm), a(sequence), a(site), a(peer), a(root), a(count), a(bytes), a(type);
        a(operation), a(same_bytes), a(commutes), a(in_place);
    }
};

/// A thread of a rank that has called MPI.
struct ThreadView {
    bool inside = false;       ///< it is in a call
    double seconds = 0;        ///< for how long it has been seen inside, or outside
    double unseen = 0;         ///< by how much that may be less than the time since it is
    CallView now, before;      ///< before: the last call that it has left
    std::uint32_t poller = 0;  ///< function of the kind of MPI_Test that it calls now and again
    std::string poll_site;
    template <class Archive>
    void with(Archive& a) {
        a(inside), a(seconds), a(unseen), a(now), a(before), a(poller), a(poll_site);
    }
};

/// A communicator as a rank of it knows it.
struct CommView {
    std::uint64_t id = 0, sequence = 0;
    std::int32_t size = 0, rank = 0;
    std::string name, made_at;
    std::uint32_t made_by = 0;
    template <class Archive>
    void with(Archive& a) {
        a(id), a(sequence), a(size), a(rank), a(name), a(made_at), a(made_by);
    }
};

/// What the kernel says of a process.
enum class Life : std::int32_t { runs, sleeps, stopped, ended };

struct RankView {
    std::int32_t rank = 0, ranks = 0, process = 0;
    std::string node;
    Life life = Life::runs;
    bool finished = false;  ///< it has left MPI_Finalize
    std::vector<ThreadView> threads;
    std::vector<CommView> comms;
    CallView differing;  ///< that the ranks have found to match other ranks' not
    template <class Archive>
    void with(Archive& a) {
        a(rank), a(ranks), a(process), a(node), a(life), a(finished), a(threads), a(comms);
        a(differing);
    }
    /// The communicator; null: the rank is not in it.
    const CommView* comm(std::uint64_t id) const {
        for (const CommView& c : comms)
            if (c.id == id) return &c;
        return nullptr;
    }
};

using Views = std::vector<RankView>;

}  // namespace hopbine::watch
