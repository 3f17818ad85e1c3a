/// Host memory that a device copies from and to by itself.
#pragma once
#include <cstddef>

#include "device/space.hpp"

namespace hopbine::device {

/// A range of it. Given back, it is kept for later calls: to pin memory takes longer than to copy
/// to it.
class Pinned {
public:
    /// Throws std::bad_alloc.
    Pinned(std::size_t bytes, Space& space);
    ~Pinned();
    Pinned(Pinned&& other) noexcept;
    Pinned& operator=(Pinned&&) = delete;
    char* begin() const { return begin_; }

private:
    char* begin_;
    std::size_t bytes_;
    Space* space_;
};

}  // namespace hopbine::device
