/// Texts in arrays of a record, which end with a zero unless they fill it.
#pragma once
#include <algorithm>
#include <cstring>
#include <string>

namespace hopbine::watch {

/// Stores what fits of a text.
template <std::size_t kLength>
void set_text(char (&to)[kLength], const std::string& text) {
    std::memset(to, 0, kLength);
    std::memcpy(to, text.data(), std::min(text.size(), kLength));
}

template <std::size_t kLength>
std::string text_of(const char (&from)[kLength]) {
    return std::string(from, strnlen(from, kLength));
}

}  // namespace hopbine::watch
