#include "device/driver_space.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

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

void* DriverSpace::allocate(std::size_t bytes) {
    void* out = nullptr;
    return inside([&] { return driver_.allocate(&out, bytes); }) ? out : nullptr;
}

void* DriverSpace::allocate_managed(std::size_t bytes) {
    constexpr unsigned kForAllStreams = 1;
    void* out = nullptr;
    return inside([&] { return driver_.allocate_managed(&out, bytes, kForAllStreams); }) ? out
                                                                                         : nullptr;
}

void DriverSpace::free(void* memory) {
    inside([&] { return driver_.free(memory); });
}

void* DriverSpace::allocate_host(std::size_t bytes) {
    constexpr unsigned kForAllContextsAndMapped = 3;
    void* out = nullptr;
    return inside([&] { return driver_.allocate_host(&out, bytes, kForAllContextsAndMapped); })
               ? out
               : nullptr;
}

bool DriverSpace::make_handle(void* memory, Handle* out) {
    return driver_.has_handles && inside([&] { return driver_.make_handle(out, memory); });
}

void* DriverSpace::open(const Handle& handle) {
    constexpr unsigned kFromOtherDevices = 1;  // a direct link is used where there is one
    void* out = nullptr;
    return driver_.has_handles &&
                   inside([&] { return driver_.open_handle(&out, handle, kFromOtherDevices); })
               ? out
               : nullptr;
}

bool DriverSpace::close(void* opened) {
    return driver_.has_handles && inside([&] { return driver_.close_handle(opened); });
}

Stream DriverSpace::stream_of(unsigned kind) const {
    Stream out = nullptr;
    return inside([&] { return driver_.make_stream(&out, kind); }) ? out : nullptr;
}

/// A stream that waits for the work of the default stream, as a plain copy does: programs that use
/// no other stream need not wait for it before a call.
Stream DriverSpace::make_stream() {
    constexpr unsigned kAfterDefaultStream = 0;
    return stream_of(kAfterDefaultStream);
}

Stream DriverSpace::make_own_stream() {
    constexpr unsigned kApart = 1;
    return stream_of(kApart);
}

bool DriverSpace::follow_program(Stream stream) {
    const Event now = mark(nullptr);
    return now && inside([&] {
               const int error = driver_.await_event(stream, now, 0),
                         freed = driver_.free_event(now);
               return error ? error : freed;
           });
}

bool DriverSpace::is_busy(Stream stream) {
    constexpr int kNotReady = 600;
    int answer = 0;
    inside([&] { return answer = driver_.ask_stream(stream); });
    return answer == kNotReady;
}

bool DriverSpace::copy(void* to, const void* from, std::size_t bytes, Direction direction,
                       Stream stream) {
    auto* const function = direction == Direction::to_host     ? driver_.to_host
                           : direction == Direction::to_device ? driver_.to_device
                                                               : driver_.within;
    return inside([&] { return function(to, from, bytes, stream); });
}

/// The element of a kernel's name: f32 of sum_f32 and of sum_f32_node. All elements have what
/// copies.
static std::string element_of(std::string kernel) {
    for (const char* kind : {"_several", "_node"})
        if (kernel.ends_with(kind)) kernel.erase(kernel.size() - std::strlen(kind));
    const std::size_t at = kernel.rfind('_');
    return at == std::string::npos ? "u8" : kernel.substr(at + 1);
}

/// What has the kernel: all of them, which hopbine was built with, or those of its element, which
/// are compiled for the device now. Null: there is none.
void* DriverSpace::module_of(const std::string& kernel) {
    if (!driver_.kernels && !driver_.compiler.usable()) return nullptr;
    const std::string element = driver_.kernels ? "" : element_of(kernel);
    const auto [at, is_new] = modules_.try_emplace(element);
    if (!is_new) return at->second;
    std::string compiled, why;
    inside([&] {
        if (!driver_.kernels) compiled = driver_.compiler.compile(element, &why);
        const void* const image = driver_.kernels ? driver_.kernels : compiled.data();
        return why.empty() ? driver_.load(&at->second, image) : 1;
    });
    if (!why.empty()) fault_ = "hiprtc cannot compile the kernels of " + element + ": " + why;
    return at->second;
}

std::string DriverSpace::kernel_fault() {
    const std::lock_guard hold(lock_);
    return fault_;
}

/// The function of that name, looked up once; null: there is none.
void* DriverSpace::kernel(const std::string& name) {
    const std::lock_guard hold(lock_);
    const auto [at, is_new] = kernels_.try_emplace(name);
    if (!is_new) return at->second;
    void* const module = module_of(name);
    void* found = nullptr;
    if (module && inside([&] { return driver_.find(&found, module, name.c_str()); }))
        at->second = found;
    return at->second;
}

bool DriverSpace::launch(void* kernel, std::size_t bytes, void** parameters, Stream stream) const {
    constexpr std::size_t kThreads = 256, kBytesOfThread = 16, kMostBlocks = 1 << 20;
    constexpr std::size_t kBlock = kThreads * kBytesOfThread;
    const auto blocks = static_cast<unsigned>(
        std::clamp((bytes + kBlock - 1) / kBlock, std::size_t{1}, kMostBlocks));
    return kernel && inside([&] {
               return driver_.launch(kernel, blocks, 1, 1, kThreads, 1, 1, 0, stream, parameters,
                                     nullptr);
           });
}

bool DriverSpace::reduce(const char* name, const void* in, void* inout, std::size_t n,
                         std::size_t width, Stream stream) {
    unsigned long long count = n;
    void* parameters[] = {&in, &inout, &count};
    return launch(kernel(name), n * width, parameters, stream);
}

bool DriverSpace::reduce_several(const char* name, const hopbine_operands& of, void* out,
                                 std::size_t n, std::size_t width, Stream stream) {
    unsigned long long count = n;
    hopbine_operands operands = of;
    void* parameters[] = {&operands, &out, &count};
    return launch(kernel(std::string(name) + "_several"), n * width, parameters, stream);
}

bool DriverSpace::run_node(const char* name, const hopbine_node& node, const void* in, void* out,
                           Stream stream) {
    hopbine_node given = node;
    void* parameters[] = {&given, &in, &out};
    void* const found = kernel(std::string(name) + "_node");
    return found && inside([&] {
               return driver_.launch(found, HOPBINE_NODE_BLOCKS, 1, 1, HOPBINE_NODE_THREADS, 1, 1,
                                     0, stream, parameters, nullptr);
           });
}

/// Nothing of the capture forbids other threads of the program anything.
Graph DriverSpace::keep_node(const char* name, const hopbine_node& node, const void* in, void* out,
                             Stream stream) {
    constexpr int kRelaxed = 2;
    if (!driver_.has_graphs || !kernel(std::string(name) + "_node")) return nullptr;
    if (!inside([&] { return driver_.begin_capture(stream, kRelaxed); })) return nullptr;
    const bool begun = run_node(name, node, in, out, stream);
    void *captured = nullptr, *kept = nullptr;
    inside([&] {
        int error = driver_.end_capture(stream, &captured);
        if (!error && begun) error = driver_.make_graph(&kept, captured, 0);
        if (captured) driver_.free_captured(captured);
        return error;
    });
    return kept;
}

bool DriverSpace::replay(Graph graph, Stream stream) {
    return inside([&] { return driver_.launch_graph(graph, stream); });
}

void DriverSpace::drop(Graph graph) {
    inside([&] { return driver_.free_graph(graph); });
}

Event DriverSpace::mark(Stream stream) {
    constexpr unsigned kWithoutTime = 2;
    Event out = nullptr;
    inside([&] {
        if (const int error = driver_.make_event(&out, kWithoutTime)) return error;
        const int error = driver_.record_event(out, stream);
        if (error) driver_.free_event(std::exchange(out, nullptr));
        return error;
    });
    return out;
}

bool DriverSpace::wait_for(Event event) {
    return inside([&] {
        const int error = driver_.wait_event(event), freed = driver_.free_event(event);
        return error ? error : freed;
    });
}

bool DriverSpace::wait(Stream stream) {
    return inside([&] { return driver_.wait_stream(stream); });
}

}  // namespace hopbine::device
