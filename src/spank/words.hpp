/// The words that --hopbine and the plug-in's line in plugstack.conf may have.
#pragma once
#include <string>
#include <vector>

namespace hopbine::spank {

/// The word that leaves a job as it is.
inline constexpr const char* kOff = "off";

/// Whether a word may stand behind --hopbine: one that HOPBINE_CHOICE allows, or off.
bool is_choice(const std::string& word);
/// "measure, count, table or off".
std::string choices();

/// What an administrator has written behind the plug-in's name in plugstack.conf.
struct Arguments {
    std::string by_default = kOff;    ///< what holds for jobs that do not say --hopbine
    std::vector<std::string> denied;  ///< patterns of names of programs, as the shell's
    std::string command;              ///< the command hopbine; empty: that of the plug-in's prefix
    std::string complaint;            ///< why the line is not understood; the default is off then

    /// Whether a program, by its path, is to run without hopbine.
    bool denies(const std::string& program) const;
};
/// Reads NAME=VALUE words. What is wrong is in the complaint, for it must not end every job.
Arguments read_arguments(const std::vector<std::string>& words);

}  // namespace hopbine::spank
