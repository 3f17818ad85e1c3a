/// Requests of prepared alltoallv's.
///
/// - The program's handle is a real persistent request that is never started. It stands for an
///   Exchange.
/// - An active exchange progresses only inside the program's waits and tests.
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
    std::unique_ptr<Exchange> exchange;  ///< null: its communicator has been freed
    StatRow* row = nullptr;
    std::int64_t bytes = 0;

    /// Whether it is started and not yet waited for.
    bool started() const { return started_; }
    bool under_way() const { return started_ && exchange->active(); }
    int start();
    /// Progresses as far as possible without waiting.
    void advance();
    /// Waits until the exchange completes.
    void finish();
    /// Makes it inactive: the program has seen it complete. Returns the error, noted for the
    /// communicator's error handler.
    int conclude();
    /// Drops the exchange: its communicator is being freed.
    void forget();

private:
    /// Keeps an error until the program waits.
    void keep(int error);

    bool started_ = false;
    int error_ = MPI_SUCCESS;
};

/// All requests of the process. Callers hold the lock unless a function says otherwise.
class Requests {
public:
    static Requests& get();
    std::mutex lock;

    /// Needs no lock.
    bool any() const { return any_; }
    void add(PreparedRequest&& request);
    void remove(const PreparedRequest& request);
    /// Called before MPI is finalized.
    void free_all();
    /// The request with this handle; null: it is not hopbine's.
    PreparedRequest* find(MPI_Request handle);
    /// Drops the exchanges of this communicator: they can no longer be started.
    void forget(const Communicator* state);

    void advance();
    bool any_under_way() const;
    bool under_way(int n, const MPI_Request* requests);
    /// Index of the first that is complete and not yet seen by the program; -1: none.
    int first_over(int n, const MPI_Request* requests);
    /// Concludes those that are started. Returns the last error.
    int conclude(int n, const MPI_Request* requests);
    /// Waits inside the MPI library where that is safe: no MPI_THREAD_MULTIPLE, no other active
    /// request.
    void finish_alone(PreparedRequest& request);

private:
    std::list<PreparedRequest> all_;
    std::atomic<bool> any_{false};
};

}  // namespace hopbine::mpi
