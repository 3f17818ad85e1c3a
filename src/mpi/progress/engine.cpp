#include "mpi/progress/engine.hpp"

#include <sched.h>

#include <algorithm>

#include "mpi/progress/library_progress.hpp"

namespace hopbine::mpi {

namespace {

/// This thread is inside of the engine.
thread_local bool driving = false;

}  // namespace

Engine::Hold::Hold(Engine& engine) : hold_(engine.lock_, std::defer_lock) {
    if (engine.threads_) hold_.lock();
    driving = true;
}
Engine::Hold::~Hold() { driving = false; }

Engine::Engine()
    : threads_([] {
          int level = MPI_THREAD_SINGLE;
          PMPI_Query_thread(&level);
          return level == MPI_THREAD_MULTIPLE;
      }()) {}

Engine& Engine::get() {
    static Engine engine;
    return engine;
}

int Engine::drive(bool* moved) { return get().advance(moved); }

bool Engine::begin(Activity& activity) {
    activity.fiber.begin([](void* a) { static_cast<Activity*>(a)->run(); }, &activity);
    if (activity.fiber.resume()) return true;
    activity.suspended();
    active_.push_back(&activity);
    ++under_way_;
    begin_library_progress(drive);
    return false;
}

void Engine::resume_all(std::vector<Activity*>& over) {
    driving = true;
    std::size_t kept = 0;
    for (Activity* const one : active_)
        if (one->fiber.resume())
            over.push_back(one);
        else
            active_[kept++] = one;
    active_.resize(kept);
    driving = false;
}

int Engine::advance(bool* moved) {
    if (under_way_.load(std::memory_order_relaxed) == 0) return 0;
    if (driving) return under_way_;
    std::vector<Activity*> over;
    {
        std::unique_lock hold(lock_, std::defer_lock);
        if (threads_ && !hold.try_lock()) return under_way_;
        resume_all(over);
        under_way_ -= static_cast<int>(over.size());
    }
    *moved = !over.empty();
    for (Activity* const one : over) one->ended();
    return under_way_;
}

bool Engine::has(MPI_Request request) {
    const Hold hold(*this);
    return std::ranges::any_of(active_, [&](Activity* a) { return a->is_behind(request); });
}

void Engine::finish() {
    for (bool moved = false; advance(&moved) > 0; sched_yield()) make_progress();
}

}  // namespace hopbine::mpi
