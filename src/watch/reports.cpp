#include "watch/reports.hpp"

#include <algorithm>

#include "watch/function.hpp"

namespace hopbine::watch {

namespace {

std::string line(const std::string& what) { return "hopbine: watch: " + what + "\n"; }

std::string ranks_text(const std::vector<int>& numbers) {
    return (numbers.size() == 1 ? "rank " : "ranks ") + ranges(numbers);
}

std::vector<int> numbers_of(const std::vector<Present>& in) {
    std::vector<int> out;
    for (const Present& p : in) out.push_back(p.rank->rank);
    std::ranges::sort(out);
    out.erase(std::ranges::unique(out).begin(), out.end());
    return out;
}

/// Lines about ranks that do not wait; `why` says what is wrong with them.
std::string lines_of(const std::vector<const RankView*>& ranks, const std::string& why,
                     const Words& words) {
    std::string out;
    std::vector<int> others;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (i < Reports::kMostRanks)
            out +=
                line("  " + Words::rank(*ranks[i]) + ", " + why + ": it " + words.doing(*ranks[i]));
        else
            others.push_back(ranks[i]->rank);
    if (!others.empty()) out += line("  and " + ranks_text(others) + ", " + why);
    return out;
}

/// The first line of a finding: who waits where, and since when.
std::string head(const Finding& f, const Words& words) {
    const std::vector<int> in = numbers_of(f.in);
    const Present& first = f.in.front();
    std::string out = ranks_text(in) + (in.size() == 1 ? " has" : " have") + " waited for " +
                      seconds_text(f.seconds) + " in " + words.call(first.thread->now);
    if (first.call != &first.thread->now) out += ", as it seems for " + words.call(*first.call);
    return line(out);
}

std::string body(const Finding& f, const Words& words) {
    std::string out;
    out += lines_of(f.missing, f.comm ? "has not come" : "does not go on", words);
    out += lines_of(f.started, "has started it and does not wait for it", words);
    if (f.unknown > 0)
        out += line("  nothing is known of " + std::to_string(f.unknown) +
                    " of its ranks: their nodes' watchers do not answer");
    if (!f.comm)
        for (std::size_t i = 1; i < std::min(f.in.size(), Reports::kMostRanks); ++i)
            out += line("  " + Words::rank(*f.in[i].rank) + ": it " + words.doing(*f.in[i].rank));
    if (f.comm && f.missing.empty() && f.started.empty() && f.unknown == 0)
        out += line(
            "  all its ranks have come, and their calls match: what they wait for is below "
            "them");
    return out;
}

/// What is reported, but for times.
std::string essence(const Finding& f) {
    std::string out = ranges(numbers_of(f.in));
    for (const auto* some : {&f.missing, &f.started})
        for (const RankView* r : *some) {
            const ThreadView* const t = Words::thread_of(*r);
            out += " " + std::to_string(r->rank) + (r->finished ? "f" : "") +
                   (r->life == Life::ended     ? "e"
                    : r->life == Life::stopped ? "s"
                                               : "") +
                   (t && t->inside ? std::to_string(t->now.number) : "");
        }
    return out + "?" + std::to_string(f.unknown);
}

}  // namespace

/// What is no longer waited for.
std::string Reports::went_on(const std::vector<Finding>& found) {
    std::string out;
    std::erase_if(open_, [&](const auto& entry) {
        const auto& [key, told] = entry;
        const bool waits = std::ranges::any_of(
            found, [&](const Finding& f) { return Key(f.comm, f.sequence) == key; });
        if (!waits) out += line("nobody waits any more in " + told.call);
        return !waits;
    });
    return out;
}

std::string Reports::about(const Views& views) {
    const Words words(views, place_);
    std::vector<Finding> found = find(views, limit_);
    std::string out = went_on(found) + mismatches(views);
    if (found.size() > kMostFindings) found.resize(kMostFindings);
    for (const Finding& f : found) {
        Told& told = open_[{f.comm, f.sequence}];
        const std::string now = essence(f);
        if (told.what == now) continue;
        told = {now, words.call(f.in.front().thread->now)};
        out += head(f, words) + body(f, words);
    }
    return counted(out);
}

std::string Reports::at_once(const Views& views) { return counted(mismatches(views)); }

/// Each pair of calls at two places is told once.
std::string Reports::mismatches(const Views& views) {
    const Words words(views, place_);
    std::string out;
    for (const Finding& f : find_mismatches(views)) {
        const CallView &a = *f.one.call, &b = *f.other.call;
        const auto one = [&](const Present& p) {
            return line("  " + Words::rank(*p.rank) + ": " + words.call(*p.call));
        };
        if (told_.size() == kMost || !told_.insert(std::minmax(a.site, b.site)).second) continue;
        out += line("calls do not match, by " + f.difference + ":") + one(f.one) + one(f.other);
    }
    return out;
}

/// The text, or nothing where enough was reported.
std::string Reports::counted(std::string text) {
    if (text.empty() || made_ == kMost) return "";
    if (++made_ == kMost) text += line("this is the last report");
    return text;
}

std::string Reports::all(const Views& views, const Place& place) {
    const Words words(views, place);
    std::string out;
    for (const RankView& r : views) out += Words::rank(r) + ": it " + words.doing(r) + "\n";
    return out;
}

}  // namespace hopbine::watch
