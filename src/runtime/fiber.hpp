/// A function that can be suspended: runs on a stack of its own, on any thread.
///
/// It lets the code of a blocking collective serve a nonblocking one: where that would wait, this
/// is suspended, until the MPI library makes progress.
#pragma once
#include <type_traits>

#include "runtime/sanitized_stack.hpp"
#include "runtime/switch_stack.hpp"

namespace hopbine::mpi {

class Fiber {
public:
    using Function = void (*)(void*);

    /// Only pages of the stack that are touched take memory; behind it lies one that cannot be.
    /// Throws std::bad_alloc.
    Fiber();
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Sets what the next resume() runs. The fiber must not be under way. `function` must not
    /// throw.
    void begin(Function function, void* argument);
    /// Runs until the fiber suspends itself or ends. Returns whether it has ended.
    /// `anything`: this thread runs what is asked for by outside(); else the fiber stays suspended
    /// there.
    bool resume(bool anything = true);
    /// Returns to resume(). Called by the fiber itself.
    void suspend();
    /// Runs a function on the stack of the thread that resumes the fiber, for code of the user: it
    /// may need more stack, or ask where its stack is. Called by the fiber itself.
    template <class F>
    void outside(F&& work) {
        using Work = std::remove_reference_t<F>;
        run_outside([](void* one) { (*static_cast<Work*>(one))(); },
                    const_cast<std::remove_const_t<Work>*>(&work));
    }
    /// The fiber that this thread is running. Null: none.
    static Fiber* current();

private:
    struct Work {
        Function function = nullptr;
        void* argument = nullptr;
    };
    static void run();
    void run_outside(Function function, void* argument);
    void leave();

    char* stack_;
    Stack own_, thread_;
    SanitizedStack own_sanitized_, thread_sanitized_;
    Work body_, outside_;
    bool ended_ = true;
};

}  // namespace hopbine::mpi
