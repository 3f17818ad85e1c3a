/// The environment of a process as a table.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace hopbine::location {

using Environment = std::map<std::string, std::string>;

/// The table of "NAME=VALUE" entries, ended by a null pointer.
Environment environment_of(const char* const* entries);
/// "NAME=VALUE" entries.
std::vector<std::string> entries_of(const Environment& environment);
/// A variable's value; empty if it is not set.
const std::string& value_of(const Environment& environment, const std::string& name);
/// Whether a variable, by its name or as "NAME=VALUE", is one by which a process runs under
/// hopbine.
bool is_hopbines(const std::string& variable);

}  // namespace hopbine::location
