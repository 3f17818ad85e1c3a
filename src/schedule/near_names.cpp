#include "schedule/near_names.hpp"

#include <algorithm>

namespace hopbine {

namespace {

constexpr std::size_t kMostCompared = 60;
constexpr double kNear = 0.6;  ///< share of both words, as of Python's difflib

/// Length of the longest common subsequence.
std::size_t common(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (const char c : a) {
        std::size_t before = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = row[j + 1];
            row[j + 1] = c == b[j] ? before + 1 : std::max(above, row[j]);
            before = above;
        }
    }
    return row.back();
}

}  // namespace

std::string listed(const std::vector<std::string>& names, const std::string& none) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    return out.empty() ? none : out;
}

std::string nearest(const std::string& word, const std::vector<std::string>& names) {
    const std::string begin = word.substr(0, kMostCompared);
    std::string best;
    double most = kNear;
    for (const std::string& other : names) {
        const double share =
            2.0 * static_cast<double>(common(begin, other)) /
            static_cast<double>(std::max<std::size_t>(1, begin.size() + other.size()));
        if (share >= most) {
            most = share;
            best = other;
        }
    }
    return best;
}

std::string is_meant(const std::string& word, const std::vector<std::string>& names) {
    const std::string near = nearest(word, names);
    return near.empty() ? "" : "; is " + near + " meant?";
}

}  // namespace hopbine
