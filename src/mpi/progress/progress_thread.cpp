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

/// Returns the number of calls that are still under way.
int drive(bool* moved) {
    // The library's progress drives, and only there is MPICH 5 told of messages that have come.
    if (library_progresses() && Engine::get().under_way()) make_progress();
    return Engine::drive(moved);
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
    constexpr int kYields = 100;
    Engine::own_this_thread();
    prctl(PR_SET_TIMERSLACK, 1UL);  // sleeps of this thread end on time, not 50 us later
    for (int idle = 0;;) {
        const int begun = Engine::get().begun();
        if (ends_) return;
        bool moved = false;
        if (drive(&moved) == 0) {
            Engine::get().await_another(begun);
            idle = 0;
        } else if (idle = moved ? 0 : idle + 1; idle < kYields) {
            sched_yield();
        } else {
            nap();
        }
    }
}

}  // namespace hopbine::mpi
