/// Bounds on external input, so that no product or table computed from it overflows.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace hopbine {

/// Most ranks of a problem; p * p stays far below 2^63.
inline constexpr int kMostRanks = 1 << 24;
/// Most dimensions of a torus, whose algorithms have 2 D ports and tables of 2^D entries.
inline constexpr std::size_t kMostDimensions = 8;
/// Most bytes of a rule file, rules in it, and members of a JSON object.
inline constexpr std::size_t kMostFileBytes = 16u << 20, kMostRules = 1 << 15, kMostMembers = 64;
/// Most bytes of a setting in an environment variable.
inline constexpr std::size_t kMostSettingBytes = 1 << 16;

/// The first `most` bytes of a text, for an error message. Control characters become \xNN, so that
/// they reach no terminal.
std::string shown(const std::string& text, std::size_t most = 60);
/// A whole message of any length with control characters escaped; line breaks and tabs stay.
std::string printable(const std::string& text);
/// A number of bytes of at least 1, in a setting that comes from `source`. Throws Error.
std::int64_t parse_bytes(const std::string& text, const std::string& source);
/// The first `most` bytes of a file; none where it cannot be read, and errno says why.
std::optional<std::string> contents_of(const std::string& path, std::size_t most);
/// The bytes of a file. Throws Error, naming the expected content `what`, if the file cannot be
/// read or is longer than kMostFileBytes.
std::string read_bounded(const std::string& path, const std::string& what);

}  // namespace hopbine
