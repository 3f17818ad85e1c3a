/// The model of calls on GPU memory, by what serves them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace hopbine::select {

/// On copies in host memory, by messages in the device's memory, or by a kernel on each device.
enum class Place : std::uint8_t { staged, direct, kernels };

/// Modelled seconds of a call of so many bytes of a vector, or block.
inline double modelled_seconds(Place place, int ranks, std::int64_t bytes) {
    /// What a call takes, and what each of its bytes does.
    struct Line {
        double call, byte;
    };
    // An allreduce of 4 ranks, and of 8, that share one H200 under MPS: the tables of
    // docs/device-memory.md ("What a user gets", "direct without kernels"), which scripts/gpu and
    // benchmarks/gpu.py measure.
    constexpr std::array<std::array<Line, 2>, 3> kLines{{{{{26e-6, 0.7e-9}, {39e-6, 1.0e-9}}},
                                                         {{{71e-6, 7.5e-12}, {207e-6, 9.4e-12}}},
                                                         {{{21e-6, 5.4e-12}, {28e-6, 9e-12}}}}};
    const Line& line = kLines[static_cast<std::size_t>(place)][ranks > 4];
    return line.call + line.byte * static_cast<double>(bytes);
}

}  // namespace hopbine::select
