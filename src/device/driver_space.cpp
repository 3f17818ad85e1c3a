#include "device/driver_space.hpp"

namespace hopbine::device {

namespace {

char* moved(void* memory, std::size_t bytes) { return static_cast<char*>(memory) + bytes; }

}  // namespace

/// Whether `work`, done while the device is current, returns 0.
template <class Work>
bool DriverSpace::inside(const Work& work) const {
    void* before = nullptr;
    if (!devices_.enter(place_, &before)) return false;
    const bool good = work() == 0;
    devices_.leave(before);
    return good;
}

void* DriverSpace::allocate(std::size_t bytes) {
    void* out = nullptr;
    return inside([&] { return driver_.allocate(&out, bytes); }) ? out : nullptr;
}

void DriverSpace::release(void* memory) {
    inside([&] { return driver_.release(memory); });
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
    auto* const function = direction == Direction::to_host     ? driver_.to_host
                           : direction == Direction::to_device ? driver_.to_device
                                                               : driver_.within;
    return inside([&] { return function(to, from, bytes, stream); });
}

bool DriverSpace::wait(Stream stream) {
    return inside([&] { return driver_.wait_stream(stream); });
}

Event DriverSpace::record(Stream stream) {
    constexpr unsigned kWithoutTimes = 2;
    Event out = nullptr;
    if (!inside([&] { return driver_.make_event(&out, kWithoutTimes); })) return nullptr;
    if (inside([&] { return driver_.record(out, stream); })) return out;
    inside([&] { return driver_.free_event(out); });
    return nullptr;
}

State DriverSpace::query(Event event) {
    int code = 0;
    const bool done = inside([&] { return code = driver_.query(event); });
    return done ? State::done : code == kNotReady ? State::running : State::failed;
}

bool DriverSpace::finish(Event event) {
    const bool good = inside([&] { return driver_.wait_event(event); });
    inside([&] { return driver_.free_event(event); });
    return good;
}

bool DriverSpace::export_memory(const void* address, Exported* out) {
    void* base = nullptr;
    std::size_t bytes = 0;
    IpcHandle handle{};
    if (!inside([&] { return driver_.range(&base, &bytes, address); }) ||
        !inside([&] { return driver_.export_memory(&handle, base); }))
        return false;
    const auto offset = static_cast<const char*>(address) - static_cast<const char*>(base);
    *out = {handle.bytes, static_cast<std::size_t>(offset)};
    return true;
}

void* DriverSpace::import_memory(const Exported& of_other) {
    constexpr unsigned kBetweenDevices = 1;
    void* base = nullptr;
    return inside([&] { return driver_.import_memory(&base, {of_other.handle}, kBetweenDevices); })
               ? moved(base, of_other.offset)
               : nullptr;
}

void DriverSpace::close(void* imported, const Exported& of_other) {
    void* const base = static_cast<char*>(imported) - of_other.offset;
    inside([&] { return driver_.close_memory(base); });
}

}  // namespace hopbine::device
