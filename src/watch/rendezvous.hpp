/// How a rank and the watcher of its node meet, without messages of MPI and without files.
///
/// - The first rank of a node listens at a socket without a file (abstract, of Linux) and starts
///   the watcher, which inherits that. Every rank connects, hands its record over, and has no open
///   file left. None waits for the watcher to begin.
/// - Both ask the kernel whose process the other one is: only the same user's.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "watch/record.h"
#include "watch/setting.hpp"

namespace hopbine::watch {

/// What all ranks of a job know and nobody else does.
struct Secret {
    std::uint64_t job = 0;                     ///< in the name of the socket, which others see
    std::array<unsigned char, WATCH_KEY> key;  ///< by which watchers of nodes know each other
};
/// Throws Error.
Secret draw_secret();

/// The first word of a name of a watcher's socket, after which follow user, job and node.
inline constexpr const char* kSocket = "hopbine-watch-";
/// The program of the watcher, in the folder of hopbine's libraries, and its descriptor of the
/// socket.
inline constexpr const char* kWatcher = "hopbine-watch";
inline constexpr int kListening = 3;

/// What is sent to a watcher with a record's file.
struct Hello {
    std::uint64_t layout = WATCH_LAYOUT;
    Secret secret{};
    double limit = 0;
    std::uint32_t aborts = 0, checks = 0;
};

/// Makes this process's record and hands it to its node's watcher, which is started by the program
/// in `folder` where there is none. `server`: the socket that watchers of other nodes connect to,
/// handed over too; negative: none. Throws Error.
watch_record* join(const Hello& hello, const std::string& node, const std::string& folder,
                   int server);

}  // namespace hopbine::watch
