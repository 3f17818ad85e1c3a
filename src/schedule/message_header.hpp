/// Wire format of the header of a message whose block sizes the receiver does not know.
#pragma once
#include <cstdint>
#include <cstring>

namespace hopbine {

/// Header of a message whose block sizes the receiver does not know:
/// - `max_bytes`: the largest total that a rank sends, of those the sender knows
/// - unless `again` (all sizes are those of the last call): the total of the blocks in bytes, then
///   the size of each, in 4 bytes if `narrow`
struct MessageHeader {
    static constexpr std::int64_t kWord = sizeof(std::int64_t);
    std::int64_t max_bytes = 0, bytes = 0;
    bool again = false, narrow = false;

    static std::int64_t most(std::int64_t blocks) { return (2 + blocks) * kWord; }
    static bool fits_narrow(std::int64_t bytes) { return bytes <= INT32_MAX; }
    std::int64_t width() const { return narrow ? 4 : 8; }
    std::int64_t length(std::int64_t blocks) const {
        return again ? kWord : 2 * kWord + blocks * width();
    }

    void write(char* to) const {
        const std::int64_t words[] = {
            max_bytes << 2 | std::int64_t{narrow} << 1 | std::int64_t{again}, bytes};
        std::memcpy(to, words, static_cast<std::size_t>(again ? kWord : 2 * kWord));
    }
    void write_size(char* to, std::int64_t bytes) const {
        const auto low = static_cast<std::uint32_t>(bytes);
        if (narrow)
            std::memcpy(to, &low, sizeof low);
        else
            std::memcpy(to, &bytes, sizeof bytes);
    }
    std::int64_t read_size(const char* from) const {
        std::uint32_t low = 0;
        std::int64_t bytes = 0;
        if (narrow)
            std::memcpy(&low, from, sizeof low);
        else
            std::memcpy(&bytes, from, sizeof bytes);
        return narrow ? low : bytes;
    }
    /// Reads a header; `last` is the total of the blocks in the last call, in bytes.
    static MessageHeader read(const char* from, std::int64_t last) {
        std::int64_t first = 0;
        MessageHeader out;
        std::memcpy(&first, from, kWord);
        out.max_bytes = first >> 2;
        out.narrow = first >> 1 & 1;
        out.again = first & 1;
        if (out.again)
            out.bytes = last;
        else
            std::memcpy(&out.bytes, from + kWord, kWord);
        return out;
    }
};

}  // namespace hopbine
