#include "schedule/bounds.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "schedule/problem.hpp"

namespace hopbine {

namespace {

/// Length of the UTF-8 encoded control character at `i`, or 0 if there is none. These are
/// U+0080..U+009F, U+2028 and the direction marks.
std::size_t hidden(const std::string& s, std::size_t i) {
    struct Range {  // first one or two bytes of an encoding, and the range of the last
        const char* begin;
        unsigned char low, high;
    };
    static constexpr Range kRanges[] = {{"\xC2", 0x80, 0x9F},
                                        {"\xE2\x80", 0x8B, 0x8F},
                                        {"\xE2\x80", 0xA8, 0xAE},
                                        {"\xE2\x81", 0xA0, 0xAF}};
    for (const Range& r : kRanges) {
        const std::size_t n = std::strlen(r.begin);
        if (i + n >= s.size() || s.compare(i, n, r.begin) != 0) continue;
        const auto last = static_cast<unsigned char>(s[i + n]);
        if (r.low <= last && last <= r.high) return n + 1;
    }
    return 0;
}

}  // namespace

std::string printable(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        const std::size_t length =
            (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F ? 1 : hidden(text, i);
        for (std::size_t k = 0; k < length; ++k) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\x%02x",
                          static_cast<unsigned>(static_cast<unsigned char>(text[i + k])));
            out += escape;
        }
        if (!length) out += text[i];
        i += length ? length : 1;
    }
    return out;
}

std::string shown(const std::string& text, std::size_t most) {
    std::string out;
    for (char c : printable(text.size() <= most ? text : text.substr(0, most) + "...")) {
        if (c == '\n' || c == '\t')
            out += c == '\n' ? "\\n" : "\\t";
        else
            out += c;
    }
    return out;
}

std::int64_t parse_bytes(const std::string& text, const std::string& source) {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, wrong] = std::from_chars(text.data(), end, value);
    if (wrong != std::errc() || stop != end || value < 1 || value > kMost)
        throw Error(source + ": '" + shown(text) + "' is not a number of bytes from 1 to " +
                    std::to_string(kMost));
    return value;
}

std::optional<std::string> contents_of(const std::string& path, std::size_t most) {
    // A plain open() would block forever on a pipe without a writer.
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return {};
    ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
    std::string out(std::min<std::size_t>(most, 1 << 16), '\0');
    std::size_t length = 0;
    ssize_t got = 0;
    while (length < most) {
        if (length == out.size()) out.resize(std::min(2 * length, most));
        got = ::read(file, out.data() + length, out.size() - length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        length += static_cast<std::size_t>(got);
    }
    const int why = errno;
    ::close(file);
    errno = why;
    if (got < 0) return {};
    out.resize(length);
    return out;
}

std::string read_bounded(const std::string& path, const std::string& what) {
    std::optional<std::string> out = contents_of(path, kMostFileBytes + 1);
    if (!out)
        throw Error(shown(path, 1000) + ": cannot be read as " + what + ": " +
                    std::strerror(errno));
    if (out->size() > kMostFileBytes)
        throw Error(shown(path, 1000) + ": has more than the " +
                    std::to_string(kMostFileBytes >> 20) + " MiB that " + what + " may have");
    return *std::move(out);
}

}  // namespace hopbine
