#include "mpi/progress/engine.hpp"

#include <sched.h>

#include <algorithm>

#include "mpi/progress/library_progress.hpp"

namespace hopbine::mpi {

Engine::Hold::Hold(Engine& engine) : engine_(engine), hold_(engine.lock_, std::defer_lock) {
    if (engine.threaded_) hold_.lock();
    engine.inside_.store(pthread_self(), std::memory_order_relaxed);
}
Engine::Hold::~Hold() { engine_.inside_.store({}, std::memory_order_relaxed); }

Engine& Engine::get() {
    static Engine& engine = *new Engine;  // for ever: hopbine's own thread may outlive main()
    return engine;
}

void Engine::wake() {
    begun_.fetch_add(1);
    begun_.notify_all();
}

bool Engine::begin(Activity& activity) {
    activity.fiber.begin([](void* a) { static_cast<Activity*>(a)->run(); }, &activity);
    {
        const Unyielding here;
        if (activity.fiber.resume()) return true;
        // What other ranks have sent before may be enough to end it. Where threads may call,
        // another one may be in the library's progress, and wait there for this engine.
        if (!tests_progress() && !threaded_) {
            make_progress();
            if (activity.fiber.resume()) return true;
        }
    }
    activity.suspended();
    active_.push_back(&activity);
    add(known_, 1);
    add(under_way_, 1);
    begin_library_progress(drive);
    if (threaded_) wake();
    return false;
}

void Engine::resume_all(Ended& ended) {
    const bool own = on_own_thread();
    inside_.store(pthread_self(), std::memory_order_relaxed);
    std::size_t kept = 0;
    for (Activity* const one : active_)
        if (!ended.full() && one->fiber.resume(!own) && !(own && one->ends_in_program()))
            ended.activities[ended.n++] = one;
        else
            active_[kept++] = one;
    active_.resize(kept);
    inside_.store({}, std::memory_order_relaxed);
}

int Engine::advance(bool* moved) {
    if (under_way_.load(std::memory_order_relaxed) == 0) return 0;
    if (inside()) return under_way_;
    Ended ended;
    {
        std::unique_lock hold(lock_, std::defer_lock);
        if (threaded_ && !hold.try_lock()) return under_way_;
        if (threaded_ && !on_own_thread())
            driven_by_program_.fetch_add(1, std::memory_order_relaxed);
        resume_all(ended);
        ending_.insert(ending_.end(), ended.activities.begin(), ended.activities.begin() + ended.n);
        add(under_way_, -static_cast<int>(ended.n));
    }
    *moved = ended.n > 0;
    for (std::size_t k = 0; k < ended.n; ++k) ended.activities[k]->ended();
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
