#include "schedule/collective.hpp"

#include "schedule/bounds.hpp"
#include "schedule/near_names.hpp"
#include "schedule/problem.hpp"

namespace hopbine {

const char* name(Collective c) { return spec(c).name; }
bool rooted(Collective c) { return spec(c).rooted(); }
bool reduces(Collective c) { return spec(c).reduces(); }
bool pairs(Collective c) { return spec(c).blocks == Blocks::pairs; }

std::int64_t block_count(Collective c, int p) {
    switch (spec(c).blocks) {
    case Blocks::pairs: return std::int64_t{p} * p;
    case Blocks::signal: return 1;
    case Blocks::parts:
    case Blocks::ranks: break;
    }
    return p;
}

Collective collective_named(const std::string& text) {
    std::vector<std::string> names;
    for (int i = 0; i < kCollectives; ++i) {
        const auto c = static_cast<Collective>(i);
        if (text == name(c)) return c;
        names.emplace_back(name(c));
    }
    throw Error("unknown collective '" + shown(text) + "' (known: " + listed(names) + ")" +
                is_meant(text, names));
}

}  // namespace hopbine
