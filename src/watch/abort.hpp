/// How a watcher ends a job whose ranks wait for too long.
#pragma once

namespace hopbine::watch {

/// The signal at which a rank ends with kAborted.
int abort_signal();
/// Lets this process end so. Throws Error where the program uses the signal itself.
void end_on_abort();

}  // namespace hopbine::watch
