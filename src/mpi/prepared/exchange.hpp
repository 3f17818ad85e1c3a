/// An alltoallv repeated with the same arguments: sizes, copies and addresses are found once.
#pragma once
#include <mpi.h>

#include <vector>

#include "mpi/execute/buffers.hpp"
#include "mpi/execute/call.hpp"
#include "mpi/execute/user_blocks.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// Sets `sizes` to the bytes of every block of a plan of sized messages on this rank. `own` has the
/// bytes that it sends to each rank. Collective. Returns an MPI error code.
int exchange_sizes(const Plan& plan, const std::vector<std::int64_t>& own, const Endpoint& at,
                   std::vector<std::int64_t>* sizes);

class Exchange {
public:
    /// `call` is a valid alltoallv, with arrays that stay. Its buffers are read and written in
    /// run().
    Exchange(const Call& call, const Communicator& state, const Plan& plan, const Type& send,
             const Type& recv);
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    /// Computes what all repetitions share. Collective. Returns an MPI error code: MPI_ERR_TRUNCATE
    /// on all ranks when the counts of two disagree.
    int prepare(const Endpoint& at);
    /// Exchanges the blocks once. Returns an MPI error code.
    int run(const Endpoint& at);
    /// Bytes of memory beyond the user's buffers.
    std::int64_t extra() const {
        return in_.capacity() + out_.capacity() + packed_send_.capacity() + packed_recv_.capacity();
    }

private:
    struct Copy {
        char* user;  ///< contiguous blocks, in the user's buffer or in `in_`; null: blocks in
                     ///< transit that stay in the message
        std::int64_t bytes;
    };
    /// A message of `bytes` at `at`. Its copies gather the bytes before it is sent, or scatter them
    /// when it has been received.
    struct PreparedMessage {
        Direction direction;
        int peer;
        char* at;
        std::int64_t bytes;
        std::uint32_t begin, end;
    };

    void lay_out(const std::vector<std::int64_t>& sizes);
    void receive_message(const SizedMessage& l, const std::vector<std::int64_t>& sizes,
                         std::vector<char*>& slots, char*& at);
    void send_message(const SizedMessage& l, const std::vector<std::int64_t>& sizes,
                      const std::vector<char*>& slots, char*& at);
    void add_copy(std::uint32_t begin, char* user, std::int64_t bytes);
    char* own_block(int b) const {
        return packs_ ? packed_send_at_[static_cast<std::size_t>(b)] : send_.at(b);
    }
    char* wanted_block(int b) const {
        return unpacks_ ? packed_recv_at_[static_cast<std::size_t>(b)] : recv_.at(b);
    }
    int post(std::size_t step, const Endpoint& at);
    void end_step(std::size_t step);

    const Communicator& state_;
    const Plan& plan_;
    UserBlocks send_, recv_;
    bool in_place_, packs_, unpacks_;  ///< packed before sending, unpacked at completion
    Scratch in_, out_, packed_send_, packed_recv_, between_;
    std::vector<char*> packed_send_at_, packed_recv_at_;
    std::vector<Copy> copies_;
    std::vector<PreparedMessage> messages_;
    std::vector<std::uint32_t> steps_;
    std::vector<MPI_Request> requests_;
};

}  // namespace hopbine::mpi
