/// A thread of hopbine's own that resumes calls under way while the program computes
/// (HOPBINE_PROGRESS=thread).
///
/// - It sleeps while no call is under way, and resumes none while a thread of the program does.
///   Otherwise it yields a few times between, then sleeps for 20 us at a time.
/// - It needs MPI_THREAD_MULTIPLE, and runs no code of the program.
/// - Signals of the process go to the program's threads.
#pragma once
#include <atomic>

namespace hopbine::mpi {

class ProgressThread {
public:
    static ProgressThread& get();
    /// Returns whether it runs. Where the system gives no thread it does not.
    bool begin();
    /// Returns when it has ended. Nothing is done where it does not run.
    void end();

private:
    void run();
    /// Set before Engine::begun() changes, by which the thread sleeps: it has read that before.
    std::atomic<bool> runs_{false}, ends_{false};
};

}  // namespace hopbine::mpi
