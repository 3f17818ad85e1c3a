/// Text from outside: validation and messages.
#pragma once
#include <string>

namespace hopbine::launcher {

bool is_utf8(const std::string& text);
/// A message without line breaks, control characters and bytes that are no UTF-8. The middle of a
/// very long one is left out.
std::string one_line(const std::string& text);

}  // namespace hopbine::launcher
