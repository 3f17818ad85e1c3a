/// Parts of a text. Streams of C++ are not used for this: their locale would be linked into every
/// runtime and started in every rank.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

namespace hopbine {

/// The parts that `by` separates. An empty text has none, and nothing follows a separator at the
/// end, as it is with lines.
inline std::vector<std::string> parts_of(const std::string& text, char by) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(by, at), text.size());
        out.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

}  // namespace hopbine
