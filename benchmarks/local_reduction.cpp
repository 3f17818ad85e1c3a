// hopbine's float32 sum against a[i] += b[i] with full vectorisation, alternating: median and
// quartiles of the ratio of speeds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "runtime/kernels.hpp"

void plain_loop(float* a, const float* b, std::size_t n);

template <class F>
static double seconds(F&& f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int main() {
    using namespace hopbine::mpi;
    const Kernel sum = kernel(Operation::sum, Element::f32);
    std::printf("bytes,speed_of_plain_loop,low,high,GB_per_s\n");
    for (std::size_t bytes : {4096u, 65536u, 1048576u, 16777216u}) {
        const std::size_t n = bytes / 4, repeat = std::max<std::size_t>(1, (16u << 20) / bytes);
        std::vector<float> a(n, 1), b(n, 2);
        std::vector<double> ratios, times;
        for (int k = 0; k < 61; ++k) {
            const double ours = seconds([&] {
                for (std::size_t i = 0; i < repeat; ++i) sum(b.data(), a.data(), n);
            });
            const double plain = seconds([&] {
                for (std::size_t i = 0; i < repeat; ++i) plain_loop(a.data(), b.data(), n);
            });
            ratios.push_back(plain / ours);
            times.push_back(ours / static_cast<double>(repeat));
        }
        std::sort(ratios.begin(), ratios.end());
        std::sort(times.begin(), times.end());
        std::printf("%zu,%.3f,%.3f,%.3f,%.1f\n", bytes, ratios[30], ratios[15], ratios[45],
                    3e-9 * static_cast<double>(bytes) / times[30]);
    }
}
