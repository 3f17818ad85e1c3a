#include "mpi/state/group.hpp"

#include <algorithm>
#include <cstring>

#include "choice/job.hpp"
#include "choice/summary.hpp"
#include "device/runtime.hpp"
#include "mpi/state/world.hpp"
#include "schedule/bounds.hpp"

namespace hopbine::mpi {

Group::Group(MPI_Comm comm) : Members(Form::blocking), user_(comm) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (job().open) members_ = World::get().members(comm);
    unusable_ = intercommunicates(comm) ? "intercommunicator" : find_unusable();
    note_unserved(unusable_);
}

Group::Group(const Group& other, Form form)
    : Members(form), user_(other.user_), shape_(other.shape()) {
    rank = other.rank;
    size = other.size;
    members_ = other.members_;
    unusable_ = intercommunicates(user_) ? "intercommunicator" : find_unusable();
}

Group::Group(const Group& of, std::span<const int> ranks)
    : Members(Form::blocking), user_(MPI_COMM_NULL), endpoint_(of.endpoint_) {
    size = static_cast<int>(ranks.size());
    for (const int r : ranks) {
        if (r == of.rank) rank = static_cast<int>(members_.size());
        members_.push_back(endpoint_.rank(r));
        if (endpoint_.tags) first_tags_.push_back(endpoint_.tags[r]);
    }
    endpoint_.ranks = members_.data();
    if (endpoint_.tags) endpoint_.tags = first_tags_.data();
    endpoint_.carrier = {};
}

bool intercommunicates(MPI_Comm comm) {
    int between = 0;
    return PMPI_Comm_test_inter(comm, &between) != MPI_SUCCESS || between;
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

std::vector<int> Group::shape() const {
    if (form() != Form::blocking) return shape_;
    int kind = MPI_UNDEFINED, dimensions = 0;
    if (user_ != MPI_COMM_NULL) PMPI_Topo_test(user_, &kind);
    if (kind == MPI_CART && PMPI_Cartdim_get(user_, &dimensions) == MPI_SUCCESS && dimensions > 0 &&
        dimensions <= static_cast<int>(kMostDimensions)) {
        std::vector<int> out(static_cast<std::size_t>(dimensions)), periods(out), coordinates(out);
        PMPI_Cart_get(user_, dimensions, out.data(), periods.data(), coordinates.data());
        return out;
    }
    return torus();
}

void Group::maxima(std::span<double> numbers) {
    PMPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE,
                   MPI_MAX, user_);
}

void Group::barrier() { PMPI_Barrier(user_); }

std::int64_t Group::most(std::int64_t mine) {
    std::int64_t most = mine;
    PMPI_Allreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, user_);
    return most;
}

/// Throws Error where a message of a decision has failed.
static void check(int error) {
    if (error != MPI_SUCCESS) throw Error("the ranks could not tell each other what to decide by");
}

void Group::most_of_all(std::span<std::int64_t> numbers) {
    check(mpi::most_of_all(numbers, rank, size, kDataChannel, endpoint_));
}

/// Bytes in the first message, which tells their number. What is beyond it follows in a second one:
/// a probe could not be made inside of MPICH's progress.
constexpr std::size_t kFirst = 4088;

void Group::send(const select::Bytes& all, int to) {
    const std::uint64_t length = all.size();
    const std::size_t first = std::min(all.size(), kFirst), rest = all.size() - first;
    select::Bytes message(sizeof length + first);
    std::memcpy(message.data(), &length, sizeof length);
    std::copy_n(all.begin(), first, message.begin() + sizeof length);
    check(mpi::send(message.data(), static_cast<int>(message.size()), MPI_BYTE, to, kDataChannel,
                    endpoint_));
    if (rest)
        check(mpi::send(all.data() + first, static_cast<int>(rest), MPI_BYTE, to, kDataChannel,
                        endpoint_));
}

select::Bytes Group::receive(int from) {
    std::uint64_t length = 0;
    select::Bytes message(sizeof length + kFirst);
    check(mpi::receive(message.data(), static_cast<int>(message.size()), MPI_BYTE, from,
                       kDataChannel, endpoint_));
    std::memcpy(&length, message.data(), sizeof length);
    select::Bytes out(length);
    const std::size_t first = std::min(out.size(), kFirst), rest = out.size() - first;
    std::copy_n(message.begin() + sizeof length, first, out.begin());
    if (rest)
        check(mpi::receive(out.data() + first, static_cast<int>(rest), MPI_BYTE, from, kDataChannel,
                           endpoint_));
    return out;
}

}  // namespace hopbine::mpi
