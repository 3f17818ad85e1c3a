/// What `hopbine run` does before it becomes the program.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "launcher/environment.hpp"

namespace hopbine::launcher {

inline constexpr const char* kPreloadLibrary = "libhopbine_preload.so";

/// What the machine's description says of this node, or of all nodes of the job.
struct Place {
    Environment settings;   ///< HOPBINE_GROUP or _GROUPS, HOPBINE_NETWORK, HOPBINE_SHAPE, if known
    std::string complaint;  ///< why nothing is known
};
/// Whose groups are asked for.
enum class Nodes { kThis, kAll };
/// Reads the description for settings in force. Throws Error if HOPBINE_SYSTEM cannot be used.
using PlaceReader = std::function<Place(const Environment&, Nodes)>;

/// A program that is ready to be started, or the reason why it is not.
struct Launch {
    std::string program;               ///< its file
    std::vector<std::string> command;  ///< its name and arguments
    Environment environment;
    std::vector<std::string> messages;  ///< lines for standard error
    bool refused = false;               ///< nothing is started: exit code 2
    bool help = false;                  ///< help is asked for instead
};

/// Reads the words after `hopbine run`, validates all settings and finds the program. `libraries`
/// is the folder of the preload library if HOPBINE_LIB is not set.
Launch prepare(const std::vector<std::string>& words, Environment environment,
               const std::string& libraries, const PlaceReader& read_place);
/// Becomes the program. Returns the message only if that fails.
std::string become(Launch launch);

}  // namespace hopbine::launcher
