/// A nonblocking collective call that hopbine serves.
#pragma once
#include <memory>
#include <optional>

#include "mpi/arguments/arguments.hpp"
#include "mpi/arguments/kept.hpp"
#include "mpi/bind/bind_buffers.hpp"
#include "mpi/device/staged.hpp"
#include "mpi/progress/engine.hpp"
#include "mpi/requests/drivers.hpp"
#include "mpi/requests/stand_in.hpp"
#include "mpi/state/nonblocking.hpp"
#include "mpi/sums/later_sum.hpp"
#include "statistics/wait_clock.hpp"

namespace hopbine::mpi {

/// What was found of a call's arguments.
struct Examined {
    const Arguments& known;
    const KnownToAll& key;
    const Reduction& reduction;
    const Neighbors* neighbors;  ///< Call::neighbors
};

/// From its start until its end. Kept for later calls: a stack and memory are not made anew.
class NonblockingCall final : public Activity {
public:
    /// One that is not in use. Called, as the functions below, inside of Engine::start().
    static NonblockingCall& take();
    /// `measured`: what blocking calls of the kind have. `request` is set when the call is
    /// suspended or has ended.
    void prepare(const Call& call, std::shared_ptr<Nonblocking> of, const Peers* peers,
                 const Examined& found, std::shared_ptr<const select::Choice> measured,
                 MPI_Request* request);
    /// For a call on device memory that the MPI library serves: on copies.
    void prepare_staged(const StagedCall& staged, std::shared_ptr<Nonblocking> of,
                        MPI_Request* request);

    /// It is an exact sum on words. After prepare() or prepare_staged().
    void set_sum(std::unique_ptr<LaterSum> sum);

    void run() noexcept override;
    void suspended() override;
    void ended() override;
    bool is_behind(MPI_Request request) const override { return stand_in_ == request; }
    bool ends_in_program() const override { return mpi::ends_in_program(error_); }

private:
    NonblockingCall();
    ~NonblockingCall() override;
    void run_by_library() noexcept;
    void run_in_turn() noexcept;
    int agree_on_window(const Endpoint& at);
    void take_words();
    Served decide(const Endpoint& at);
    int serve(const Served& served, const Endpoint& at);

    std::optional<StagedCall> staged_;
    std::unique_ptr<LaterSum> sum_;  ///< null: it is the program's call as it is
    Call call_{};
    Arguments known_;
    KnownToAll key_{};
    Reduction reduction_;
    KeptHandles handles_;
    KeptArrays arrays_;
    std::shared_ptr<Nonblocking> of_;
    const Peers* peers_ = nullptr;
    std::shared_ptr<const select::Choice> measured_;
    std::uint64_t ticket_ = 0;
    const int number_;                ///< of its stand-in, no multiple of kCallTags.each
    MPI_Request* request_ = nullptr;  ///< the program's, until the call returns
    MPI_Request stand_in_ = MPI_REQUEST_NULL;
    int error_ = MPI_SUCCESS;
    const char* served_by_ = select::kLibrary;
    StatRow* row_ = nullptr;  ///< null when no statistics are kept
    FlightTimer timer_;
};

}  // namespace hopbine::mpi
