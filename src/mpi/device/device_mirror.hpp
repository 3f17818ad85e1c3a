/// Serves a call on device memory: runs the same call on copies in host memory.
#pragma once
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "device/chunks.hpp"
#include "device/copies.hpp"
#include "device/pinned.hpp"
#include "mpi/bind/bind_buffers.hpp"
#include "mpi/device/device_buffers.hpp"
#include "mpi/execute/call.hpp"
#include "runtime/mirror.hpp"

namespace hopbine::mpi {

/// Address space for a copy of a buffer. Only pages that are touched take memory: a datatype's
/// extent may be much larger than its data.
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

using HostMemory = std::variant<device::Pinned, Mapping>;

/// Buffers of a call in device memory, and their copies in host memory. Those are pinned where a
/// buffer has little else than data, so that the device copies them by itself.
class DeviceMirror final : public Mirror {
public:
    /// Copies what the call reads of buffers in device memory to host memory. Long ones in one
    /// piece are still to arrive.
    DeviceMirror(const Call& c, int rank, int size);
    /// The call to run instead, with Call::mirror where data is to arrive. Buffers in host memory
    /// are the user's own.
    const Call& call() const { return call_; }
    /// Waits for all data to arrive. Returns the call to run instead.
    const Call& arrived_call();
    /// Copies results back, only the bytes that the call writes, unless it completed with an error.
    /// Returns an MPI error code. A failed copy is reported here: the other ranks wait for this
    /// rank's messages.
    int finish(int error);

    void fetch(const char* at, std::int64_t bytes) override;
    void fetch_all() override;
    void wait_for(const char* at, std::int64_t bytes) override;
    void wait_for_all() override;
    void store(const char* at, std::int64_t bytes) override;
    bool redirect(const char* from, char* to, std::int64_t bytes) override;

private:
    struct Copy {
        UserBuffer user;
        std::vector<ByteRange> pieces;
        HostMemory memory;
        std::intptr_t moved;  ///< offset from an address in the user's buffer to that in its copy
        std::optional<device::Chunks> chunks;  ///< of the data, where it is copied in pieces
    };
    void add(const UserBuffer& user);
    bool add_chunks(Copy& copy);
    template <class F>
    void each(const char* at, std::int64_t bytes, const F& f);
    Call call_;
    std::vector<Copy> copies_;
    device::Copies under_way_;  ///< ends before the memory of the copies does
    bool failed_ = false;
};

/// run(f) on host copies of its device buffers. Returns an MPI error code.
int run_mirrored(const ServedCall& f);

}  // namespace hopbine::mpi
