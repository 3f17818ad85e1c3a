/// Memory that the CPU does not touch: who copies and reduces there.
#pragma once
#include <mpi.h>

#include <cstdint>

#include "device/kernels/operands.h"
#include "mpi/execute/datatype.hpp"

namespace hopbine::mpi {

/// The memory of a device. Its work is begun, and is done in order; any thread may begin some.
/// False is a failure.
class Memory {
public:
    virtual ~Memory() = default;
    /// Null: there is not so much.
    virtual char* allocate(std::int64_t bytes) = 0;
    /// Waits for the work on it.
    virtual void release(char* memory) = 0;
    virtual bool copy(char* to, const char* from, std::int64_t bytes) = 0;
    /// mine[0..n) = in op mine. The operation is one that reduces() is true for.
    virtual bool reduce(const Reduction& r, const char* in, char* mine, std::int64_t n) = 0;
    /// The sum of operands of n elements. One of them is `out`, which gets it.
    virtual bool reduce_several(const Reduction& r, const hopbine_operands& of, char* out,
                                std::int64_t n) = 0;
    virtual bool reduces(const Reduction& r) const = 0;
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
    int copy(char* to, const char* from, std::int64_t bytes) {
        if (bytes > 0) begin(memory_.copy(to, from, bytes));
        return MPI_SUCCESS;
    }
    int reduce(const Reduction& r, const char* in, char* mine, std::int64_t n) {
        if (n > 0) begin(memory_.reduce(r, in, mine, n));
        return MPI_SUCCESS;
    }
    int reduce_several(const Reduction& r, const hopbine_operands& of, char* out, std::int64_t n) {
        if (n > 0) begin(memory_.reduce_several(r, of, out, n));
        return MPI_SUCCESS;
    }
    /// Waits where work was begun since the last wait. Returns an MPI error code, of all work.
    int wait() {
        if (pending_) good_ &= memory_.wait();
        pending_ = false;
        return good_ ? MPI_SUCCESS : MPI_ERR_OTHER;
    }

private:
    void begin(bool begun) {
        good_ &= begun;
        pending_ = true;
    }
    Memory& memory_;
    bool good_, pending_ = false;
};

}  // namespace hopbine::mpi
