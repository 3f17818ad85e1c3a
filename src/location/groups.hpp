/// Groups of nodes as text, which `hopbine env` prints.
#pragma once
#include <string>

namespace hopbine::location {

/// The group of a host in HOPBINE_GROUPS, such as "g0=n[001-004,007];g1=n[005-006]"; its domain may
/// be missing there. Throws Error if the text is malformed or the host is in no group.
std::string group_in(const std::string& groups, const std::string& host);

}  // namespace hopbine::location
