/// Memory of one call: the base address of each space of a plan, and scratch kept between calls.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <new>

#include "mpi/execute/datatype.hpp"
#include "mpi/execute/memory.hpp"
#include "runtime/mirror.hpp"
#include "runtime/plan.hpp"
#include "schedule/integers.hpp"

namespace hopbine::mpi {

/// Bytes rounded up to whole cache lines.
constexpr std::int64_t lines(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Aligned scratch memory that only grows: the steady state allocates nothing. It is the host's,
/// or that of a device.
class Scratch {
public:
    /// Bytes above which trim() frees the memory.
    static constexpr std::int64_t kKept = 256 << 20;
    explicit Scratch(Memory* device = nullptr) : device_(device) {}
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() { release(); }
    char* at_least(std::int64_t bytes) {
        if (bytes > capacity_) grow(bytes);
        return data_;
    }
    void trim() {
        if (capacity_ > kKept) release();
    }
    void release() {
        if (device_ && data_)
            device_->release(data_);
        else
            std::free(data_);
        data_ = nullptr;
        capacity_ = 0;
    }

private:
    void grow(std::int64_t bytes) {
        release();
        const std::int64_t rounded = (bytes + 4095) / 4096 * 4096;
        data_ = device_
                    ? device_->allocate(rounded)
                    : static_cast<char*>(std::aligned_alloc(64, static_cast<std::size_t>(rounded)));
        if (!data_) throw std::bad_alloc();
        capacity_ = rounded;
    }
    Memory* device_;
    char* data_ = nullptr;
    std::int64_t capacity_ = 0;
};

/// A part of the staging buffer, allocated piece by piece.
struct Stage {
    char* begin = nullptr;
    std::int64_t used = 0;
};

/// Maps a position to an element: equal blocks, a vector cut into p parts, or parts of given sizes.
class Layout {
public:
    std::int64_t block = 0;                ///< elements of a block; 0: a vector cut in parts
    std::int64_t n = 0, parts = 1;         ///< part b is [b n / parts, (b+1) n / parts)
    const std::int64_t* prefix = nullptr;  ///< first element of every position; or null
    std::int64_t within = 1;  ///< parts per block; above 1 positions are those of parts
    std::int64_t operator()(std::int64_t position) const {
        if (within == 1) return whole(position);
        return part_begin(position, within, [this](std::int64_t b) { return whole(b); });
    }

private:
    std::int64_t whole(std::int64_t position) const {
        return prefix ? prefix[position] : block ? position * block : part(position);
    }
    /// The ends of the vector without divisions, which take as long as the rest of a short step.
    std::int64_t part(std::int64_t position) const {
        return position == 0 ? 0 : position == parts ? n : proportional(position, parts, n);
    }
};

/// Copies of a call between the user's buffer and the one that its plan works on, made step by
/// step. Both return an MPI error code.
class Copies {
public:
    /// Makes those that the step's messages need, before they are posted.
    virtual int before(const StepView& step) = 0;
    /// Makes copies while the step's messages are in flight.
    virtual int in_flight(const StepView& step) = 0;

protected:
    ~Copies() = default;
};

/// Memory that the executor works on. Elements are bytes when `reduction` is null.
struct Binding {
    char* base[3] = {};
    char* own = nullptr;  ///< the user's vector, read only: Plan::direct_step uses it instead of a
                          ///< copy in `base`; null: `base` has the vector
    Layout layout;
    std::int64_t width = 1;  ///< bytes from element to element
    const Reduction* reduction = nullptr;
    Copies* copies = nullptr;  ///< made while messages are in flight; null: the caller makes all
    MemoryWork* device = nullptr;  ///< copies and reduces; null: the CPU does, in host memory
    Mirror* mirror = nullptr;      ///< has some of the memory; null: all of it is here
    bool results = false;          ///< what the plan writes last in `base` is a result in its place
    bool signals = false;          ///< messages without data are sent; otherwise they are left out
    bool plain() const { return !reduction || reduction->type.plain; }
};

}  // namespace hopbine::mpi
