#include "schedule/problem.hpp"

#include <array>
#include <charconv>

#include "schedule/bounds.hpp"

namespace hopbine {

namespace {
constexpr std::array<const char*, kCollectives> kNames = {
    "bcast",  "reduce",    "allreduce", "reduce_scatter", "scatter",
    "gather", "allgather", "alltoall",  "alltoallv"};
}

const char* name(Collective c) { return kNames[static_cast<std::size_t>(c)]; }

Collective collective_named(const std::string& text) {
    std::string known;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (text == kNames[i]) return static_cast<Collective>(i);
        known += (i ? ", " : "") + std::string(kNames[i]);
    }
    throw Error("unknown collective '" + shown(text) + "' (known: " + known + ")");
}

bool rooted(Collective c) {
    return c == Collective::bcast || c == Collective::reduce || c == Collective::scatter ||
           c == Collective::gather;
}

bool reduces(Collective c) {
    return c == Collective::reduce || c == Collective::allreduce || c == Collective::reduce_scatter;
}

bool pairs(Collective c) { return c == Collective::alltoall || c == Collective::alltoallv; }

std::int64_t block_count(Collective c, int p) {
    return pairs(c) ? static_cast<std::int64_t>(p) * p : p;
}

std::int64_t Problem::get(const std::string& parameter) const {
    for (const auto& [key, value] : parameters)
        if (key == parameter) return value;
    throw Error("parameter '" + parameter + "' is not set");
}

std::vector<int> parse_shape(const std::string& text, const std::string& source) {
    std::vector<int> out;
    const char *at = text.data(), *end = at + text.size();
    std::int64_t ranks = 1;
    while (true) {
        int n = 0;
        const auto [next, wrong] = std::from_chars(at, end, n);
        if (wrong != std::errc() || n < 1 || (next != end && *next != 'x'))
            throw Error(source + ": '" + shown(text) + "' is no shape like 8x8x4");
        if (out.size() == kMostDimensions)
            throw Error(source + ": '" + shown(text) + "' has more than " +
                        std::to_string(kMostDimensions) + " dimensions");
        if ((ranks *= n) > kMostRanks)
            throw Error(source + ": '" + shown(text) + "' makes more than " +
                        std::to_string(kMostRanks) + " in all");
        out.push_back(n);
        if (next == end) return out;
        at = next + 1;
    }
}

}  // namespace hopbine
