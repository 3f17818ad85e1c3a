/// Memory of a device, for calls that its own copies and kernels work on.
#pragma once
#include <atomic>
#include <string>

#include "device/space.hpp"
#include "runtime/memory.hpp"

namespace hopbine::mpi {

/// Asks the MPI library by messages whether it takes a device's memory: what it says of itself may
/// be wrong.
///
/// Sends device memory to this process itself: short and long messages. Empty: all arrived as they
/// were sent. Else what went wrong. If the MPI library crashes, a line on standard error says so
/// and the process ends as it would have.
std::string try_messages(device::Space& space, device::Stream stream);

/// One for each space, with a stream of its own.
class DeviceMemory final : public Memory {
public:
    /// The memory of a space, made at its first use; made anew where the program has reset the
    /// device. Null: it cannot be made. Never freed.
    static DeviceMemory* of(device::Space& space);

    /// Whether the MPI library sends and receives it: hopbine gpu probe has recorded so, or
    /// try_messages() has shown it, once.
    bool library_takes_it();

    device::Space& space() const { return space_; }
    device::Stream stream() const { return stream_; }

    char* allocate(std::int64_t bytes) override;
    void release(char* memory) override;
    bool copy(char* to, const char* from, std::int64_t bytes) override;
    bool reduce(const char* kernel, std::int64_t width, const char* in, char* mine,
                std::int64_t n) override;
    bool reduce_several(const char* kernel, std::int64_t width, const hopbine_operands& of,
                        char* out, std::int64_t n) override;
    bool reduces(const char* kernel) const override;
    bool wait() override { return space_.wait(stream_); }
    bool wait_for_program() override { return space_.wait(nullptr); }

private:
    DeviceMemory(device::Space& space, device::Stream stream) : space_(space), stream_(stream) {}
    device::Space& space_;
    const device::Stream stream_;
    /// Seen in any order: memory of a device that was reset is only kept from being freed.
    std::atomic<bool> alive_{true};  ///< false: the program has reset the device
    enum class Answer : std::uint8_t { not_asked, no, yes };
    Answer taken_ = Answer::not_asked;
};

}  // namespace hopbine::mpi
