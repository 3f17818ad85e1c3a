/// Defaults for everyone on a machine: NAME=VALUE lines of a file.
#pragma once
#include <string>
#include <vector>

#include "launcher/environment.hpp"

namespace hopbine::launcher {

/// The files of defaults for a command in `folder`, the first of which counts: etc/hopbine.conf of
/// its prefix, then /etc/hopbine.conf.
std::vector<std::string> defaults_files(const std::string& folder);
/// What a file has; without a file, nothing.
struct Defaults {
    std::string file;
    Environment settings;
};

/// Reads the first file that is there. Lines are NAME=VALUE, empty or begin with '#'. Throws Error
/// naming file and line.
Defaults read_defaults(const std::vector<std::string>& files);

}  // namespace hopbine::launcher
