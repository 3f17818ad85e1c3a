/// Who is waited for (HOPBINE_STATS): how long this rank was inside of calls that no rank leaves
/// before all have come, and outside before them.
///
/// Clocks of ranks are not synchronised, so a rank keeps durations of its own clock. They are
/// compared call by call: the rank that was the shortest time inside has come last. A rank keeps at
/// most kKept calls of a communicator, drawn by their number: all its ranks keep the same ones.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hopbine::mpi {

/// Seconds of a call on this rank.
struct CallTimes {
    float inside = 0;   ///< of it; NaN: this rank may have left before all had come
    float outside = 0;  ///< of collectives since the rank left the last call like that
    float begun = 0;    ///< since the rank's first collective
};

/// Calls of a communicator whose times a rank keeps. A picture has at most so many ranks or columns
/// that can be told apart, and a test of that many calls sees a difference of a tenth of what they
/// scatter by.
inline constexpr std::size_t kKept = 1024;

/// The calls of all communicators of the same ranks, in the order in which one thread makes them.
class Arrivals {
public:
    Arrivals(std::uint64_t key, int rank, int size, std::string ranks)
        : key_(key), rank_(rank), size_(size), ranks_(std::move(ranks)) {}
    /// Adds a call of a thread, which any address of its own stands for.
    void add(const void* thread, const CallTimes& times);
    /// All of it as bytes, of `most` calls at most, which compared_arrivals() reads.
    std::string packed(std::size_t most) const;

private:
    struct Kept {
        std::uint32_t draw;
        CallTimes times;
    };
    /// A number that has nothing to do with what a program does in a loop.
    static std::uint32_t draw(std::uint64_t call);
    static void thin(std::vector<Kept>& kept, std::uint32_t& limit, std::size_t most);

    std::uint64_t key_, calls_ = 0;
    int rank_, size_;
    std::string ranks_;  ///< rank_runs() in MPI_COMM_WORLD, at rank 0
    const void* thread_ = nullptr;
    bool mixed_ = false;  ///< several threads made the calls: their order is the ranks' own
    std::uint32_t limit_ = UINT32_MAX;
    std::vector<Kept> kept_;
};

/// The calls of these ranks of MPI_COMM_WORLD, of which this process is the one with number `rank`.
/// The address stays valid. Null: there are too many such communicators on this rank.
Arrivals* arrivals_of(std::span<const int> members, int rank);
/// How many of them there are.
std::size_t arrivals_here();
/// All of this rank, of `most` calls each at most.
std::string packed_arrivals(std::size_t most);
/// How many calls of each may be gathered, of `ranks` ranks that have up to `communicators` each.
std::size_t most_gathered(std::size_t ranks, std::size_t communicators);

/// A JSON object: for each communicator whose ranks have kept the same calls, who came last in how
/// many, and how late each rank and node was in the course of the job. `ranks`: packed_arrivals()
/// of each rank of MPI_COMM_WORLD; `nodes`: their names.
std::string compared_arrivals(const std::vector<std::string>& ranks,
                              const std::vector<std::string>& nodes);

}  // namespace hopbine::mpi
