/// Sees to it that one poller runs while there is work, on whichever threads that is added.
#pragma once
#include <atomic>

namespace hopbine::mpi {

class OnePoller {
public:
    /// Called once work was added. Whether the caller has to start a poller.
    bool begin() { return !polls_.exchange(true); }
    /// Called by the poller that has found no work. Whether it ends. `has_work()` looks again:
    /// another thread may have added some before it was seen that the poller ends.
    template <class HasWork>
    bool ends(const HasWork& has_work) {
        // Read and written at once: a thread that was told not to start a poller comes before, so
        // what it has added is seen by has_work(). After a store alone has_work() might read what
        // was there earlier.
        polls_.exchange(false);
        return !has_work() || !begin();
    }
    /// Whether a poller runs.
    bool polls() const { return polls_; }

private:
    std::atomic<bool> polls_{false};  ///< all are exchanges, each of which sees what came before
};

}  // namespace hopbine::mpi
