/// Moves in a form that tests compare.
#pragma once
#include <string>
#include <tuple>
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine {

using Seen = std::vector<std::tuple<Direction, Op, int, std::string>>;

/// Moves of a rank in a step, in order: direction, op, peer, blocks.
inline Seen seen(const Schedule& s, int rank, int step) {
    Step moves;
    s.moves(rank, step, moves);
    Seen out;
    for (const Move& m : moves) out.emplace_back(m.direction, m.op, m.peer, m.blocks.text());
    return out;
}

}  // namespace hopbine
