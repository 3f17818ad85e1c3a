/// Host memory whose contents come from a device, and go back to it, while a plan runs.
#pragma once
#include <cstdint>

namespace hopbine::mpi {

/// Copies of a call's buffers that are on a device. Ranges that are in none of them are ignored.
class Mirror {
public:
    virtual ~Mirror() = default;
    /// Begins to copy a range from the device.
    virtual void fetch(const char* at, std::int64_t bytes) = 0;
    virtual void fetch_all() = 0;
    /// Waits until a range may be read and written.
    virtual void wait_for(const char* at, std::int64_t bytes) = 0;
    virtual void wait_for_all() = 0;
    /// The range holds a result, and does not change any more: begins to copy it to the device.
    /// Each byte once at most.
    virtual void store(const char* at, std::int64_t bytes) = 0;
    /// Lets what the device has for `from` arrive at `to`, another of the copies. False: it cannot,
    /// or does already arrive.
    virtual bool redirect(const char* from, char* to, std::int64_t bytes) = 0;
};

}  // namespace hopbine::mpi
