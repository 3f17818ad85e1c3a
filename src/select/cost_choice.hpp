/// The choice by counting: a candidate that is fast on its links and spares those between groups.
#pragma once
#include <string>
#include <vector>

#include "select/link_costs.hpp"
#include "select/loads.hpp"

namespace hopbine::select {

/// Modelled seconds of a schedule with these loads on a vector of `bytes` in p blocks. Each step
/// adds:
/// - the latency of its farthest message, on a torus also of the links that it passes, and the
///   rendezvous of long ones between nodes;
/// - the overhead of the further messages of a rank, by one port and by others of a torus;
/// - the time of the rank, port, node, group or direction of a torus with the largest load. A job
///   has the fraction of a group's links that its nodes are of the group's;
/// - the time of the rank that reduces most, beside that of the links where there are several
///   channels, and on a torus that of copies into and out of messages of several runs.
///
/// Blocks of another order are copied before the first or after the last step, or beside the steps:
/// then what a step has received is copied during the next one, and in a reduction what the first
/// step does not send during that step.
double modelled_seconds(const Loads& loads, const LinkCosts& net, const LocatedRanks& located,
                        double bytes);
/// Seconds of these that pass beside the computation of a program between a nonblocking call and
/// its wait: those of the first step's messages on their links. Later steps begin when the program
/// calls MPI again, and a message longer than LinkCosts::kEager goes on only then.
double seconds_beside_computation(const Loads& loads, const LinkCosts& net,
                                  const LocatedRanks& located, double bytes);

/// Blocks on the scarcest links that the placement distinguishes: between groups, or between nodes
/// of one group.
double scarce(const Loads& loads, const LocatedRanks& located);

/// The choice for calls of one size.
struct CostChoice {
    int candidate = -1;  ///< -1: no candidate is fit
    double seconds = 0;  ///< modelled
};

/// Allowed slowdown for less volume between groups, since all jobs share these links: a candidate
/// may take a tenth longer than the fastest if it moves less over them.
inline constexpr double kPatience = 1.1;
/// The patience with these ranks, of a given one. A torus that they fill is their job's own: less
/// volume between its nodes spares no other job, so that the fastest serves.
double patience_of(const LocatedRanks& located, double given);
/// A patience from 1 to 100. Throws Error naming `source`.
double parse_patience(const std::string& text, const std::string& source);
/// The part of the time in collectives that learning may take, from 0 to 1. Throws Error naming
/// `source`.
double parse_budget(const std::string& text, const std::string& source);
/// Size classes (select/size_class.hpp) that the runtime chooses for; the last has all larger
/// calls.
inline constexpr int kSizeClasses = 41;

/// Candidates with their counted loads, and what the loads cost on a network.
struct Costed {
    const std::vector<Candidate>& candidates;
    const std::vector<Loads>& loads;
    const LinkCosts& net;
    const LocatedRanks& located;
    double patience = kPatience;
    /// Programs compute beside half of the calls. Then a candidate may take longer alone than the
    /// fastest, at most kBeside times as long.
    bool nonblocking = false;
};
inline constexpr double kBeside = 1.25;

/// The choice for one size. `operands` is `exact` if the collective does not reduce.
CostChoice choose_by_cost(const Costed& all, double bytes, Operands operands);

/// Candidates worth measuring, all of different algorithms:
/// - the choice, and the fastest by the model that differ from it in time or in volume on the
///   scarcest links
/// - a pipeline, which passes data on while the next call begins. Not two: what the model says of
///   them rests on the start-up of a message, which it knows least.
/// - one with few messages, if these can make up for its modelled time: they take the time of ranks
///   that share cores
///
/// Where links are busy the last two come only if the model does not put them far behind. At
/// least kShortlist if there are so many, and one more where there are pipelines.
inline constexpr int kShortlist = 3;
std::vector<int> shortlist(const Costed& all, double bytes, Operands operands);

/// Modelled seconds of a candidate, and of the classic algorithm in the given order of the ranks;
/// that is infinite where it is no candidate.
double seconds(const Costed& all, int candidate, double bytes);
double classic_seconds(const Costed& all, double bytes);

/// Whether links are busy for most of the modelled time. Else latencies decide, of which the model
/// knows little: links are not scarce.
bool bound_by_links(const Costed& all, int candidate, double bytes);

/// Whether links between these ranks can be scarce: between groups, of nodes with several ranks, or
/// of a torus.
bool can_be_scarce(const LocatedRanks& located);
/// Why the MPI library serves the first calls of a kind although a candidate may be chosen; null:
/// the candidate does. `sure`: see bound_by_links.
const char* library_first(const LocatedRanks& located, bool any_fit, bool sure);

/// Volume of a candidate on the scarcest links, for vectors of n bytes. Such as "counted: 5.62 n
/// between 3 groups (16 nodes)".
std::string reason(const Loads& loads, const LocatedRanks& located);

}  // namespace hopbine::select
