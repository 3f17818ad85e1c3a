#include "watch/setting.hpp"

#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include "schedule/bounds.hpp"
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

Setting parse_watch(const std::string& text, const std::string& source) {
    if (text.empty() || text == "none") return {};
    std::istringstream words(text + ',');
    std::string word;
    const auto next = [&] { return static_cast<bool>(std::getline(words, word, ',')); };
    Setting out;
    out.limit = kLimit;
    bool more = next();
    if (more && word != "check" && word != "abort") out.limit = seconds(word), more = next();
    if (more && word == "check") out.checks = true, more = next();
    if (more && word == "abort") out.aborts = true, more = next();
    if (more || !(out.limit >= kLeast && out.limit <= kMost))
        throw Error(source + " is '" + shown(text) +
                    "', not none, a time of 0.1s to a year such as 30s or 5min, check, abort, or "
                    "several of these in this order: 30s,check,abort");
    return out;
}

}  // namespace hopbine::watch
