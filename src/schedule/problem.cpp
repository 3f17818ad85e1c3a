#include "schedule/problem.hpp"

#include <charconv>

#include "schedule/bounds.hpp"

namespace hopbine {

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
