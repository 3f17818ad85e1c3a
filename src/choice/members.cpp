#include "choice/members.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "choice/by_devices.hpp"
#include "choice/job.hpp"
#include "runtime/log.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

std::string Members::find_unusable() const {
    if (size == 1) return "one rank";
    if (!job().open) return job().why_closed;
    if (members_.empty()) return "ranks of another MPI_COMM_WORLD";
    const std::uint64_t own = job().rank(members_[static_cast<std::size_t>(rank)]).settings;
    for (const int r : members_)
        if (job().rank(r).settings != own) return "settings differ between ranks";
    return settings().broken.empty() ? "" : "settings cannot be used";
}

const select::LocatedRanks& Members::located() {
    if (!located_) located_.emplace(job().placement(members_), torus());
    return *located_;
}

int Members::device_ranks() {
    if (device_ranks_) return *device_ranks_;
    if (members_.empty()) return 0;
    const Units& nodes = located().nodes;
    const int each = nodes.size(0);
    device_ranks_ = nodes.even() && each > 1 && each <= ByDevices::kMostRanks ? each : 0;
    return *device_ranks_;
}

std::span<const int> Members::of_node() {
    const Units& nodes = located().nodes;
    return nodes.members(nodes.of(rank));
}

std::vector<int> Members::of_place() {
    const Units& nodes = located().nodes;
    const auto place = static_cast<std::size_t>(nodes.index(rank));
    std::vector<int> out;
    for (int n = 0; n < nodes.count(); ++n) out.push_back(nodes.members(n)[place]);
    return out;
}

std::vector<int> Members::torus() const {
    const std::vector<int>& told = settings().shape;
    return std::accumulate(told.begin(), told.end(), std::int64_t{1}, std::multiplies<>()) == size
               ? told
               : std::vector<int>{};
}

bool Members::has_all_in_order() const {
    return members_.size() == job().ranks.size() && std::ranges::is_sorted(members_);
}

bool Members::shares_memory() const {
    constexpr int kMost = 64;  // processes that a process opens the memory of
    return size <= kMost && settings().shared_memory && job().share_memory(members_);
}

double Members::clock() { return static_cast<double>(now()) * 1e-9; }

bool Members::speaks() const {
    const bool has_first = std::ranges::find(members_, 0) != members_.end();
    return has_first ? members_[static_cast<std::size_t>(rank)] == 0 : rank == 0;
}

void Members::say(const std::string& what) const { say_once(what, speaks()); }

}  // namespace hopbine::mpi
