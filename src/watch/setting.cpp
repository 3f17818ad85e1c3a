#include "watch/setting.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "schedule/bounds.hpp"
#include "schedule/parts_of.hpp"
#include "schedule/problem.hpp"

namespace hopbine::watch {

namespace {

/// Times that a rank is looked at within: below the least nothing is measured, and a year is none.
constexpr double kLeast = 0.1, kMost = 365 * 86400.0;

/// Seconds of "30s"; negative: it is no time.
double seconds(const std::string& text) {
    static const std::map<std::string, double> units = {
        {"ms", 1e-3}, {"s", 1}, {"", 1}, {"min", 60}, {"h", 3600}};
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, wrong] = std::from_chars(text.data(), end, number);
    const auto unit = units.find(std::string(rest, end));
    return wrong == std::errc() && unit != units.end() ? number * unit->second : -1;
}

}  // namespace

double seconds_between_looks(double limit, bool checks) {
    constexpr double kShortest = 0.05, kUsual = 1, kLongest = 10;
    if (checks) return kShortest;
    return std::max(kShortest, std::min(limit / 4, std::clamp(limit / 60, kUsual, kLongest)));
}

Setting parse_watch(const std::string& text, const std::string& source) {
    if (text.empty() || text == "none") return {};
    const std::vector<std::string> words = parts_of(text + ',', ',');
    auto word = words.begin();
    Setting out{.limit = kLimit, .asked = true};
    if (*word != "check" && *word != "abort") out.limit = seconds(*word++);
    const auto has = [&](const char* name) {
        const bool found = word != words.end() && *word == name;
        word += found;
        return found;
    };
    out.checks = has("check");
    out.aborts = has("abort");
    if (word != words.end() || !(out.limit >= kLeast && out.limit <= kMost))
        throw Error(source + " is '" + shown(text) +
                    "', not none, a time of 0.1s to a year such as 30s or 5min, check, abort, or "
                    "several of these in this order: 30s,check,abort");
    return out;
}

}  // namespace hopbine::watch
