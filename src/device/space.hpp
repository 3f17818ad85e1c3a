/// The memory of one device, and what it does with it.
#pragma once
#include <cstddef>

namespace hopbine::device {

/// Work that a device does in order.
using Stream = void*;

/// Which side of a copy is device memory.
enum class Direction { to_host, to_device };

/// One for each context of CUDA or device of HIP. Any thread may call, whatever device is current.
/// False and null are failures.
class Space {
public:
    virtual ~Space() = default;

    /// Lets the device copy from and to host memory without a copy in between. False: copies still
    /// work, and take longer. The memory stays the caller's, also where the program resets the
    /// device.
    virtual bool pin(void* memory, std::size_t bytes) = 0;
    virtual void unpin(void* memory) = 0;

    virtual Stream make_stream() = 0;
    /// Begins a copy. Both memories are the stream's until it has done it.
    virtual bool copy(void* to, const void* from, std::size_t bytes, Direction direction,
                      Stream stream) = 0;
    virtual bool wait(Stream stream) = 0;
};

}  // namespace hopbine::device
