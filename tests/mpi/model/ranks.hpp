/// Ranks of a job that live in one process.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace model {

/// How ranks run.
enum class Mode : std::uint8_t {
    turns,    ///< one at a time, in an order that is drawn: a seed gives the same run again
    threads,  ///< at once, each on threads of its own: for ThreadSanitizer
};

/// Runs body(rank, thread) for every rank, and for each of its threads. Returns what is wrong, or
/// nothing: ranks that wait for ever.
std::string run_ranks(Mode mode, int ranks, int threads, std::uint64_t seed,
                      const std::function<void(int rank, int thread)>& body);

/// The rank that calls, -1: none.
int this_rank();
/// Lets other ranks and the network go on. Called where a rank waits.
void let_others_run();

}  // namespace model
