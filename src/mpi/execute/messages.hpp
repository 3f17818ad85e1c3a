/// hopbine's own messages: their addresses, waiting for them, requests under way.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <array>
#include <span>
#include <variant>
#include <vector>

#include "mpi/execute/datatype.hpp"
#include "runtime/fiber.hpp"
#include "runtime/mailboxes.hpp"
#include "runtime/peers.hpp"
#include "runtime/transport.hpp"
#include "schedule/problem.hpp"

/// Returns from a function with the MPI error code of `call`, unless it is MPI_SUCCESS.
#define HOPBINE_TRY(call) \
    if (const int error = (call); error != MPI_SUCCESS) return error

namespace hopbine::mpi {

/// Makes a communicator of the same ranks, without the attributes of `comm`. Its error handler is
/// MPI_ERRORS_RETURN. Collective.
MPI_Comm private_copy(MPI_Comm comm);

/// A communicator of this process alone: copies derived datatypes and probes the MPI library. Its
/// error handler is MPI_ERRORS_RETURN. MPI_COMM_NULL before it is made and after it is freed.
MPI_Comm self_comm();
void make_self_comm();
void free_self_comm();

/// Where messages of this process to itself go that other threads wait for: self_comm(), or a copy
/// of MPI_COMM_WORLD after make_own_messages().
struct OwnMessages {
    MPI_Comm comm;
    int rank;
};
OwnMessages own_messages();
/// Collective. For MPICH 4.0, which does not tell a thread that waits of messages on a communicator
/// of one process, and frees their requests without a lock (Debian's 4.0.2, measured).
void make_own_messages();
void free_own_messages();

/// Messages by the MPI library alone.
struct ByLibrary {};
/// What carries the messages of a call: the MPI library; the mailboxes, where all fit into them; or
/// the library and devices that are peers, to which messages are announced.
using Carrier = std::variant<ByLibrary, Mailboxes*, const Peers*>;

struct Endpoint : Addresses {
    MPI_Comm comm = MPI_COMM_NULL;  ///< has all ranks of MPI_COMM_WORLD
    Fiber* fiber = nullptr;  ///< is suspended where a call would wait; null: the thread waits
    Carrier carrier = {};

    /// Null: the ranks have none, and the carrier stays.
    void carry_by(Mailboxes* mailboxes) {
        if (mailboxes) carrier = mailboxes;
    }
    void carry_by(const Peers* peers) {
        if (peers) carrier = peers;
    }
    const Peers* peers() const {
        const auto* const found = std::get_if<const Peers*>(&carrier);
        return found ? *found : nullptr;
    }
};

/// A message of `count` elements to or from a rank.
struct ToRank {
    const void* data;
    int count, to;
};
struct FromRank {
    void* data;
    int count, from;
};

/// MPI's blocking functions, in a fiber, which they suspend. All return an MPI error code.
namespace in_fiber {
int wait(MPI_Request* request, MPI_Status* status, Fiber& fiber);
int wait_some(int n, MPI_Request* requests, int* over, int* which, MPI_Status* statuses,
              Fiber& fiber);
int send(const void* data, int n, MPI_Datatype type, int to, int channel, const Endpoint& at);
int receive(void* data, int n, MPI_Datatype type, int from, int channel, const Endpoint& at);
int exchange(const ToRank& out, const FromRank& in, MPI_Datatype type, int channel,
             const Endpoint& at);
}  // namespace in_fiber

inline int wait(MPI_Request* request, MPI_Status* status, const Endpoint& at) {
    return at.fiber ? in_fiber::wait(request, status, *at.fiber) : PMPI_Wait(request, status);
}

inline int wait_some(int n, MPI_Request* requests, int* over, int* which, MPI_Status* statuses,
                     const Endpoint& at) {
    return at.fiber ? in_fiber::wait_some(n, requests, over, which, statuses, *at.fiber)
                    : PMPI_Waitsome(n, requests, over, which, statuses);
}

/// Sends to rank `to` on a channel.
inline int send(const void* data, int n, MPI_Datatype type, int to, int channel,
                const Endpoint& at) {
    return at.fiber ? in_fiber::send(data, n, type, to, channel, at)
                    : PMPI_Send(data, n, type, at.rank(to), at.tag_of(to, channel), at.comm);
}

inline int receive(void* data, int n, MPI_Datatype type, int from, int channel,
                   const Endpoint& at) {
    return at.fiber ? in_fiber::receive(data, n, type, from, channel, at)
                    : PMPI_Recv(data, n, type, at.rank(from), at.own_tag(channel), at.comm,
                                MPI_STATUS_IGNORE);
}

/// Sends to one rank and receives from another on a channel.
inline int exchange(const ToRank& out, const FromRank& in, MPI_Datatype type, int channel,
                    const Endpoint& at) {
    return at.fiber
               ? in_fiber::exchange(out, in, type, channel, at)
               : PMPI_Sendrecv(out.data, out.count, type, at.rank(out.to),
                               at.tag_of(out.to, channel), in.data, in.count, type,
                               at.rank(in.from), at.own_tag(channel), at.comm, MPI_STATUS_IGNORE);
}

/// Replaces each number, of at most 8, by its maximum over all ranks, by dissemination (Hensgen,
/// Finkel and Manber, 1988): calls in a fiber need hopbine's own messages. Collective. Returns an
/// MPI error code.
int most_of_all(std::span<std::int64_t> numbers, int rank, int ranks, int channel,
                const Endpoint& at);

/// Posts the sends of n bytes on a channel, in transfers that an int can count; none when n is 0.
/// Returns an MPI error code.
inline int send_bytes(const char* from, std::int64_t n, int peer, int channel, const Endpoint& to,
                      std::vector<MPI_Request>& requests) {
    for (std::int64_t at = 0; at < n; at += kMostAtOnce)
        HOPBINE_TRY(PMPI_Isend(from + at, static_cast<int>(std::min(kMostAtOnce, n - at)), MPI_BYTE,
                               to.rank(peer), to.tag_of(peer, channel), to.comm,
                               &requests.emplace_back(MPI_REQUEST_NULL)));
    return MPI_SUCCESS;
}
/// Posts the receives that match send_bytes().
inline int receive_bytes(char* to, std::int64_t n, int peer, int channel, const Endpoint& from,
                         std::vector<MPI_Request>& requests) {
    for (std::int64_t at = 0; at < n; at += kMostAtOnce)
        HOPBINE_TRY(PMPI_Irecv(to + at, static_cast<int>(std::min(kMostAtOnce, n - at)), MPI_BYTE,
                               from.rank(peer), from.own_tag(channel), from.comm,
                               &requests.emplace_back(MPI_REQUEST_NULL)));
    return MPI_SUCCESS;
}

/// Requests under way, each with a note of its purpose. Keeps its memory when it is cleared.
template <class Use>
class Outstanding {
public:
    bool empty() const { return requests_.empty(); }
    void clear() {
        requests_.clear();
        uses_.clear();
        waited_ = {};
        left_ = 0;
    }
    /// For functions that append requests. note() comes next.
    std::vector<MPI_Request>& requests() {
        if (left_ == 0) clear();
        return requests_;
    }
    /// Notes the purpose of the requests just appended. Returns their number, without one that
    /// could not be posted.
    int note(const Use& use) {
        const std::size_t before = uses_.size();
        if (requests_.size() > before && requests_.back() == MPI_REQUEST_NULL) requests_.pop_back();
        while (uses_.size() < requests_.size()) uses_.push_back(use);
        left_ += requests_.size() - before;
        return static_cast<int>(uses_.size() - before);
    }
    /// Waits until at least one completes. f(its purpose, its error code) for each that has.
    template <class F>
    void wait_for_some(const Endpoint& at, const F& f) {
        int over = 0, kind = MPI_SUCCESS;
        if (over_.size() < requests_.size()) {
            over_.resize(requests_.size());
            statuses_.resize(requests_.size());
        }
        const int e = mpi::wait_some(static_cast<int>(requests_.size()), requests_.data(), &over,
                                     over_.data(), statuses_.data(), at);
        if (e != MPI_SUCCESS) PMPI_Error_class(e, &kind);
        if (kind != MPI_SUCCESS && kind != MPI_ERR_IN_STATUS) {
            clear();
            throw Error("MPI_Waitsome failed");
        }
        for (std::size_t i = 0; i < static_cast<std::size_t>(over); ++i)
            f(uses_[static_cast<std::size_t>(over_[i])],
              kind == MPI_ERR_IN_STATUS ? statuses_[i].MPI_ERROR : MPI_SUCCESS);
        remove_completed();
    }
    /// Waits for the earliest one whose purpose is `kind`, which divides all in two. Not to be
    /// mixed with wait_for_some() while requests are left.
    template <class Kind, class F>
    void wait_for_one(const Endpoint& at, const Kind& kind, const F& f) {
        std::size_t& next = waited_[kind(uses_[0])];
        while (!kind(uses_[next])) ++next;
        const int e = mpi::wait(&requests_[next], MPI_STATUS_IGNORE, at);
        const Use use = uses_[next++];
        --left_;
        f(use, e);
    }

private:
    void remove_completed() {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < requests_.size(); ++i)
            if (requests_[i] != MPI_REQUEST_NULL) {
                requests_[kept] = requests_[i];
                uses_[kept++] = uses_[i];
            }
        requests_.resize(kept);
        uses_.resize(kept);
        left_ = kept;
    }

    std::vector<MPI_Request> requests_;
    std::vector<Use> uses_;                ///< one for each request
    std::array<std::size_t, 2> waited_{};  ///< where wait_for_one() goes on, by the kind
    std::size_t left_ = 0;                 ///< requests that have not completed
    std::vector<int> over_;
    std::vector<MPI_Status> statuses_;
};

}  // namespace hopbine::mpi
