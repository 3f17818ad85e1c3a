// hopbine's reductions on a CUDA device against a copy within its memory, alternating: bytes moved
// per second, and the median and quartiles of the ratio. A reduction reads two bytes for each that
// it writes, a copy one. Exit code 2: there is no device, or no kernels were built.
//
//   device_reduction [BYTES]    of a vector; default 256 MiB
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device/library.hpp"
#include "device/symbol.hpp"

using namespace hopbine::device;

namespace {

/// A context of the first device in this thread.
bool begin_device(void* driver) {
    int (*init)(unsigned);
    int (*retain)(void**, int);
    int (*enter)(void*);
    void* context = nullptr;
    return find_symbol(driver, "cuInit", &init) &&
           find_symbol(driver, "cuDevicePrimaryCtxRetain", &retain) &&
           find_symbol(driver, "cuCtxSetCurrent", &enter) && init(0) == 0 &&
           retain(&context, 0) == 0 && enter(context) == 0;
}

/// The space of the first device; null: there is none.
Space* first_space(void* driver) {
    int (*allocate)(void**, std::size_t);
    void* memory = nullptr;
    if (!driver || !begin_device(driver) || !find_symbol(driver, "cuMemAlloc_v2", &allocate) ||
        allocate(&memory, 1) != 0)
        return nullptr;
    Library* const library = cuda_library(driver);
    return library ? library->space_of(memory) : nullptr;
}

/// Seconds of one of several pieces of work that are begun together.
template <class Begin>
double seconds(Space& space, Stream stream, const Begin& begin) {
    constexpr int kTogether = 10;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kTogether; ++i)
        if (!begin()) std::exit(1);
    if (!space.wait(stream)) std::exit(1);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    return took.count() / kTogether;
}

}  // namespace

int main(int argc, char** argv) {
    Space* const space = first_space(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL));
    const std::size_t bytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 256 << 20;
    void* const from = space ? space->allocate(bytes) : nullptr;
    void* const to = space ? space->allocate(bytes) : nullptr;
    if (!from || !to || !space->has_kernel("sum_f32")) {
        std::fprintf(stderr,
                     "device_reduction: no CUDA device with so much memory, or no kernels\n");
        return 2;
    }
    const Stream stream = space->make_stream();
    const struct {
        const char* name;
        std::size_t width;
    } kernels[] = {{"sum_f32", 4},     {"sum_f64", 8}, {"sum_i8", 1},
                   {"maximum_i32", 4}, {"sum_f16", 2}, {"sum_bf16", 2}};
    std::printf("kernel,bytes,speed_of_copy,low,high,GB_per_s,copy_GB_per_s\n");
    for (const auto& [name, width] : kernels) {
        constexpr std::size_t kTimes = 21;
        std::vector<double> ratios, ours, copies;
        for (std::size_t k = 0; k < kTimes; ++k) {
            copies.push_back(2 * static_cast<double>(bytes) / seconds(*space, stream, [&] {
                                 return space->copy(to, from, bytes, Direction::within, stream);
                             }));
            ours.push_back(3 * static_cast<double>(bytes) / seconds(*space, stream, [&] {
                               return space->reduce(name, from, to, bytes / width, width, stream);
                           }));
            ratios.push_back(ours.back() / copies.back());
        }
        for (auto* all : {&ratios, &ours, &copies}) std::sort(all->begin(), all->end());
        std::printf("%s,%zu,%.3f,%.3f,%.3f,%.1f,%.1f\n", name, bytes, ratios[kTimes / 2],
                    ratios[kTimes / 4], ratios[kTimes * 3 / 4], 1e-9 * ours[kTimes / 2],
                    1e-9 * copies[kTimes / 2]);
    }
    return 0;
}
