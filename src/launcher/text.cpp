#include "launcher/text.hpp"

#include <cstdio>

#include "schedule/bounds.hpp"

namespace hopbine::launcher {

namespace {

constexpr std::size_t kMostShown = 2000;

/// First bytes of UTF-8 characters with their length and what the second byte may be (Unicode,
/// table 3-7): neither surrogates nor longer forms than needed.
struct Form {
    unsigned char low, high;
    std::size_t length;
    unsigned char second_low, second_high;
};
constexpr Form kForms[] = {
    {0x00, 0x7F, 1, 0x00, 0xFF}, {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F}};

/// Length of the UTF-8 character at `i`; 0 if there is none.
std::size_t character_at(const std::string& s, std::size_t i) {
    const auto is_between = [&](std::size_t k, unsigned char low, unsigned char high) {
        const auto c = static_cast<unsigned char>(s[k]);
        return low <= c && c <= high;
    };
    for (const Form& form : kForms) {
        if (!is_between(i, form.low, form.high)) continue;
        if (i + form.length > s.size()) return 0;
        for (std::size_t k = 1; k < form.length; ++k)
            if (!is_between(i + k, k == 1 ? form.second_low : 0x80,
                            k == 1 ? form.second_high : 0xBF))
                return 0;
        return form.length;
    }
    return 0;
}

}  // namespace

bool is_utf8(const std::string& text) {
    for (std::size_t i = 0, length; i < text.size(); i += length)
        if (!(length = character_at(text, i))) return false;
    return true;
}

std::string one_line(const std::string& text) {
    std::string valid;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_at(text, i);
        char escape[8];
        if (!length)
            std::snprintf(escape, sizeof escape, "\\x%02x",
                          static_cast<unsigned>(static_cast<unsigned char>(text[i])));
        valid += length ? text.substr(i, length) : escape;
        i += length ? length : 1;
    }
    const std::string line = shown(valid, valid.size());
    if (line.size() <= kMostShown) return line;
    std::size_t head = kMostShown / 2, tail = line.size() - kMostShown / 2;
    while (head && (line[head] & 0xC0) == 0x80) --head;  // whole characters
    while (tail < line.size() && (line[tail] & 0xC0) == 0x80) ++tail;
    return line.substr(0, head) + " ... " + line.substr(tail);
}

}  // namespace hopbine::launcher
