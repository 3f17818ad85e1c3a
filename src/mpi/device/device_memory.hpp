/// Memory of a device, for calls that its own copies and kernels work on.
#pragma once
#include <atomic>

#include "device/space.hpp"
#include "mpi/execute/memory.hpp"

namespace hopbine::mpi {

/// One for each space, with a stream of its own.
class DeviceMemory final : public Memory {
public:
    /// The memory of a space, made at its first use; made anew where the program has reset the
    /// device. Null: it cannot be made. Never freed.
    static DeviceMemory* of(device::Space& space);

    /// Whether the MPI library sends and receives it (try_messages()), asked once.
    bool library_takes_it();

    device::Space& space() const { return space_; }
    device::Stream stream() const { return stream_; }

    char* allocate(std::int64_t bytes) override;
    void release(char* memory) override;
    bool copy(char* to, const char* from, std::int64_t bytes) override;
    bool reduce(const Reduction& r, const char* in, char* mine, std::int64_t n) override;
    bool reduce_several(const Reduction& r, const hopbine_operands& of, char* out,
                        std::int64_t n) override;
    bool reduces(const Reduction& r) const override;
    bool wait() override { return space_.wait(stream_); }
    bool wait_for_program() override { return space_.wait(nullptr); }

private:
    DeviceMemory(device::Space& space, device::Stream stream) : space_(space), stream_(stream) {}
    device::Space& space_;
    const device::Stream stream_;
    std::atomic<bool> alive_{true};  ///< false: the program has reset the device
    enum class Answer : std::uint8_t { not_asked, no, yes };
    Answer taken_ = Answer::not_asked;
};

}  // namespace hopbine::mpi
