/// Names that are allowed, for messages about one that is unknown.
#pragma once
#include <string>
#include <vector>

namespace hopbine {

/// "a, b, c"; `none` if there are no names.
std::string listed(const std::vector<std::string>& names, const std::string& none = "none");
/// The name that is most like `word`, if more than half of both agrees; else empty.
std::string nearest(const std::string& word, const std::vector<std::string>& names);
/// "; is NAME meant?", to end a message about an unknown word; empty if no name is near.
std::string is_meant(const std::string& word, const std::vector<std::string>& names);

}  // namespace hopbine
