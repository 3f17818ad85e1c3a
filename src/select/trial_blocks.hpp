/// Blocks of the trials: how many calls an arm has without a break, and what it takes to go on.
///
/// Few calls first: what is far slower must not run often. Then more, among what is close. The
/// numbers are those at which drawn jobs keep the guarantee (tests/select/trials_test.cpp).
#pragma once
#include <span>

namespace hopbine::select {

/// Calls of an arm without a break. The first may suffer from the arm before, and are skipped.
struct Block {
    int skipped, measured;
    constexpr int calls() const { return skipped + measured; }
};

/// The arms take turns. Out is what takes more than `limit` times the fastest.
struct Round {
    Block block;
    double limit;
};

/// The winner and another arm, which must take less than `limit` times the winner.
struct Check {
    Block winner, other;
    double limit;
};

/// The blocks of one kind of trials.
struct TrialBlocks {
    std::span<const Round> rounds;
    Check glance;   ///< few calls: the other arm must not be slower
    Check confirm;  ///< after such a glance, a longer block: it must be faster
    /// Decides between the library and a candidate that has won short calls by little: a loop is
    /// more than its first calls.
    Block loop;
};

/// For an arm that was far slower in its first call.
inline constexpr Block kOneCall = {0, 1};

/// In round 0 the arms build their plans and connections: only an arm that ran before can lose.
inline constexpr Round kPlainRounds[] = {{{0, 1}, 4},   {{0, 2}, 2},    {{1, 3}, 1.5},
                                         {{1, 3}, 1.3}, {{1, 4}, 1.2},  {{1, 4}, 1.15},
                                         {{1, 5}, 1.1}, {{1, 5}, 1.08}, {{1, 5}, 1.06}};
inline constexpr TrialBlocks kPlainBlocks = {
    kPlainRounds, {{1, 3}, {0, 1}, 1}, {{1, 3}, {1, 3}, 0.9}, {1, 18}};

/// Where a block ends with a barrier it is longer: ranks run ahead of each other as in the
/// program's loop. Both blocks of a check are as long: the barrier counts as much for one as for
/// the other.
inline constexpr Round kBarrierRounds[] = {{{0, 1}, 4},    {{0, 2}, 2},    {{0, 4}, 1.6},
                                           {{0, 12}, 1.3}, {{0, 16}, 1.2}, {{0, 16}, 1.1}};
inline constexpr TrialBlocks kBarrierBlocks = {
    kBarrierRounds, {{0, 2}, {0, 2}, 1}, {{1, 3}, {1, 3}, 0.9}, {0, 64}};

/// Where the barrier takes longer than a call, a short block would show the barrier. The first
/// rounds find that out, are those of above, and count no more from kFirstLong on.
inline constexpr int kFirstLong = 3;
inline constexpr Round kLongRounds[] = {
    kBarrierRounds[0], kBarrierRounds[1], kBarrierRounds[2], {{0, 32}, 1.2}, {{0, 32}, 1.1}};
inline constexpr TrialBlocks kLongBlocks = {
    kLongRounds, {{0, 16}, {0, 16}, 1}, {{0, 32}, {0, 32}, 0.9}, {0, 64}};

}  // namespace hopbine::select
