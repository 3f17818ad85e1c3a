#include "mpi/device/device_memory.hpp"

#include <map>
#include <mutex>

#include "mpi/device/library_answer.hpp"
#include "runtime/log.hpp"

namespace hopbine::mpi {

DeviceMemory* DeviceMemory::of(device::Space& space) {
    static std::mutex lock;
    static auto& all = *new std::map<device::Space*, DeviceMemory*>;
    const std::lock_guard hold(lock);
    DeviceMemory*& out = all[&space];
    if (out && out->wait()) return out;
    if (out) out->alive_ = false;
    const device::Stream stream = space.make_stream();
    return out = stream ? new DeviceMemory(space, stream) : nullptr;
}

bool DeviceMemory::library_takes_it() {
    static std::mutex lock;
    const std::lock_guard hold(lock);
    if (library_takes() >= Takes::messages) return true;
    if (taken_ == Answer::not_asked) {
        const std::string fault = try_messages(space_, stream_);
        taken_ = fault.empty() ? Answer::yes : Answer::no;
        if (!fault.empty())
            say_rank(
                "--gpu direct (HOPBINE_GPU) is staged here: a message of GPU memory to itself " +
                fault);
    }
    return taken_ == Answer::yes;
}

/// Programs may leave no memory on a device. A call cannot end for that once it has begun: other
/// ranks wait for this rank's messages.
char* DeviceMemory::allocate(std::int64_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    void* const out = space_.allocate(size);
    return static_cast<char*>(out ? out : space_.allocate_managed(size));
}

/// A reset has freed the memory: its address may be another's by now.
void DeviceMemory::release(char* memory) {
    if (alive_ && wait()) space_.free(memory);
}

bool DeviceMemory::copy(char* to, const char* from, std::int64_t bytes) {
    return space_.copy(to, from, static_cast<std::size_t>(bytes), device::Direction::within,
                       stream_);
}

bool DeviceMemory::reduce(const char* kernel, std::int64_t width, const char* in, char* mine,
                          std::int64_t n) {
    return space_.reduce(kernel, in, mine, static_cast<std::size_t>(n),
                         static_cast<std::size_t>(width), stream_);
}

bool DeviceMemory::reduce_several(const char* kernel, std::int64_t width,
                                  const hopbine_operands& of, char* out, std::int64_t n) {
    return space_.reduce_several(kernel, of, out, static_cast<std::size_t>(n),
                                 static_cast<std::size_t>(width), stream_);
}

bool DeviceMemory::reduces(const char* kernel) const {
    if (!kernel) return false;
    const bool has = space_.has_kernel(kernel);
    if (!has)
        say_once("--gpu direct (HOPBINE_GPU): reductions are staged, for " + space_.kernel_fault());
    return has;
}

}  // namespace hopbine::mpi
