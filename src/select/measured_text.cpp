#include "select/measured_text.hpp"

#include <charconv>
#include <cstdio>
#include <string_view>

#include "select/rules.hpp"

namespace hopbine::select {

namespace {

/// Such as "12.3 us" or "4.56 ms".
std::string time_text(double seconds) {
    char text[40];
    const bool short_call = seconds < 9.995e-4;
    std::snprintf(text, sizeof text, "%.3g %s", seconds * (short_call ? 1e6 : 1e3),
                  short_call ? "us" : "ms");
    return text;
}

/// Seconds at the beginning of a text of time_text(); 0: there are none.
double seconds_at(std::string_view text) {
    double value = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (wrong != std::errc() || !(value > 0)) return 0;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return text.starts_with(" us") ? value * 1e-6 : text.starts_with(" ms") ? value * 1e-3 : 0;
}

}  // namespace

std::string measured_text(double serves,
                          const std::vector<std::pair<std::string, double>>& others) {
    std::string out = time_text(serves);
    for (const auto& [name, seconds] : others) out += "; " + name + ' ' + time_text(seconds);
    return out;
}

MeasuredSeconds measured_seconds(const std::string& text) {
    const std::string library = std::string("; ") + kLibrary + ' ';
    const auto at = text.find(library);
    return {seconds_at(text), at == std::string::npos
                                  ? 0
                                  : seconds_at(std::string_view(text).substr(at + library.size()))};
}

}  // namespace hopbine::select
