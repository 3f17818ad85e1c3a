#include "device/driver_space.hpp"

namespace hopbine::device {

/// Whether `work`, done while the device is current, returns 0.
template <class Work>
bool DriverSpace::inside(const Work& work) const {
    void* before = nullptr;
    if (!devices_.enter(place_, &before)) return false;
    const bool good = work() == 0;
    devices_.leave(before);
    return good;
}

bool DriverSpace::pin(void* memory, std::size_t bytes) {
    constexpr unsigned kForAllDevices = 1;
    return inside([&] { return driver_.pin(memory, bytes, kForAllDevices); });
}

void DriverSpace::unpin(void* memory) {
    inside([&] { return driver_.unpin(memory); });
}

/// A stream that waits for the work of the default stream, as a plain copy does: programs that use
/// no other stream need not wait for it before a call.
Stream DriverSpace::make_stream() {
    constexpr unsigned kAfterDefaultStream = 0;
    Stream out = nullptr;
    return inside([&] { return driver_.make_stream(&out, kAfterDefaultStream); }) ? out : nullptr;
}

bool DriverSpace::copy(void* to, const void* from, std::size_t bytes, Direction direction,
                       Stream stream) {
    auto* const function = direction == Direction::to_host ? driver_.to_host : driver_.to_device;
    return inside([&] { return function(to, from, bytes, stream); });
}

bool DriverSpace::wait(Stream stream) {
    return inside([&] { return driver_.wait_stream(stream); });
}

}  // namespace hopbine::device
