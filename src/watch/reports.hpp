/// What a watcher prints: a report of ranks that wait, and a few more of what has changed.
#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>

#include "watch/findings.hpp"
#include "watch/words.hpp"

namespace hopbine::watch {

class Reports {
public:
    /// Most reports of a job: a user reads the first, and what has changed since.
    static constexpr int kMost = 5;
    /// Most ranks that are described in one report, and most findings.
    static constexpr std::size_t kMostRanks = 8, kMostFindings = 3;

    Reports(double limit, Place place) : limit_(limit), place_(std::move(place)) {}
    /// Lines for standard error; empty: nobody waits, or nothing has changed.
    std::string about(const Views& views);
    /// Lines about calls that do not match, as soon as that is seen; empty: none is new.
    std::string at_once(const Views& views);
    /// Whether something is reported that may have changed since.
    bool open() const { return !open_.empty() && made_ < kMost; }
    /// Lines that tell what every rank does, for who asks.
    static std::string all(const Views& views, const Place& place);

private:
    struct Told {
        std::string what;  ///< that was reported, but for times
        std::string call;
    };
    using Key = std::pair<std::uint64_t, std::uint64_t>;
    std::string went_on(const std::vector<Finding>& found);
    std::string mismatches(const Views& views);
    std::string counted(std::string text);

    double limit_;
    Place place_;
    int made_ = 0;
    std::map<Key, Told> open_;
    std::set<std::pair<std::string, std::string>> told_;  ///< sites of calls that do not match
};

}  // namespace hopbine::watch
