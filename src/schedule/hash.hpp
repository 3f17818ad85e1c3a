/// A hash of texts that is the same in every process.
#pragma once
#include <cstdint>
#include <string_view>

namespace hopbine {

/// FNV-1a, 64 bits.
constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t h = 0xCBF29CE484222325u;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return h;
}

}  // namespace hopbine
