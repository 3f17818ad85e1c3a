#include "mpi/state/tag_space.hpp"

#include <algorithm>

#include "runtime/tag_spaces.hpp"

namespace hopbine::mpi {

namespace {

/// All spaces: those below the largest tag.
TagSpaces& spaces() {
    static TagSpaces& all = *[] {
        int *largest = nullptr, found = 0;
        PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &found);
        constexpr int kPromised = 32767;  // the least that MPI guarantees
        return new TagSpaces((found ? *largest : kPromised) / kCallTags.each);
    }();
    return all;
}

constexpr int kNone = TagSpaces::kNone;

}  // namespace

int TagSpace::lanes() {
    constexpr int kMost = 16, kLeastCommunicators = 1024;
    return std::clamp(spaces().limit() / kLeastCommunicators, 1, kMost);
}

TagSpace::~TagSpace() {
    if (is_open()) spaces().give_back(own_, width_);
}

bool TagSpace::open(MPI_Comm user, int size, int* most_of_all) {
    const auto [mine, negative] = offer();
    const double told[3] = {mine, negative, static_cast<double>(*most_of_all)};
    double most[3] = {};
    PMPI_Allreduce(told, most, 3, MPI_DOUBLE, MPI_MAX, user);
    *most_of_all = static_cast<int>(most[2]);
    return end_offer(user, size, most[0], most[1]);
}

std::array<double, 2> TagSpace::offer() {
    offered_ = spaces().take(width_);
    return {static_cast<double>(offered_), -static_cast<double>(offered_)};
}

bool TagSpace::end_offer(MPI_Comm user, int size, double most, double most_negative) {
    if (most == kNone) {
        if (offered_ != kNone) spaces().give_back(offered_, width_);
        return false;
    }
    own_ = offered_;
    if (most == -most_negative) return true;
    others_.resize(static_cast<std::size_t>(size));
    const int first = tag();
    PMPI_Allgather(&first, 1, MPI_INT, others_.data(), 1, MPI_INT, user);
    return true;
}

int TagSpace::begin_open(MPI_Comm user, int size, MPI_Request* request) {
    const int mine = spaces().take(width_);
    others_.resize(static_cast<std::size_t>(size));
    first_ = mine == kNone ? kNone : kCallTags.first(mine);
    return PMPI_Iallgather(&first_, 1, MPI_INT, others_.data(), 1, MPI_INT, user, request);
}

bool TagSpace::end_open() {
    if (std::ranges::find(others_, kNone) != others_.end()) {
        if (first_ != kNone) spaces().give_back(first_ / kCallTags.each, width_);
        return false;
    }
    own_ = first_ / kCallTags.each;
    if (std::ranges::all_of(others_, [this](int tag) { return tag == first_; })) others_.clear();
    return true;
}

}  // namespace hopbine::mpi
