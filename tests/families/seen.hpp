/// Moves as tests compare them.
#pragma once
#include <string>
#include <tuple>
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine {

using Seen = std::vector<std::tuple<Direction, Op, int, std::string>>;

/// What a rank does in a step, in the order of its moves: way, mode, peer, blocks.
inline Seen seen(const Schedule& s, int rank, int step) {
    Step moves;
    s.moves(rank, step, moves);
    Seen out;
    for (const Move& m : moves) out.emplace_back(m.direction, m.op, m.peer, m.blocks.text());
    return out;
}

}  // namespace hopbine
