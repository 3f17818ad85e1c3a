/// A hash of texts that is the same in every process.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace hopbine {

/// FNV-1a, 64 bits.
constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t h = 0xCBF29CE484222325u;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return h;
}

/// 16 digits.
inline std::string hexadecimal(std::uint64_t x) {
    std::string out(16, '0');
    for (auto digit = out.rbegin(); digit != out.rend(); ++digit, x >>= 4)
        *digit = "0123456789abcdef"[x & 15];
    return out;
}

}  // namespace hopbine
