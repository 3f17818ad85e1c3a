/// Starts the watcher of a node, which is no child of the program's.
#pragma once
#include <string>

namespace hopbine::watch {

/// Starts `program`, which inherits the descriptor `listening` as kListening and standard error,
/// and does not wait until it has begun: where ranks share cores it may have none for a while. It
/// is called once. The program that runs here sees no child, no signal of one, and no time of one
/// in getrusage's numbers but the microseconds of starting it. `apart`: seconds between the
/// looks of a watcher that waits for the first one before it is loaded, and then takes only the
/// time that others leave (SCHED_IDLE); 0: it begins at once. Throws Error.
void start_watcher(const std::string& program, int listening, double apart = 0);

}  // namespace hopbine::watch
