#include "mpi/progress/progress_thread.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include "mpi/progress/engine.hpp"
#include "mpi/progress/library_progress.hpp"

namespace hopbine::mpi {

namespace {

pthread_t thread;

void nap() {
    constexpr timespec kPause{0, 20000};
    nanosleep(&kPause, nullptr);
}

void drive(bool* moved) {
    // The library's progress drives, and only there is MPICH 5 told of messages that have come.
    if (library_progresses()) make_progress();
    Engine::drive(moved);
}

}  // namespace

ProgressThread& ProgressThread::get() {
    static ProgressThread one;
    return one;
}

bool ProgressThread::begin() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // which a new thread inherits
    ends_ = false;
    runs_ = pthread_create(
                &thread, nullptr,
                [](void* self) -> void* {
                    static_cast<ProgressThread*>(self)->run();
                    return nullptr;
                },
                this) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return runs_;
}

void ProgressThread::end() {
    if (!runs_.exchange(false)) return;
    ends_ = true;
    Engine::get().wake();
    pthread_join(thread, nullptr);
}

void ProgressThread::run() {
    constexpr int kYields = 100, kNapsBeforeSleep = 50;
    Engine& engine = Engine::get();
    engine.own_this_thread();
    prctl(PR_SET_TIMERSLACK, 1UL);  // sleeps of this thread end on time, not 50 us later
    int idle = 0, naps = 0;
    for (unsigned seen = 0; !ends_;) {
        const int begun = engine.begun();
        bool moved = false;
        if (!engine.under_way()) {
            // Calls that come soon need not wake this thread by a system call.
            if (++naps <= kNapsBeforeSleep)
                nap();
            else if (!ends_)
                engine.await_another(begun);
            continue;
        }
        naps = 0;
        if (const unsigned now = engine.driven_by_program(); now != seen) {
            seen = now;  // a thread that waits for it needs no help
            idle = 0;
            nap();
        } else if (drive(&moved); moved) {
            idle = 0;
        } else {
            ++idle < kYields ? static_cast<void>(sched_yield()) : nap();
        }
    }
}

}  // namespace hopbine::mpi
