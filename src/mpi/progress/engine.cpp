#include "mpi/progress/engine.hpp"

#include <sched.h>

#include <algorithm>

#include "mpi/progress/library_progress.hpp"

namespace hopbine::mpi {

namespace {

/// This thread is inside of the engine.
thread_local bool driving = false;
/// This thread is hopbine's own, which runs no code of the program: that may rely on being called
/// by the program's threads.
thread_local bool own_thread = false;

}  // namespace

Engine::Hold::Hold(Engine& engine) : hold_(engine.lock_, std::defer_lock) {
    if (engine.threaded_) hold_.lock();
    driving = true;
}
Engine::Hold::~Hold() { driving = false; }

Engine& Engine::get() {
    static Engine& engine = *new Engine;  // for ever: hopbine's own thread may outlive main()
    return engine;
}

void Engine::own_this_thread() { own_thread = true; }
bool Engine::on_own_thread() { return own_thread; }

void Engine::wake() {
    begun_.fetch_add(1);
    begun_.notify_all();
}

bool Engine::begin(Activity& activity) {
    activity.fiber.begin([](void* a) { static_cast<Activity*>(a)->run(); }, &activity);
    {
        const Unyielding here;
        if (activity.fiber.resume()) return true;
    }
    activity.suspended();
    active_.push_back(&activity);
    ++known_;
    ++under_way_;
    begin_library_progress(drive);
    if (threaded_) wake();
    return false;
}

void Engine::resume_all(std::vector<Activity*>& over) {
    driving = true;
    std::size_t kept = 0;
    for (Activity* const one : active_)
        if (one->fiber.resume(!own_thread) && !(own_thread && one->ends_in_program()))
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
        if (threaded_ && !hold.try_lock()) return under_way_;
        if (!own_thread) driven_by_program_.fetch_add(1, std::memory_order_relaxed);
        resume_all(over);
        ending_.insert(ending_.end(), over.begin(), over.end());
        under_way_ -= static_cast<int>(over.size());
    }
    *moved = !over.empty();
    for (Activity* const one : over) one->ended();
    return under_way_;
}

bool Engine::has_any(int n, const MPI_Request* requests) {
    if (known_.load(std::memory_order_relaxed) == 0) return false;
    const Hold hold(*this);
    const auto is_behind_one = [&](const Activity* a) {
        return std::any_of(requests, requests + n, [&](MPI_Request r) { return a->is_behind(r); });
    };
    return std::ranges::any_of(active_, is_behind_one) ||
           std::ranges::any_of(ending_, is_behind_one);
}

void Engine::finish() {
    for (bool moved = false; advance(&moved) > 0; sched_yield()) make_progress();
}

}  // namespace hopbine::mpi
