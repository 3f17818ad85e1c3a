/// Memory of one call: a device's, which works on it itself, and scratch kept between calls.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <new>

#include "device/kernels/operands.h"

namespace hopbine::mpi {

/// The memory of a device. Its work is begun, and is done in order; any thread may begin some.
/// False is a failure. A reduction is named by its kernel (kernel_name()), with the bytes of an
/// element.
class Memory {
public:
    virtual ~Memory() = default;
    /// Null: there is not so much.
    virtual char* allocate(std::int64_t bytes) = 0;
    /// Waits for the work on it.
    virtual void release(char* memory) = 0;
    virtual bool copy(char* to, const char* from, std::int64_t bytes) = 0;
    /// mine[0..n) = in op mine. The operation is one that reduces() is true for.
    virtual bool reduce(const char* kernel, std::int64_t width, const char* in, char* mine,
                        std::int64_t n) = 0;
    /// The sum of operands of n elements. One of them is `out`, which gets it.
    virtual bool reduce_several(const char* kernel, std::int64_t width, const hopbine_operands& of,
                                char* out, std::int64_t n) = 0;
    /// `kernel` may be null: there is none.
    virtual bool reduces(const char* kernel) const = 0;
    /// Waits for the work that was begun.
    virtual bool wait() = 0;
    /// Waits for what the program has begun before its call.
    virtual bool wait_for_program() = 0;
};

/// The work of one call on a device's memory.
class MemoryWork {
public:
    explicit MemoryWork(Memory& memory) : memory_(memory), good_(memory.wait_for_program()) {}
    MemoryWork(const MemoryWork&) = delete;
    MemoryWork& operator=(const MemoryWork&) = delete;
    ~MemoryWork() { wait(); }

    bool is_of(const Memory& memory) const { return &memory_ == &memory; }
    void copy(char* to, const char* from, std::int64_t bytes) {
        if (bytes > 0) begin(memory_.copy(to, from, bytes));
    }
    void reduce(const char* kernel, std::int64_t width, const char* in, char* mine,
                std::int64_t n) {
        if (n > 0) begin(memory_.reduce(kernel, width, in, mine, n));
    }
    void reduce_several(const char* kernel, std::int64_t width, const hopbine_operands& of,
                        char* out, std::int64_t n) {
        if (n > 0) begin(memory_.reduce_several(kernel, width, of, out, n));
    }
    /// Waits where work was begun since the last wait. False: some of the work has failed.
    bool wait() {
        if (pending_) good_ &= memory_.wait();
        pending_ = false;
        return good_;
    }

private:
    void begin(bool begun) {
        good_ &= begun;
        pending_ = true;
    }
    Memory& memory_;
    bool good_, pending_ = false;
};

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
    std::int64_t bytes() const { return capacity_; }
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

}  // namespace hopbine::mpi
