/// The environment of a process as a table.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hopbine::location {

using Environment = std::map<std::string, std::string, std::less<>>;

/// The table of "NAME=VALUE" entries, ended by a null pointer: of all, or of the names that are
/// `wanted`, where others are not worth the time.
Environment environment_of(const char* const* entries, bool (*wanted)(std::string_view) = nullptr);
/// "NAME=VALUE" entries.
std::vector<std::string> entries_of(const Environment& environment);
/// A variable's value; empty if it is not set.
const std::string& value_of(const Environment& environment, std::string_view name);
/// Whether a variable, by its name or as "NAME=VALUE", is one by which a process runs under
/// hopbine.
bool is_hopbines(std::string_view variable);

}  // namespace hopbine::location
