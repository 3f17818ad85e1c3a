/// Copies of a few bytes, frequent in an exchange of many small blocks.
#pragma once
#include <cstdint>
#include <cstring>

namespace hopbine::mpi {

/// memcpy without a function call for up to 64 bytes.
inline void copy_bytes(char* to, const char* from, std::int64_t n) {
    const auto pair = [&]<std::int64_t kWidth>() {  // two copies that may overlap
        std::memcpy(to, from, kWidth);
        std::memcpy(to + n - kWidth, from + n - kWidth, kWidth);
    };
    if (n > 64)
        std::memcpy(to, from, static_cast<std::size_t>(n));
    else if (n > 32)
        pair.operator()<32>();
    else if (n > 16)
        pair.operator()<16>();
    else if (n >= 8)
        pair.operator()<8>();
    else if (n >= 4)
        pair.operator()<4>();
    else
        for (std::int64_t i = 0; i < n; ++i) to[i] = from[i];
}

}  // namespace hopbine::mpi
