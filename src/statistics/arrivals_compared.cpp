// Compares what all ranks have kept of the same calls, and tells it in JSON.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

#include "select/json.hpp"
#include "statistics/arrivals.hpp"
#include "statistics/arrivals_packed.hpp"

namespace hopbine::mpi {

namespace {

/// Parts of a job that are told apart: by chance alone, one of two nodes is the later one in all of
/// them once in 2^31 jobs. What disturbs a rank for longer than a call disturbs few of them.
constexpr std::size_t kParts = 32;
/// Numbers of all parts, ranks and communicators in the file, of which each takes 8 bytes.
constexpr std::size_t kNumbers = 1 << 19;
/// Ranks of all communicators in it, of which each takes 40 bytes besides.
constexpr std::size_t kMembers = 1 << 18;
/// The share of the calls of a part that is left out on either side of a mean: an interrupted rank
/// is late for once.
constexpr double kTrimmed = 0.05;

/// What a rank has kept.
struct OfRank {
    PackedArrivals header;
    std::string node;
    std::vector<float> inside, outside;
};

/// What the ranks of a communicator have kept.
struct Ranks {
    std::map<std::uint32_t, OfRank> by_rank;
    std::vector<float> begun;
    std::string ranks;

    /// Why they cannot be compared; null: they can.
    const char* why_not() const {
        const PackedArrivals& first = by_rank.begin()->second.header;
        if (by_rank.size() < first.size) return "too many communicators on some ranks";
        for (const auto& [rank, one] : by_rank) {
            if (one.header.mixed) return "several threads made the calls";
            if (one.header.calls != first.calls) return "other calls on some ranks";
        }
        return nullptr;
    }
};

/// Calls that all ranks of a communicator have kept and could not leave before all had come.
class Compared {
public:
    explicit Compared(Ranks of) : of_(std::move(of)), ranks_(of_.by_rank.size()) {
        for (std::size_t k = 0; k < of_.begun.size(); ++k) add(k);
    }
    std::size_t ranks() const { return ranks_; }
    std::uint64_t calls() const { return of_.by_rank.at(0).header.calls; }
    std::string json(std::size_t parts) const;

private:
    /// Ranks that are compared as one: those of a node, or a single one.
    using Unit = std::vector<std::uint32_t>;
    /// The calls of a part of the job.
    struct Part {
        std::size_t begin, end;
    };
    /// A number of each rank in each call.
    enum What : std::uint8_t { late, outside };

    void add(std::size_t k);
    std::vector<Unit> nodes() const;
    std::vector<Unit> single_ranks() const;
    double value(std::size_t call, std::uint32_t rank, What what) const;
    double middle(std::size_t call, const Unit& unit, What what) const;
    std::string first_json(const Part& part, const std::vector<Unit>& units, What what) const;
    double late_in(const Part& part, std::uint32_t rank) const;

    Ranks of_;
    std::size_t ranks_;
    std::vector<std::size_t> calls_;  ///< their numbers among those kept
    std::vector<double> mean_;        ///< seconds inside of each, of all ranks
    std::vector<std::int64_t> last_ = std::vector<std::int64_t>(ranks_);
    std::vector<double> waited_for_ = std::vector<double>(ranks_),
                        waited_ = std::vector<double>(ranks_),
                        outside_ = std::vector<double>(ranks_),
                        inside_ = std::vector<double>(ranks_);
};

/// Adds a call, unless a rank tells nothing of it.
void Compared::add(std::size_t k) {
    double sum = 0, least = INFINITY;
    std::size_t last = 0;
    for (const auto& [rank, one] : of_.by_rank) {
        if (std::isnan(one.inside[k])) return;
        sum += one.inside[k];
        if (one.inside[k] < least) least = one.inside[k], last = rank;
    }
    ++last_[last];
    waited_for_[last] +=
        (sum - static_cast<double>(ranks_) * least) / static_cast<double>(ranks_ - 1);
    for (const auto& [rank, one] : of_.by_rank) {
        waited_[rank] += one.inside[k] - least;
        outside_[rank] += one.outside[k];
        inside_[rank] += one.inside[k];
    }
    calls_.push_back(k);
    mean_.push_back(sum / static_cast<double>(ranks_));
}

/// The nodes of the ranks, where there are several that are not single ranks.
std::vector<Compared::Unit> Compared::nodes() const {
    std::map<std::string, Unit> by_name;
    for (const auto& [rank, one] : of_.by_rank) by_name[one.node].push_back(rank);
    std::vector<Unit> out;
    if (by_name.size() < 2 || by_name.size() == ranks_ || by_name.contains("")) return out;
    for (auto& [name, unit] : by_name) out.push_back(std::move(unit));
    return out;
}

std::vector<Compared::Unit> Compared::single_ranks() const {
    std::vector<Unit> out;
    for (const auto& [rank, one] : of_.by_rank) out.push_back({rank});
    return out;
}

/// How much later than the mean of all a rank came to a call, or how long it was outside before.
double Compared::value(std::size_t call, std::uint32_t rank, What what) const {
    const OfRank& one = of_.by_rank.at(rank);
    const std::size_t k = calls_[call];
    return what == outside ? double{one.outside[k]} : mean_[call] - double{one.inside[k]};
}

/// The lower median of the ranks of a unit.
double Compared::middle(std::size_t call, const Unit& unit, What what) const {
    if (unit.size() == 1) return value(call, unit[0], what);
    std::vector<double> values;
    for (const std::uint32_t rank : unit) values.push_back(value(call, rank, what));
    const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, at);
    return *at;
}

/// The first rank of the unit that has the highest number in most calls of a part; null: there are
/// several such units.
std::string Compared::first_json(const Part& part, const std::vector<Unit>& units,
                                 What what) const {
    std::vector<std::size_t> calls(units.size());
    for (std::size_t call = part.begin; call < part.end; ++call) {
        std::size_t first = 0;
        double most = -INFINITY;
        for (std::size_t u = 0; u < units.size(); ++u)
            if (const double x = middle(call, units[u], what); x > most) most = x, first = u;
        ++calls[first];
    }
    const auto most = std::ranges::max_element(calls);
    if (std::ranges::count(calls, *most) > 1) return "null";
    return std::to_string(units[static_cast<std::size_t>(most - calls.begin())].front());
}

/// How much later than the mean of all a rank came to the calls of a part: the mean of these,
/// without the highest and the lowest.
double Compared::late_in(const Part& part, std::uint32_t rank) const {
    std::vector<double> values;
    for (std::size_t call = part.begin; call < part.end; ++call)
        values.push_back(value(call, rank, late));
    std::ranges::sort(values);
    const auto cut = static_cast<std::ptrdiff_t>(kTrimmed * static_cast<double>(values.size()));
    return std::accumulate(values.begin() + cut, values.end() - cut, 0.0) /
           static_cast<double>(static_cast<std::ptrdiff_t>(values.size()) - 2 * cut);
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

/// A JSON array of what `text` makes of 0 to n - 1.
template <class Text>
std::string array(std::size_t n, const Text& text) {
    std::string out;
    for (std::size_t i = 0; i < n; ++i) out += (i ? ", " : "") + text(i);
    return '[' + out + ']';
}

std::string means(const std::vector<double>& sums, std::size_t calls) {
    return array(sums.size(), [&](std::size_t r) {
        return number(sums[r] / static_cast<double>(std::max<std::size_t>(1, calls)));
    });
}

std::string Compared::json(std::size_t most_parts) const {
    const std::size_t compared = calls_.size(), parts = std::min(most_parts, compared);
    const auto part = [&](std::size_t n) {
        return Part{compared * n / parts, compared * (n + 1) / parts};
    };
    const auto begun = [&](std::size_t n) {
        return number(double{of_.begun[calls_[part(n).begin]]});
    };
    const auto late_ranks = [&](std::size_t n) {
        return array(ranks_, [&](std::size_t r) {
            return number(late_in(part(n), static_cast<std::uint32_t>(r)));
        });
    };
    const auto first = [&](const std::vector<Unit>& units, What what) {
        return array(units.empty() ? 0 : parts,
                     [&](std::size_t n) { return first_json(part(n), units, what); });
    };
    return "{\"ranks\": " + json::quote(of_.ranks) + ", \"comm_size\": " + std::to_string(ranks_) +
           ", \"calls\": " + std::to_string(calls()) +
           ", \"compared\": " + std::to_string(compared) + ",\n   \"last\": " +
           array(ranks_, [&](std::size_t r) { return std::to_string(last_[r]); }) +
           ",\n   \"waited_for\": " + means(waited_for_, compared) +
           ",\n   \"waited\": " + means(waited_, compared) +
           ",\n   \"inside\": " + means(inside_, compared) +
           ",\n   \"outside\": " + means(outside_, compared) +
           ",\n   \"begun\": " + array(parts, begun) +
           ",\n   \"latest_node\": " + first(nodes(), late) +
           ",\n   \"longest_node\": " + first(nodes(), outside) +
           ",\n   \"latest_rank\": " + first(single_ranks(), late) +
           ",\n   \"longest_rank\": " + first(single_ranks(), outside) +
           ",\n   \"late_in_parts\": " + array(parts, late_ranks) + '}';
}

/// Adds what a rank has kept.
void unpack(const std::string& packed, const std::string& node,
            std::map<std::uint64_t, Ranks>& all) {
    PackedReader in(packed);
    while (!in.ends()) {
        const PackedArrivals header = in.header();
        Ranks& of = all[header.key];
        OfRank& one = of.by_rank[header.rank];
        one = {header, node, in.floats(header.kept), in.floats(header.kept)};
        if (header.rank != 0) continue;
        of.begun = in.floats(header.kept);
        of.ranks = in.text(header.ranks);
    }
}

/// Keeps the communicators of most ranks, and of most calls among those, as many as the file has
/// room for. Returns how many ranks they have.
std::size_t leave_out_small(std::vector<Compared>& all, std::map<std::string, int>& left_out) {
    std::ranges::sort(all, std::ranges::greater(),
                      [](const Compared& one) { return std::pair(one.ranks(), one.calls()); });
    std::size_t members = 0, kept = 0;
    for (; kept < all.size() && (kept == 0 || members + all[kept].ranks() <= kMembers); ++kept)
        members += all[kept].ranks();
    if (kept < all.size())
        left_out["others have more ranks or calls"] = static_cast<int>(all.size() - kept);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(kept), all.end());
    return members;
}

}  // namespace

std::string compared_arrivals(const std::vector<std::string>& ranks,
                              const std::vector<std::string>& nodes) {
    std::map<std::uint64_t, Ranks> all;
    for (std::size_t r = 0; r < ranks.size(); ++r) unpack(ranks[r], nodes[r], all);
    std::vector<Compared> compared;
    std::map<std::string, int> not_compared;
    for (auto& [key, of] : all) {
        if (const char* const why = of.why_not())
            ++not_compared[why];
        else
            compared.emplace_back(std::move(of));
    }
    const std::size_t members = leave_out_small(compared, not_compared);
    std::string listed, left_out;
    const std::size_t parts =
        std::clamp<std::size_t>(kNumbers / std::max<std::size_t>(1, members), 1, kParts);
    for (const Compared& one : compared)
        listed += (listed.empty() ? "\n  " : ",\n  ") + one.json(parts);
    for (const auto& [why, communicators] : not_compared)
        left_out += (left_out.empty() ? "" : ", ") + json::quote(why) + ": " +
                    std::to_string(communicators);
    return "{\"communicators\": [" + listed + "], \"not_compared\": {" + left_out + "}}";
}

}  // namespace hopbine::mpi
