/// Parameters of algorithms of any radix, and their values.
#pragma once
#include "schedule/algorithm.hpp"

namespace hopbine::radix {

inline constexpr std::int64_t most = 1 << 20;

inline constexpr Parameter of_tree{
    "k",
    Kind::radix,
    2,
    most,
    4,
    "radix: k - 1 messages of a level are in flight together; p or more makes it flat",
    /*of_trees=*/true};
inline constexpr Parameter of_children{"k", Kind::radix, 2, most, 2, "children of a rank"};
inline constexpr Parameter of_chains{"k", Kind::radix, 1, most, 4, "chains below the root"};
inline constexpr Parameter of_exchange{
    "k", Kind::radix, 2, most, 4, "radix: partners of a step are at most k - 1, all at once"};
inline constexpr Parameter of_last_exchange{
    "far", Kind::radix, 0,
    most,  0,           "radix of the step whose partners are farthest, 2 or more; 0 or 1: k"};
inline constexpr Parameter of_bruck{
    "k",
    Kind::radix,
    2,
    most,
    2,
    "radix: k - 1 messages of a step are in flight together; p or more sends every block straight"};
inline constexpr Parameter of_signals{
    "k",
    Kind::radix,
    2,
    most,
    2,
    "radix: k - 1 signals of a step are in flight together; p or more signals every rank at once"};
inline constexpr Parameter of_signal_tree{
    "k", Kind::radix,
    2,   most,
    16,  "radix: k - 1 signals of a level are in flight together; p or more makes the tree flat"};
inline constexpr Parameter of_prefix{
    "k",
    Kind::radix,
    2,
    most,
    2,
    "radix: k - 1 vectors of a step are in flight together; p or more sends every vector straight"};
inline constexpr Parameter of_ring{
    "k",  Kind::radix, 0,
    most, 0,           "consecutive ranks of an inner ring; 0: the ranks of a node, 1: one ring"};
/// The radix of a hierarchy's trees inside units and of the exchange between their first ranks.
constexpr Parameter of_levels(std::int64_t fallback) {
    return {"k",
            Kind::radix,
            2,
            most,
            fallback,
            "radix: a leader exchanges k - 1 messages of a step together, and so does a tree",
            /*of_trees=*/true};
}
/// The value of the parameter "k".
inline int k(const Problem& q) { return static_cast<int>(q.get("k")); }

inline constexpr Parameter of_nonuniform{
    "r",
    Kind::radix,
    1,
    most,
    1,
    "radix: r - 1 messages of a digit are in flight together; p or more sends every block "
    "straight; 1 stands for one near the root of p"};
/// The value of the parameter "r" for p ranks, those of a problem or of one of its nodes.
int r(const Problem& q, int p);

}  // namespace hopbine::radix
