/// The command line of `hopbine run`.
#pragma once
#include <string>
#include <vector>

#include "launcher/environment.hpp"

namespace hopbine::launcher {

/// What the command does.
inline constexpr const char* kRunSummary =
    "Runs PROGRAM with hopbine preloaded; each rank goes through this command. Nothing about the "
    "program changes. PROGRAM may also be what starts the ranks: hopbine run srun -n 64 ./app";

struct CommandLine {
    Environment given;                 ///< settings that options give
    Environment sources;               ///< the names of these options, by setting
    std::vector<std::string> program;  ///< the program and its arguments
    bool help = false;
};

/// Parses the words after `hopbine run`. Options are before the program; "--name VALUE",
/// "--name=VALUE" and beginnings that fit one option are allowed. Throws Error naming the option.
CommandLine parse_command_line(const std::vector<std::string>& words);
/// What `hopbine run --help` prints.
std::string help_text();

}  // namespace hopbine::launcher
