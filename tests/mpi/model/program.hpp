/// Programs of collective calls, drawn from a seed. All ranks run the same calls of a communicator
/// in the same order.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace model {

enum class Function : std::uint8_t {
    bcast,
    reduce,
    allreduce,
    scan,
    exscan,
    reduce_scatter,
    reduce_scatter_block,
    gather,
    scatter,
    gatherv,
    scatterv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    barrier
};
inline constexpr int kFunctions = 16;
enum class Form : std::uint8_t { blocking, nonblocking, persistent };
enum class Elements : std::uint8_t { u64, i32, bytes, affine };

struct Group {
    std::vector<int> members;  ///< ranks in MPI_COMM_WORLD
    std::vector<int> shape;    ///< Cartesian; empty: it is not
};

struct DrawnCall {
    int number = 0;  ///< in its program; its data follow from it
    int group = 0;
    Function function = Function::bcast;
    Form form = Form::blocking;
    Elements elements = Elements::u64;
    int root = 0;
    bool in_place = false;
    int gap = 0;              ///< elements between blocks with displacements
    std::vector<int> counts;  ///< of the ranks' blocks; alltoallv: [origin * p + destination]

    std::string text() const;
};

/// What one thread of every rank does.
struct Script {
    std::vector<Group> groups;
    std::vector<DrawnCall> calls;
    std::vector<int> starts;   ///< before these calls all persistent requests are started
    bool frees_early = false;  ///< communicators are freed while calls are under way
};

struct Program {
    std::uint64_t seed = 0;
    std::string algorithms;  ///< for hopbine_select
    std::vector<Script> scripts;
};

Program draw_program(std::uint64_t seed, int ranks, int threads);

}  // namespace model
