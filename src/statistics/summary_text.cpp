#include "statistics/summary_text.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace hopbine::mpi {

namespace {

/// With a comma before each three digits.
std::string number(std::int64_t n) {
    std::string out = std::to_string(n);
    for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > 0; at -= 3)
        out.insert(static_cast<std::size_t>(at), 1, ',');
    return out;
}

std::string served_of(std::int64_t served, std::int64_t made) {
    return (served ? number(served) : "none") + " of " + number(made);
}

/// Such as "41 % fewer bytes than". Words: what is compared with less, more, and as much.
std::string change(double now, double before, const std::string& what,
                   const std::array<const char*, 3>& words) {
    const double percent = 100 * std::fabs(now / before - 1);
    if (percent < 0.05) return words[2] + (" " + what) + " as ";
    char text[40];
    std::snprintf(text, sizeof text, percent < 9.95 ? "%.1f %% " : "%.0f %% ", percent);
    return text + (words[now < before ? 0 : 1] + (" " + what)) + " than ";
}

std::string counted(const Summary& s) {
    const long long made = s.counts.made[COUNT_CALL], served = s.counts.served[COUNT_CALL],
                    requests = s.counts.made[COUNT_PERSISTENT],
                    ours = s.counts.served[COUNT_PERSISTENT];
    std::string out = "served ";
    if (made || !requests) out += served_of(served, made) + " collective calls";
    if (requests) out += (made ? " and " : "") + served_of(ours, requests) + " persistent requests";
    return served || ours || s.why_none.empty() ? out : out + ": " + s.why_none;
}

std::string crossed(const Summary& s) {
    const select::Crossing& c = s.crossing;
    if (!(c.classic > 0)) return "";
    const std::string where =
        c.calls < s.counts.served[COUNT_CALL] ? " in " + number(c.calls) + " of them" : "";
    const std::string units = c.groups ? "groups" : "nodes";
    return "; " +
           change(c.served, c.classic, "bytes between " + units + where,
                  {"fewer", "more", "as many"}) +
           "the classic algorithms";
}

/// Such as "1.23 s", "45.6 ms" or "0.4 us".
std::string shown(double seconds) {
    char text[40];
    const double unit = seconds >= 1 ? 1 : seconds >= 1e-3 ? 1e-3 : 1e-6;
    std::snprintf(text, sizeof text, "%.3g %s", seconds / unit,
                  unit == 1      ? "s"
                  : unit == 1e-3 ? "ms"
                                 : "us");
    return text;
}

/// What the account comes to. What calls saved that were not compared with the library's is not in
/// it.
std::string verdict(const AccountLine& a) {
    const double net = a.saved - a.spent;
    const std::string by = (net < 0 ? "slower by " : "faster by ") + shown(std::fabs(net));
    if (a.uncompared == 0) return by;
    return by + (net < 0 ? " at most, as " : " at least, as ") + number(a.uncompared) +
           " served calls were not compared with the library's";
}

/// The account: what was saved and spent against the MPI library alone, as measured.
std::string accounted(const Summary& s) {
    const AccountLine& a = s.account;
    if (!(a.in_collectives > 0)) return "";
    return "; " + shown(a.in_collectives) + " in collectives, " +
           (a.saved > 0 ? shown(a.saved) : "nothing") + " saved, " + shown(a.spent) +
           " spent: " + verdict(a) +
           (a.stopped ? "; choosing did not pay, and the MPI library served the rest" : "");
}

}  // namespace

std::string text(const Summary& s) {
    return counted(s) + crossed(s) + accounted(s) + "; see hopbine stats " +
           (s.stats.empty() ? "(--stats FILE)" : s.stats);
}

}  // namespace hopbine::mpi
