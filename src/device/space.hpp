/// The memory of one device, and what it does with it.
#pragma once
#include <array>
#include <cstddef>

namespace hopbine::device {

/// Work that a device does in order.
using Stream = void*;
/// A point in the work of a stream.
using Event = void*;

/// Which side of a copy is device memory.
enum class Direction { to_host, to_device, within };
enum class State { done, running, failed };

/// Memory of a process as another one may import it.
struct Exported {
    std::array<char, 64> handle;
    std::size_t offset;  ///< in the allocation that the handle names
};

/// One for each context of CUDA or device of HIP, and one for host memory. Any thread may call,
/// whatever device is current. False and null are failures.
class Space {
public:
    virtual ~Space() = default;

    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) = 0;
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

    virtual Event record(Stream stream) = 0;
    virtual State query(Event event) = 0;
    /// Waits for the event, and frees it.
    virtual bool finish(Event event) = 0;

    /// Memory of allocate() for other processes, which import it while it exists.
    virtual bool export_memory(const void* address, Exported* out) = 0;
    virtual void* import_memory(const Exported& of_other) = 0;
    /// Ends the use of what import_memory() returned for that value.
    virtual void close(void* imported, const Exported& of_other) = 0;
};

/// That of host memory: copies are done when copy() returns.
Space& host_space();

}  // namespace hopbine::device
