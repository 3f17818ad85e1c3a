/// Serves a call whose buffers are device memory: the same call on copies in host memory.
#pragma once
#include <cstdint>
#include <vector>

#include "mpi/bind/bind_buffers.hpp"
#include "mpi/execute/call.hpp"
#include "mpi/execute/device_buffers.hpp"

namespace hopbine::mpi {

/// Address space for a copy of a buffer. Only what is touched takes memory: a type may span much
/// more than it holds.
class Mapping {
public:
    explicit Mapping(std::size_t bytes);
    ~Mapping();
    Mapping(Mapping&& other) noexcept;
    Mapping& operator=(Mapping&&) = delete;
    char* begin() const { return begin_; }

private:
    char* begin_;
    std::size_t bytes_;
};

class DeviceMirror {
public:
    /// Copies the data of buffers on a device to the host.
    DeviceMirror(const Call& c, int rank, int size);
    /// To be run in the place of the call; buffers in host memory are those of the user.
    const Call& call() const { return call_; }
    /// Copies results back, byte for byte what the call writes, after it ended with `error`.
    /// Returns an MPI error code: a copy that failed is told here, since the other ranks wait for
    /// this one's part.
    int finish(int error);

private:
    struct Copy {
        UserBuffer user;
        std::vector<ByteRange> pieces;
        Mapping memory;
        std::intptr_t moved;  ///< from an address in the user's buffer to that of its copy
    };
    void add(const UserBuffer& user);
    Call call_;
    std::vector<Copy> copies_;
    bool failed_ = false;
};

/// run(f) on copies of what is on a device. Returns an MPI error code.
int run_mirrored(const ServedCall& f);

}  // namespace hopbine::mpi
