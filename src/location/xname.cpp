#include "location/xname.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "location/trimmed.hpp"
#include "schedule/bounds.hpp"
#include "schedule/problem.hpp"

namespace hopbine::location {

namespace {

/// A part of an xname: its letter, and how many digits it may have.
struct Part {
    char letter;
    std::size_t digits;
};

constexpr Part kParts[] = {{'x', 4}, {'c', 1}, {'s', 2}, {'b', 2}, {'n', 2}};
constexpr char kLastChassis = '7';

/// Length of the part at the begin of the text; 0 if it is another.
std::size_t length_of(const Part& part, std::string_view text) {
    if (text.empty() || text[0] != part.letter) return 0;
    std::size_t n = 1;
    while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
    return n > 1 && n <= part.digits + 1 ? n : 0;
}

}  // namespace

std::pair<std::string, std::string> parse_xname(const std::string& name,
                                                const std::string& source) {
    const std::string_view text = trimmed(name);
    std::size_t at = 0, ends[2] = {};
    for (std::size_t i = 0; i < std::size(kParts); ++i) {
        const std::size_t n = length_of(kParts[i], text.substr(at));
        if (!n || (i == 1 && text[at + 1] > kLastChassis)) at = text.npos;
        if (at == text.npos) break;
        at += n;
        if (i < 2) ends[i] = at;
    }
    if (at != text.size())
        throw Error(source + ": '" + shown(std::string(text)) +
                    "' is no xname of a node (xXcCsSbBnN, such as x1000c0s2b0n1)");
    return {std::string(text.substr(0, ends[0])), std::string(text.substr(0, ends[1]))};
}

std::string cabinet_of_this_node(const std::string& file) {
    const int handle = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0) return "";
    char text[256];
    const ssize_t length = ::read(handle, text, sizeof text);
    ::close(handle);
    if (length < 0) return "";
    return parse_xname(std::string(text, static_cast<std::size_t>(length)), file).first;
}

}  // namespace hopbine::location
