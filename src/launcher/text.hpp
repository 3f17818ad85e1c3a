/// Text from outside: validation, messages and near names.
#pragma once
#include <string>
#include <vector>

namespace hopbine::launcher {

bool is_utf8(const std::string& text);
/// A message without line breaks, control characters and bytes that are no UTF-8. The middle of a
/// very long one is left out.
std::string one_line(const std::string& text);
/// The word that is most like `word`, if more than half of both agrees; else empty.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace hopbine::launcher
