// HPE Cray EX's names of places: x1000c0s2b0n1 is cabinet 1000, chassis 0, slot 2, board 0, node 1.
#pragma once

#include <string>
#include <utility>

namespace hopbine::location {

constexpr const char* kXnameFile = "/etc/cray/xname";

/// Cabinet and chassis of a node's xname: {"x1000", "x1000c0"}. Throws Error with the source.
/// Source: "Component Names (xnames)" in the CSM documentation.
std::pair<std::string, std::string> parse_xname(const std::string& name, const std::string& source);

/// Cabinet of the node that this process runs on; empty where there is no such file. Throws Error.
std::string cabinet_of_this_node(const std::string& file = kXnameFile);

}  // namespace hopbine::location
