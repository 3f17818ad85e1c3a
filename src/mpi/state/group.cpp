#include "mpi/state/group.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "mpi/state/log.hpp"
#include "mpi/state/rank_location.hpp"
#include "mpi/state/summary.hpp"
#include "mpi/state/world.hpp"
#include "runtime/settings.hpp"
#include "schedule/bounds.hpp"

namespace hopbine::mpi {

Group::Group(MPI_Comm comm) : user_(comm) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (World::get().open()) members_ = World::get().members(comm);
    unusable_ = find_unusable();
    note_unserved(unusable_);
}

Group::Group(const Group& other, Form form)
    : rank(other.rank),
      size(other.size),
      user_(other.user_),
      form_(form),
      shape_(other.shape()),
      members_(other.members_),
      unusable_(other.find_unusable()) {}

/// Finds why the MPI library serves every call, without communication. All members find a reason,
/// or none does.
std::string Group::find_unusable() const {
    int between = 0;
    PMPI_Comm_test_inter(user_, &between);
    if (between) return "intercommunicator";
    if (size == 1) return "one rank";
    const World& world = World::get();
    if (!world.open()) return world.why_closed();
    if (members_.empty()) return "ranks of another MPI_COMM_WORLD";
    const std::uint64_t own =
        world.ranks()[static_cast<std::size_t>(members_[static_cast<std::size_t>(rank)])].settings;
    for (int r : members_)
        if (world.ranks()[static_cast<std::size_t>(r)].settings != own)
            return "settings differ between ranks";
    return settings().broken.empty() ? "" : "settings cannot be used";
}

bool Group::open(DeviceUse use) {
    if (tags_.is_open()) return true;
    if (!unusable_.empty()) return false;
    int most = static_cast<int>(use);
    if (!tags_.open(user_, size, &most)) {
        close();
        return false;
    }
    endpoint_ = endpoint(tags_);
    device.start(use, static_cast<DeviceUse>(most));
    return true;
}

std::array<double, 3> Group::tell() {
    std::array<double, 2> tags{};
    if (!is_open() && unusable_.empty()) tags = tags_.offer();
    device::Runtime& runtime = device::Runtime::get();
    const DeviceUse use = !runtime.loaded()  ? DeviceUse::none
                          : runtime.opaque() ? DeviceUse::used
                                             : DeviceUse::loaded;
    return {tags[0], tags[1], static_cast<double>(use)};
}

void Group::hear(std::span<const double> all) {
    const auto most = static_cast<DeviceUse>(all[2]);
    if (is_open()) {
        device.start_early(most);
    } else if (unusable_.empty() && tags_.end_offer(user_, size, all[0], all[1])) {
        endpoint_ = endpoint(tags_);
        device.start_early(most);
    } else {
        close();
    }
}

/// Leaves all calls to the library, since a rank has no tags left.
void Group::close() {
    if (!unusable_.empty()) return;
    unusable_ = "no tags left";
    say("no tags are left for one of its communicators of " + std::to_string(size) +
        " ranks; the MPI library serves its calls.");
}

Endpoint Group::endpoint(const TagSpace& tags) const {
    return {{members_.data(), tags.tags(), tags.tag()}, World::get().comm()};
}

const select::LocatedRanks& Group::located() {
    if (!located_) {
        std::vector<std::uint64_t> nodes, groups;
        for (int r : members_) {
            nodes.push_back(World::get().ranks()[static_cast<std::size_t>(r)].node);
            groups.push_back(World::get().ranks()[static_cast<std::size_t>(r)].group);
        }
        located_.emplace(placement_of(nodes, groups), torus());
    }
    return *located_;
}

std::vector<int> Group::shape() const {
    if (form_ != Form::blocking) return shape_;
    int kind = MPI_UNDEFINED, dimensions = 0;
    PMPI_Topo_test(user_, &kind);
    if (kind == MPI_CART && PMPI_Cartdim_get(user_, &dimensions) == MPI_SUCCESS && dimensions > 0 &&
        dimensions <= static_cast<int>(kMostDimensions)) {
        std::vector<int> out(static_cast<std::size_t>(dimensions)), periods(out), coordinates(out);
        PMPI_Cart_get(user_, dimensions, out.data(), periods.data(), coordinates.data());
        return out;
    }
    return torus();
}

/// HOPBINE_SHAPE where it has as many ranks; else none.
std::vector<int> Group::torus() const {
    const std::vector<int>& told = settings().shape;
    return std::accumulate(told.begin(), told.end(), std::int64_t{1}, std::multiplies<>()) == size
               ? told
               : std::vector<int>{};
}

bool Group::has_all_in_order() const {
    return members_.size() == World::get().ranks().size() && std::ranges::is_sorted(members_);
}

bool Group::shares_memory() const {
    constexpr int kMost = 64;  // processes that a process opens the memory of
    return size <= kMost && settings().shared_memory && World::get().share_memory(members_);
}

void Group::say(const std::string& what) const {
    const bool has_first = std::ranges::find(members_, 0) != members_.end();
    say_once(what, has_first ? members_[static_cast<std::size_t>(rank)] == 0 : rank == 0);
}

}  // namespace hopbine::mpi
