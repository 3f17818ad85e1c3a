/// Statistics of what served which calls (HOPBINE_STATS): what is counted, and the file's text.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace hopbine::mpi {

/// Where the program makes a call (HOPBINE_SITES).
struct CallSite {
    std::string place;     ///< file of the program or library, and offset: "/home/x/app+0x11c2"
    std::string function;  ///< where the dynamic linker knows its name; else empty
};

/// The form of a collective call.
enum class Form : std::uint8_t { blocking, nonblocking, persistent };

/// Key of calls that are counted together.
struct StatKey {
    int comm_size;
    std::string collective;  ///< "allreduce", or "alltoallw", which is never served
    Form form;
    int root;                ///< -1 when the collective has none
    int size_class;          ///< select::size_class
    std::string algorithm;   ///< "bine_large", or "mpi"
    std::string parameters;  ///< "segment=131072", joined by ':'
    std::string numbering;   ///< of the ranks: "given", "by group", "rotated by 5"; empty for "mpi"
    std::string reason;
    std::string site = {}, function = {};  ///< CallSite, where it is kept
    /// rank_runs() of the communicator's ranks in MPI_COMM_WORLD, at its rank 0, which counts
    /// calls; empty: they are all, in their order.
    std::string members = {};
    auto operator<=>(const StatKey&) const = default;
};

/// Relaxed: each number stands for itself, and all are read once the calls are over.
struct StatRow {
    const StatKey* key = nullptr;
    std::atomic<std::int64_t> calls{0}, bytes{0}, nanoseconds{0};
    std::atomic<std::int64_t> waited{0};  ///< nonblocking and persistent calls: nanoseconds of them
                                          ///< in which the program waited (wait_clock.hpp)
    std::atomic<std::int64_t> extra{0};   ///< gatherv, scatterv, alltoallv: the most bytes of extra
                                          ///< memory of a call on this rank
    /// Adds a call that took so many nanoseconds on this rank. Rank 0 alone counts it.
    void add(int rank, std::int64_t moved, std::int64_t took, std::int64_t waited_for = 0) {
        if (rank == 0) {
            calls.fetch_add(1, std::memory_order_relaxed);
            bytes.fetch_add(moved, std::memory_order_relaxed);
        }
        nanoseconds.fetch_add(took, std::memory_order_relaxed);
        if (waited_for) waited.fetch_add(waited_for, std::memory_order_relaxed);
    }
};

/// Nanoseconds of a clock that only goes forward.
std::int64_t now();
/// Seconds since then, of that clock.
inline double seconds_since(std::int64_t then) { return static_cast<double>(now() - then) * 1e-9; }

/// The site of the call that this thread is in, which lives as long as the process. Null where none
/// are kept. `caller`: the call's return address. Calls that come by the MPI library's own
/// wrappers, as Fortran's, are where these are called.
const CallSite* call_site(const void* caller);

/// The row of a key; its address stays valid.
StatRow* stat_row(const StatKey& key);
/// The row of the same calls from one site; `row` itself where that is null.
StatRow* row_at(StatRow* row, const CallSite* site);

/// All rows of this rank as text, which statistics_text() reads.
std::string packed_rows();
/// The file. `rows`: packed_rows() of every rank; `nodes`, `groups`: of every rank of
/// MPI_COMM_WORLD; `account`: a JSON object; `exact_sums`: one of exact sums, or null;
/// `arrivals`: compared_arrivals(); `library`: the MPI library's name.
std::string statistics_text(const std::vector<std::string>& rows,
                            const std::vector<std::string>& nodes,
                            const std::vector<std::string>& groups, const std::string& account,
                            const std::string& exact_sums, const std::string& arrivals,
                            const std::string& library);

}  // namespace hopbine::mpi
