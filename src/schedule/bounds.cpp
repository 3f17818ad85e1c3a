#include "schedule/bounds.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "schedule/problem.hpp"

namespace hopbine {

namespace {

/// The length of a UTF-8 encoded control character (U+0080..U+009F, U+2028, direction marks) at
/// `i`; 0: none.
std::size_t hidden(const std::string& s, std::size_t i) {
    const auto at = [&](std::size_t k) {
        return k < s.size() ? static_cast<unsigned char>(s[k]) : 0u;
    };
    if (at(i) == 0xC2 && at(i + 1) >= 0x80 && at(i + 1) < 0xA0) return 2;
    const bool marks = at(i) == 0xE2 && (at(i + 1) == 0x80 || at(i + 1) == 0x81);
    const unsigned low = at(i + 2);
    if (marks && at(i + 1) == 0x80 &&
        ((low >= 0x8B && low <= 0x8F) || (low >= 0xA8 && low <= 0xAE)))
        return 3;
    return marks && at(i + 1) == 0x81 && low >= 0xA0 && low <= 0xAF ? 3 : 0;
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

std::string read_bounded(const std::string& path, const std::string& what) {
    // A pipe that nobody writes to would keep a plain open() waiting for ever.
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) throw Error(shown(path, 1000) + ": cannot be read as " + what);
    ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
    std::string out(1 << 16, '\0');
    std::size_t length = 0;
    ssize_t got = 0;
    while (length <= kMostFileBytes) {
        if (length == out.size()) out.resize(2 * length);
        got = ::read(file, out.data() + length, out.size() - length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        length += static_cast<std::size_t>(got);
    }
    ::close(file);
    if (got < 0) throw Error(shown(path, 1000) + ": cannot be read as " + what);
    if (length > kMostFileBytes)
        throw Error(shown(path, 1000) + ": has more than the " +
                    std::to_string(kMostFileBytes >> 20) + " MiB that " + what + " may have");
    out.resize(length);
    return out;
}

}  // namespace hopbine
