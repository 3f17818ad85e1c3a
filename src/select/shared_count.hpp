/// Division of the counting of candidates among the ranks of a job, and the union of their counts.
///
/// A team of ranks counts the nodes that its ranks are on, each rank for some of the candidates:
/// a schedule that takes long to make is made by few ranks.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "select/loads.hpp"

namespace hopbine::select {

/// Moves the volume of a pattern out of and into a group, which is complete, to
/// Loads::busiest_group. `nodes`: the number of the group's nodes.
void close_group(Loads& loads, std::size_t pattern, std::int64_t nodes);

/// Adds the loads that other nodes cause. Both are of one candidate; either may be uncounted, with
/// no patterns.
void add(Loads& to, Loads&& other);

using Bytes = std::vector<std::uint8_t>;

/// Appends a number that is not negative: seven bits a byte, the lowest first. Most are small.
void pack(std::int64_t number, Bytes& out);
/// Reads a number at `at`, and moves it on.
std::int64_t unpack_number(const std::uint8_t*& at);
/// Appends the loads to `out`.
void pack(const Loads& loads, Bytes& out);
/// Reads loads at `at`, and moves it on.
Loads unpack(const std::uint8_t*& at);

/// The ranks that count the same nodes, and those nodes.
struct Team {
    std::vector<int> nodes;
    std::vector<int> ranks;  ///< candidate i is counted by ranks[i % ranks.size()]
    int part_of = -1;        ///< a group of which it counts a part; -1: it counts whole groups
};

/// Divides the nodes into teams of about as many ranks as there are candidates, at most 16 where
/// nodes have fewer. The first rank of
/// the first team is rank 0.
std::vector<Team> teams(const LocatedRanks& located, std::size_t candidates);

/// The stages in which ranks combine what they counted, as one rank takes part in them. In each
/// stage some ranks send to the first of them, which takes part in the next; the last ends at
/// rank 0.
struct Stages {
    const Team* team = nullptr;            ///< of the rank
    std::vector<std::vector<int>> stages;  ///< ranks
    int closes = -1;                       ///< the group that is complete after stages[1]; -1: none
};
Stages stages_of(const std::vector<Team>& all, int rank);
/// Called at the end of stage i with the loads at its first rank.
void end_stage(const Stages& all, std::size_t i, const LocatedRanks& located,
               std::vector<Loads>& loads);

}  // namespace hopbine::select
