/// A call of the program, as the devices of a node make it.
#pragma once
#include <optional>

#include "device/node_parts.hpp"
#include "mpi/bind/bind_buffers.hpp"
#include "mpi/bind/user_bytes.hpp"
#include "mpi/device/device_memory.hpp"

namespace hopbine::mpi {

/// Whether the kernels serve the call (kernels/node_collectives.h). The same on all ranks, wherever
/// their buffers are, and of whatever datatypes.
bool fits_node(const Call& c, Communicator& state);

/// The call with its data on the device: where a buffer is not there, in scratch memory.
class NodeCall {
public:
    /// `me`: among the ranks of its node.
    NodeCall(const ServedCall& f, DeviceMemory& device, device::NodeRank me);
    /// The stream of its copies is another than the device's.
    void copy_by(device::Stream stream) { stream_ = stream; }

    /// Begins to copy what is read to the device, if it is not there. False is a failure.
    bool begin();
    /// Copies the result to where the program wants it, and waits for that. Returns an MPI error
    /// code.
    int end();

    const device::NodeParts& parts() const { return parts_; }
    /// Bytes of the scratch memory.
    std::int64_t bytes_there() const { return there_.packed_send.bytes() + there_.work.bytes(); }
    /// Frees it, where the call is not made.
    void release() {
        there_.packed_send.release();
        there_.work.release();
    }
    const char* in() const { return in_; }
    char* out() const { return out_; }

private:
    /// Blocks of `bytes`, one behind the other, of which the kernels read `wanted`. They differ
    /// where a program's counts do, which is an error.
    struct Input {
        const char* from = nullptr;
        std::int64_t blocks = 0, bytes = 0, wanted = 0;
    };
    void reduction();
    void reduce_scatter();
    int bcast();
    int allgather();
    int alltoall();
    bool is_here(const void* p) const;
    void reads(const Input& all);
    void reads(const char* at, std::int64_t bytes) { reads({at, 1, bytes, bytes}); }
    void writes(char* at, std::int64_t bytes, bool over_input = true);
    bool copy(char* to, const char* from, std::int64_t bytes, device::Direction if_elsewhere);

    const ServedCall& f_;
    DeviceMemory& device_;
    const device::NodeRank me_;
    device::Stream stream_;
    Workspace& there_;  ///< on the device
    device::NodeParts parts_;
    int error_ = MPI_SUCCESS;  ///< of packing
    const char* in_ = nullptr;
    char* out_ = nullptr;
    Input copied_;            ///< to the device; of no blocks: it is there
    char* wanted_ = nullptr;  ///< where the result is copied to; null: it is there
    std::int64_t out_bytes_ = 0;
    std::optional<Bytes> packed_;  ///< the result's, which are unpacked at last
};

}  // namespace hopbine::mpi
