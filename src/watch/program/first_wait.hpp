/// What the watcher of a node does before anything of it is loaded.
#pragma once
#include <cstdint>

extern "C" {
/// Nanoseconds of the steady clock when the watcher was started; 0: not known.
extern std::int64_t hopbine_watch_began;

/// Leaves the files of the rank that has started the watcher, but for the socket and standard
/// error. From there on it takes only idle time (SCHED_IDLE), and it waits for the first look, or
/// until that rank has ended.
///
/// Where the linker can, this is the beginning of the program, before the C library's: a job that
/// ends before the first look pays for a page of code, and not for a program that is loaded, for
/// which ranks that share cores would be moved to one.
/// `argv`: the program, the rank's process, and milliseconds between looks; without the latter it
/// waits for nothing.
void hopbine_leave_and_wait(long argc, char** argv);
}
