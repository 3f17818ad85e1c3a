#include "location/groups.hpp"

#include <charconv>
#include <string_view>
#include <vector>

#include "schedule/bounds.hpp"
#include "schedule/problem.hpp"

namespace hopbine::location {

namespace {

/// Parts between separators that are outside brackets.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> out;
    std::size_t begin = 0;
    bool inside = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == separator && !inside)) {
            out.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        } else if (text[i] == '[' || text[i] == ']') {
            inside = text[i] == '[';
        }
    }
    return out;
}

std::optional<std::uint64_t> number(std::string_view digits) {
    std::uint64_t out = 0;
    const auto [end, wrong] = std::from_chars(digits.begin(), digits.end(), out);
    if (wrong != std::errc() || end != digits.end()) return {};
    return out;
}

/// Whether digits of a host name are in a range such as "001-010", whose numbers have leading
/// zeros up to the width of the first.
bool in_range(std::string_view digits, std::string_view range) {
    const std::size_t dash = range.find('-');
    const std::string_view low = range.substr(0, dash);
    const std::string_view high = dash == range.npos ? low : range.substr(dash + 1);
    const auto first = number(low), last = number(high), value = number(digits);
    const bool padded = digits.size() > 1 && digits[0] == '0';
    return first && last && value && *first <= *value && *value <= *last &&
           (digits.size() == low.size() || (digits.size() > low.size() && !padded));
}

/// Whether a host fits a pattern such as "r[1-2]n[01-16]".
bool fits(std::string_view host, std::string_view pattern) {
    const std::size_t open = pattern.find('['), close = pattern.find(']', open);
    if (open == pattern.npos || close == pattern.npos) return host == pattern;
    if (host.substr(0, open) != pattern.substr(0, open)) return false;
    host.remove_prefix(std::min(open, host.size()));
    const auto ranges = split(pattern.substr(open + 1, close - open - 1), ',');
    for (std::size_t n = 1; n <= host.size() && host[n - 1] >= '0' && host[n - 1] <= '9'; ++n)
        for (const std::string_view range : ranges)
            if (in_range(host.substr(0, n), range) &&
                fits(host.substr(n), pattern.substr(close + 1)))
                return true;
    return false;
}

}  // namespace

std::string group_in(const std::string& groups, const std::string& host) {
    const std::string bare = host.substr(0, host.find('.'));
    for (const std::string_view part : split(groups, ';')) {
        const std::size_t equals = part.find('=');
        if (equals == part.npos || !equals)
            throw Error("HOPBINE_GROUPS has '" + shown(std::string(part)) +
                        "', not GROUP=HOSTS (hopbine env prints it)");
        for (const std::string_view hosts : split(part.substr(equals + 1), ','))
            if (fits(host, hosts) || fits(bare, hosts)) return std::string(part.substr(0, equals));
    }
    throw Error("host '" + shown(host) +
                "' is in none of the groups of HOPBINE_GROUPS: hopbine env prints those of the "
                "nodes of this job, when it is called inside the job");
}

}  // namespace hopbine::location
