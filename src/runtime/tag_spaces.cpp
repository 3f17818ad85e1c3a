#include "runtime/tag_spaces.hpp"

#include <algorithm>

namespace hopbine::mpi {

bool TagSpaces::is_free(std::size_t from, std::size_t width) const {
    for (std::size_t at = from; at < std::min(from + width, taken_.size()); ++at)
        if (taken_[at]) return false;
    return true;
}

int TagSpaces::take(int wanted) {
    const std::lock_guard hold(lock_);
    const auto width = static_cast<std::size_t>(wanted);
    while (lowest_ < taken_.size() && taken_[lowest_]) ++lowest_;
    std::size_t at = lowest_;
    while (!is_free(at, width)) ++at;
    if (at + width > limit_) return kNone;
    taken_.resize(std::max(taken_.size(), at + width), false);
    std::fill_n(taken_.begin() + static_cast<std::ptrdiff_t>(at), width, true);
    return static_cast<int>(at);
}

void TagSpaces::give_back(int space, int width) {
    const std::lock_guard hold(lock_);
    std::fill_n(taken_.begin() + space, width, false);
    lowest_ = std::min(lowest_, static_cast<std::size_t>(space));
}

}  // namespace hopbine::mpi
