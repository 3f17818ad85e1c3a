/// The requests of prepared alltoallv's.
///
/// A request that the program holds is a real persistent one, which is never started: it stands for
/// an Exchange. What is under way goes on inside of the program's waits and tests only.
#pragma once
#include <atomic>
#include <list>
#include <memory>
#include <mutex>

#include "mpi/prepared/exchange.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

class PreparedRequest {
public:
    MPI_Request handle = MPI_REQUEST_NULL;
    MPI_Comm comm = MPI_COMM_NULL;       ///< the user's
    std::unique_ptr<Exchange> exchange;  ///< null: its communicator is gone
    StatRow* row = nullptr;
    std::int64_t bytes = 0;

    /// Started and not yet waited for.
    bool started() const { return started_; }
    bool under_way() const { return started_ && exchange->active(); }
    int start();
    /// Goes on as far as it can without waiting.
    void advance();
    /// Goes on to the end.
    void finish();
    /// The program has seen the end. Returns the error, noted for the communicator's handler.
    int conclude();
    /// Its communicator is freed.
    void forget();

private:
    /// What goes wrong is reported when the program waits.
    void keep(int error);

    bool started_ = false;
    int error_ = MPI_SUCCESS;
};

/// All requests of the process. Functions are to be called under the lock, unless they say other.
class Requests {
public:
    static Requests& get();
    std::mutex lock;

    /// Without the lock.
    bool any() const { return any_; }
    void add(PreparedRequest&& request);
    void remove(const PreparedRequest& request);
    /// Before MPI is finalized.
    void free_all();
    /// Null: the request is not hopbine's.
    PreparedRequest* find(MPI_Request handle);
    /// Those of this communicator can no longer be started.
    void forget(const Communicator* state);

    void advance();
    bool any_under_way() const;
    bool under_way(int n, const MPI_Request* requests);
    /// The first that is over and not yet seen; -1: none.
    int first_over(int n, const MPI_Request* requests);
    /// Concludes those that are started; the last error.
    int conclude(int n, const MPI_Request* requests);
    /// Waits inside the MPI library where that is safe: for the only one under way in a program of
    /// one thread.
    void finish_alone(PreparedRequest& request);

private:
    std::list<PreparedRequest> all_;
    std::atomic<bool> any_{false};
};

}  // namespace hopbine::mpi
