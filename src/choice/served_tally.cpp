#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "choice/chooser.hpp"
#include "choice/members.hpp"
#include "choice/summary.hpp"
#include "runtime/plan.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

constexpr std::size_t kMostKinds = 256;
/// A schedule of more ranks takes longer to count than a program should wait at its end.
constexpr int kMostRanks = 1024;

struct Entry {
    select::ServedCalls kind;
    ServedTally tally;
};

std::mutex tally_lock;
std::map<std::string, Entry>& entries() {
    static std::map<std::string, Entry> all;
    return all;
}

std::vector<select::ServedCalls> by_bytes() {
    const std::lock_guard hold(tally_lock);
    std::vector<select::ServedCalls> out;
    for (const auto& [key, entry] : entries()) {
        if (entry.tally.calls == 0 || entry.kind.problem.p > kMostRanks) continue;
        select::ServedCalls& kind = out.emplace_back(entry.kind);
        kind.calls = entry.tally.calls;
        kind.bytes = static_cast<double>(entry.tally.bytes);
    }
    std::ranges::sort(out, std::greater(), &select::ServedCalls::bytes);
    return out;
}

}  // namespace

ServedTally* served_tally(const Plan& plan, Members& group, Collective c, std::int64_t bytes,
                          int root, const Chosen& chosen) {
    if (group.form() != Form::blocking || bytes < 0 || !select::counts(c) || !spec(c).has_data() ||
        !group.has_all_in_order())
        return nullptr;
    const Algorithm& a = *plan.algorithm;
    const bool renumbered = chosen.numbering && !a.follows_placement;
    const std::string key =
        std::string(name(c)) + ' ' + select::text(a.name, chosen.choice.parameters) + '@' +
        std::to_string(rooted(c) ? root : 0) + '/' + std::to_string(select::size_class(bytes)) +
        (renumbered ? chosen.numbering->name : "");
    const std::lock_guard hold(tally_lock);
    if (!entries().contains(key) && entries().size() == kMostKinds) return nullptr;
    Entry& kind = entries()[key];
    if (!kind.kind.algorithm)
        kind.kind = {&a,
                     {c, group.size, rooted(c) ? root : 0, chosen.choice.parameters,
                      group.located().placement,
                      a.follows_shape ? group.shape() : std::vector<int>{}, bytes},
                     renumbered ? chosen.numbering->order : std::vector<int>{}};
    return &kind.tally;
}

select::Crossing served_crossing(const Placement& units, double seconds) {
    const std::int64_t until = now() + static_cast<std::int64_t>(seconds * 1e9);
    select::Crossing out;
    for (const select::ServedCalls& kind : by_bytes()) {
        if (now() > until) break;
        out.add(select::crossing(kind, units));
    }
    return out;
}

}  // namespace hopbine::mpi
