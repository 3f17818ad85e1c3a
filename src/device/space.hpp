/// The memory of one device, and what it does with it.
#pragma once
#include <cstddef>
#include <string>

#include "device/kernels/node.h"
#include "device/kernels/operands.h"

namespace hopbine::device {

/// Work that a device does in order.
using Stream = void*;

/// A point in a stream's work.
using Event = void*;

/// Work that is kept, to be begun again and again.
using Graph = void*;

/// Which sides of a copy are device memory; within: both.
enum class Direction { to_host, to_device, within };

/// What another process opens memory of a device by.
struct Handle {
    char bytes[64];
};

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

    /// Memory of the device; null: there is not so much.
    virtual void* allocate(std::size_t bytes) = 0;
    /// Memory that the device and the CPU both read and write: also where the device's is used up,
    /// and then slower.
    virtual void* allocate_managed(std::size_t bytes) = 0;
    virtual void free(void* memory) = 0;
    /// Host memory that the device writes, at the same address, while the CPU reads it; never
    /// freed. Null: there is none.
    virtual void* allocate_host(std::size_t bytes) = 0;

    /// Whether the driver has functions for handles.
    virtual bool has_handles() const = 0;
    /// The handle of memory from allocate(), which is not freed while another process has it open.
    virtual bool make_handle(void* memory, Handle* out) = 0;
    /// Opens memory of another process, once; null: it cannot be. The device then copies from and
    /// to it as within its own.
    virtual void* open(const Handle& handle) = 0;
    virtual bool close(void* opened) = 0;

    virtual Stream make_stream() = 0;
    /// One that waits for nothing but what follow_program() says.
    virtual Stream make_own_stream() = 0;
    /// What is begun in the stream from now on comes after what is in the default stream now.
    virtual bool follow_program(Stream stream) = 0;
    /// Whether something of the stream's work has not ended. Does not wait.
    virtual bool is_busy(Stream stream) = 0;
    /// Begins a copy. Both memories are the stream's until it has done it.
    virtual bool copy(void* to, const void* from, std::size_t bytes, Direction direction,
                      Stream stream) = 0;
    /// Whether there is a kernel of this name, as sum_f32 (kernels/reductions.h).
    virtual bool has_kernel(const char* name) = 0;
    /// Why a kernel that was asked for is not there.
    virtual std::string kernel_fault() = 0;
    /// Begins inout[i] = in[i] op inout[i] for n elements of `width` bytes, as copy() does.
    virtual bool reduce(const char* kernel, const void* in, void* inout, std::size_t n,
                        std::size_t width, Stream stream) = 0;
    /// Begins the sum of operands, one of which is `out`, that gets it: what reduce() computes one
    /// by one, to the bit.
    virtual bool reduce_several(const char* kernel, const hopbine_operands& of, void* out,
                                std::size_t n, std::size_t width, Stream stream) = 0;
    /// Begins this rank's part of a collective of the ranks of a node
    /// (kernels/node_collectives.h): of the arithmetic `kernel`, as sum_f32, or copies.
    virtual bool run_node(const char* kernel, const hopbine_node& node, const void* in, void* out,
                          Stream stream) = 0;
    /// What run_node() begins, for replay(); null: the driver keeps no work.
    virtual Graph keep_node(const char* kernel, const hopbine_node& node, const void* in, void* out,
                            Stream stream) = 0;
    virtual bool replay(Graph graph, Stream stream) = 0;
    /// Frees one that is not under way.
    virtual void drop(Graph graph) = 0;
    /// The point after all that was begun, for one wait_for().
    virtual Event mark(Stream stream) = 0;
    /// Waits for what came before the event, and frees it.
    virtual bool wait_for(Event event) = 0;
    /// Waits for all that was begun. A null stream is the program's default one.
    virtual bool wait(Stream stream) = 0;
};

}  // namespace hopbine::device
