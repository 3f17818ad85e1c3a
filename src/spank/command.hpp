/// `hopbine run`, asked for the environment that it would give a program.
#pragma once
#include <string>
#include <vector>

namespace hopbine::spank {

/// What the command answers.
struct Answer {
    bool refused = false;
    std::vector<std::string> messages;  ///< its lines on standard error
    std::vector<std::string> entries;   ///< NAME=VALUE of hopbine's variables
};

/// The command of the installation that a plug-in's file is part of.
std::string command_beside(const std::string& plug_in);
/// Asks for the environment of all ranks of a job that this process starts. `choice`: what
/// --choice gets; empty: nothing.
Answer ask(const std::string& command, const std::string& choice);

}  // namespace hopbine::spank
