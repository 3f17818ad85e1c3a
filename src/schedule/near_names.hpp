/// Names like one that is unknown, for messages.
#pragma once
#include <string>
#include <vector>

namespace hopbine {

/// The name that is most like `word`, if more than half of both agrees; else empty.
std::string nearest(const std::string& word, const std::vector<std::string>& names);
/// "; is NAME meant?", to end a message about an unknown word; empty if no name is near.
std::string is_meant(const std::string& word, const std::vector<std::string>& names);

}  // namespace hopbine
