/// Bounds of what is told from outside, so that no product or table of it overflows.
#pragma once
#include <cstdint>
#include <string>

namespace hopbine {

/// Ranks of a problem; p * p still fits a 64-bit number many times.
inline constexpr int kMostRanks = 1 << 24;
/// Dimensions of a torus: its algorithms have 2 D ports and tables of 2^D entries.
inline constexpr std::size_t kMostDimensions = 8;
/// Bytes of a file of rules, rules in it, members of an object in JSON.
inline constexpr std::size_t kMostFileBytes = 16u << 20, kMostRules = 1 << 15, kMostMembers = 64;
/// Bytes of a setting in an environment variable.
inline constexpr std::size_t kMostSettingBytes = 1 << 16;

/// The beginning of a text for a message; control characters as \xNN, so that they reach no
/// terminal.
std::string shown(const std::string& text, std::size_t most = 60);
/// The same at any length, for whole messages; line breaks and tabs stay.
std::string printable(const std::string& text);
/// The bytes of a file. Throws Error when there are more than kMostFileBytes, or it cannot be read
/// as `what`.
std::string read_bounded(const std::string& path, const std::string& what);

}  // namespace hopbine
