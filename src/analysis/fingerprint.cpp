#include "analysis/fingerprint.hpp"

#include <algorithm>
#include <tuple>

namespace hopbine {

std::uint64_t fingerprint(const Schedule& s, int p) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    const auto mix = [&](std::int64_t x) {
        hash = (hash ^ static_cast<std::uint64_t>(x)) * 0x100000001B3u;
    };
    mix(s.steps());
    mix(static_cast<int>(s.traits().wire));
    mix((s.traits().layout != nullptr) + s.traits().copies_in_flight);
    Step moves;
    for (int r = 0; r < std::min(p, 64); ++r)
        for (int t = 0; t < s.steps(); ++t) {
            moves.clear();
            s.moves(r, t, moves);
            std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
                return std::tuple(a.direction, a.peer, a.channel) <
                       std::tuple(b.direction, b.peer, b.channel);
            });
            mix(t);
            for (const Move& m : moves) {
                for (std::int64_t x :
                     {static_cast<int>(m.direction), static_cast<int>(m.op), m.peer, m.channel})
                    mix(x);
                if (m.source != Source::result || m.keeps)
                    mix(2 * static_cast<int>(m.source) + m.keeps);
                for (const Run& run : m.blocks.runs()) mix(run.lo), mix(run.hi);
            }
        }
    return hash;
}

}  // namespace hopbine
