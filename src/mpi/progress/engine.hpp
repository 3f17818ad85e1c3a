/// Calls under way: the MPI library's progress resumes them one after the other.
#pragma once
#include <mpi.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "runtime/fiber.hpp"

namespace hopbine::mpi {

/// A call that goes on by itself. It is suspended where it would wait.
class Activity {
public:
    Activity() = default;
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;
    virtual ~Activity() = default;
    /// Runs in `fiber`.
    virtual void run() noexcept = 0;
    /// Whether the program knows it by this request.
    virtual bool is_behind(MPI_Request request) const = 0;
    /// Called once it is suspended for the first time, before anything resumes it.
    virtual void suspended() {}
    /// Whether ended() calls code of the program: an error handler.
    virtual bool ends_in_program() const = 0;
    /// Called once it has ended, on the thread that made it end. Calls Engine::complete(), after
    /// which it may delete the activity.
    virtual void ended() = 0;

protected:
    Fiber fiber;

private:
    friend class Engine;
};

class Engine {
public:
    static Engine& get();
    /// Whether several threads may call MPI at once, the program's or hopbine's. Called before any
    /// other function.
    void set_threaded(bool threaded) { threaded_ = threaded; }
    bool threaded() const { return threaded_; }
    /// Runs the activity that `make` returns as far as possible; then the library's progress does.
    /// `make` may return null, and it is safe from activities on other threads. Returns whether
    /// there is one.
    template <class Make>
    bool start(Make&& make) {
        Activity* started = nullptr;
        bool has_ended = false;
        {
            const Hold hold(*this);
            started = make();
            if (started) has_ended = begin(*started);
        }
        if (has_ended) started->ended();
        return started;
    }
    /// Does something while no activity runs.
    template <class Work>
    void between(Work&& work) {
        const Hold hold(*this);
        work();
    }
    /// Does `work`, by which the program sees that an activity has ended. Until then has() is true
    /// for its request.
    template <class Work>
    void complete(const Activity& activity, Work&& work) {
        const Hold hold(*this);
        work();
        add(known_, -static_cast<int>(std::erase(ending_, &activity)));
    }
    /// Whether an activity that is not complete is behind the request.
    bool has(MPI_Request request) { return has_any(1, &request); }
    /// Whether an activity that is not complete is behind one of the requests.
    bool has_any(int n, const MPI_Request* requests);
    /// Resumes what is under way once. Returns the number of activities that still are, and sets
    /// *moved where one has ended. On hopbine's own thread it leaves code of the program to the
    /// program's threads.
    static int drive(bool* moved) { return get().advance(moved); }
    /// Waits until an activity begins to be under way, or wake() is called, after a call of begun()
    /// that has returned `before`.
    void await_another(int before) const { begun_.wait(before); }
    int begun() const { return begun_; }
    bool under_way() const { return under_way_ > 0; }
    /// A number that changes when a thread of the program resumes what is under way.
    unsigned driven_by_program() const { return driven_by_program_; }
    void wake();
    /// This thread is hopbine's own.
    void own_this_thread() { own_.store(pthread_self(), std::memory_order_relaxed); }
    bool on_own_thread() const { return own_.load(std::memory_order_relaxed) == pthread_self(); }
    /// Returns when no activity is left. Called before MPI is finalized.
    void finish();

private:
    /// Has the lock where threads may call at once, and shows that this thread is inside of the
    /// engine: what it calls of MPI makes progress, which calls the engine again.
    class Hold {
    public:
        explicit Hold(Engine& engine);
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;
        ~Hold();

    private:
        Engine& engine_;
        std::unique_lock<std::mutex> hold_;
    };
    /// Activities that have ended when all were resumed once.
    struct Ended {
        std::array<Activity*, 16> activities;
        std::size_t n = 0;
        bool full() const { return n == activities.size(); }
    };
    Engine() = default;
    bool begin(Activity& activity);
    int advance(bool* moved);
    void resume_all(Ended& ended);
    /// Changes a number that only the thread with the lock changes. Released, so that who sees that
    /// nothing is under way, without the lock, sees what that has done.
    static void add(std::atomic<int>& number, int more) {
        number.store(number.load(std::memory_order_relaxed) + more, std::memory_order_release);
    }
    bool inside() const { return inside_.load(std::memory_order_relaxed) == pthread_self(); }

    bool threaded_ = false;
    /// The thread that is inside of the engine. Relaxed, as is own_: a thread asks only whether it
    /// is itself.
    std::atomic<pthread_t> inside_{};
    std::atomic<pthread_t> own_{};  ///< hopbine's own, which runs no code of the program: that
                                    ///< may rely on being called by the program's threads
    std::mutex lock_;               ///< of the two lists; a thread that drives has it
    std::vector<Activity*> active_;
    std::vector<const Activity*> ending_;  ///< have ended, but the program cannot see it yet
    /// The second is changed after the first, and released, and read before it, and acquired: a
    /// thread that has read both sleeps only where nothing is under way.
    std::atomic<int> under_way_{0}, begun_{0};
    /// How many are in the two lists. Read relaxed: a thread that has a request comes after its
    /// call.
    std::atomic<int> known_{0};
    std::atomic<unsigned> driven_by_program_{0};  ///< relaxed: a hint
};

/// Has a mutex where several threads may call MPI at once; to lock one takes a tenth of a short
/// call.
class LockAmongThreads {
public:
    explicit LockAmongThreads(std::mutex& lock) : hold_(lock, std::defer_lock) {
        if (Engine::get().threaded()) hold_.lock();
    }

private:
    std::unique_lock<std::mutex> hold_;
};

}  // namespace hopbine::mpi
