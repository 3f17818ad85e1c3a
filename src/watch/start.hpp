/// Starts the watcher of a node, which is no child of the program's.
#pragma once
#include <string>

namespace hopbine::watch {

/// Starts `program`, which inherits the descriptor `listening` as kListening and standard error,
/// and does not wait until it has begun: where ranks share cores it may have none for a while. It
/// is called once. The program that runs here sees no child, no signal of one, and no time of one
/// in getrusage's numbers but the microseconds of starting it: wait() and its kind do not see the
/// process that starts it either, but with __WALL or __WCLONE until end_start(). `idle`: the
/// watcher only gets the time that others leave (SCHED_IDLE) from its start on. Throws Error.
void start_watcher(const std::string& program, int listening, bool idle = false);
/// Waits for the process that has started the watcher, if this one had it do so. It has ended long
/// ago: to wait for it at the start would give the core to another rank.
void end_start();

}  // namespace hopbine::watch
