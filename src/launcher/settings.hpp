/// The settings and the options of `hopbine run`: what they are for, what they may be. The command
/// line, its help, `hopbine info` and docs/reference/settings.md read these tables.
#pragma once
#include <string>
#include <vector>

#include "launcher/environment.hpp"

namespace hopbine::launcher {

/// An environment variable.
struct Setting {
    const char* name;
    const char* meaning;
    const char* fallback = "";              ///< what holds if it is not set, in words
    std::vector<const char*> allowed = {};  ///< words that it may be; empty: any text
};

/// An option of `hopbine run`, which sets a variable.
struct Option {
    const char* name;
    const char* metavar;  ///< of its value; empty: those that the setting allows; null: a flag
    const char* setting;
    const char* meaning;
    const char* value = nullptr;  ///< that a flag gives its setting
};

const std::vector<Setting>& settings();
const std::vector<Option>& options();
/// Beginnings of names that are not settings of users: what hopbine tells itself, what its tests
/// read, and what package managers set for every package.
const std::vector<const char*>& internal_names();
/// What the command hands on to the Python commands: FILE:NAME,NAME,... of the settings that are
/// from the file of defaults.
inline constexpr const char* kDefaultsVariable = "HOPBINE_DEFAULTS";
/// The setting of a name, or null.
const Setting* setting_named(const std::string& name);

/// Validates names and values of all HOPBINE_ variables. `sources` has the option of each setting
/// that was given by one. Throws Error naming the variable or the option, and what is allowed.
void check_settings(const Environment& environment, const Environment& sources);
/// Where a setting comes from, for messages: "--shape", or "HOPBINE_SHAPE".
std::string source_of(const std::string& setting, const Environment& sources);

}  // namespace hopbine::launcher
