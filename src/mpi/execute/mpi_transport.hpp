/// Messages of a plan as the MPI library's point-to-point messages.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "mpi/execute/datatype.hpp"
#include "mpi/execute/messages.hpp"
#include "runtime/plan.hpp"

namespace hopbine::mpi {

/// How elements are sent: as bytes, or as a datatype with gaps.
struct ElementType {
    MPI_Datatype handle = MPI_BYTE;
    std::int64_t width = 1;  ///< bytes of an element that is sent as bytes; else 1
    std::int64_t size = 1;   ///< bytes of data

    int count(std::int64_t n) const { return static_cast<int>(n * width); }
    /// Whether n elements are one transfer: n <= cut(), without the division.
    bool one_transfer(std::int64_t n) const { return n * width <= kMostAtOnce; }
    /// Elements of one transfer, bounded by int.
    std::int64_t cut() const { return kMostAtOnce / width; }
};

/// Posts messages, and makes those calls that wait.
class MpiMessages {
public:
    static constexpr bool kCalls = true;
    MpiMessages(const Endpoint& at, const ElementType& type, std::int64_t stride)
        : at_(at), type_(type), stride_(stride) {}

    bool single(const Message&, std::int64_t n) const { return type_.one_transfer(n); }
    bool may_block(const Message& m, std::int64_t n) const { return single(m, n); }
    int send(const Message& m, int channel, const char* from, std::int64_t n) const {
        return mpi::send(from, type_.count(n), type_.handle, m.peer, channel, at_);
    }
    int receive(const Message& m, int channel, char* to, std::int64_t n) const {
        return mpi::receive(to, type_.count(n), type_.handle, m.peer, channel, at_);
    }
    int exchange(const Message& out, const char* from, std::int64_t n, const Message& in, char* to,
                 std::int64_t m, int channel) const {
        return mpi::exchange({from, type_.count(n), out.peer}, {to, type_.count(m), in.peer},
                             type_.handle, channel, at_);
    }

protected:
    int post_send(const Message& m, int channel, const char* from, std::int64_t n,
                  std::vector<MPI_Request>& requests) const {
        return each_transfer(n, [&](std::int64_t at, std::int64_t some) {
            return PMPI_Isend(from + at * stride_, type_.count(some), type_.handle,
                              at_.rank(m.peer), at_.tag_of(m.peer, channel), at_.comm,
                              &requests.emplace_back(MPI_REQUEST_NULL));
        });
    }
    int post_receive(const Message& m, int channel, char* to, std::int64_t n,
                     std::vector<MPI_Request>& requests) const {
        return each_transfer(n, [&](std::int64_t at, std::int64_t some) {
            return PMPI_Irecv(to + at * stride_, type_.count(some), type_.handle, at_.rank(m.peer),
                              at_.own_tag(channel), at_.comm,
                              &requests.emplace_back(MPI_REQUEST_NULL));
        });
    }

    const Endpoint& at_;
    const ElementType type_;
    const std::int64_t stride_;  ///< bytes from element to element

private:
    /// Cuts a message into transfers. Both ends cut at the same elements.
    template <class F>
    int each_transfer(std::int64_t n, F&& transfer) const {
        if (type_.one_transfer(n)) return transfer(0, n);
        const std::int64_t most = type_.cut();
        for (std::int64_t at = 0; at < n; at += most)
            HOPBINE_TRY(transfer(at, std::min(most, n - at)));
        return MPI_SUCCESS;
    }
};

/// `requests`: memory kept between calls.
class MpiTransport : public MpiMessages {
public:
    MpiTransport(const Endpoint& at, const ElementType& type, std::int64_t stride,
                 Outstanding<MessageUse>& requests)
        : MpiMessages(at, type, stride), requests_(requests) {}
    Begun begin_send(MessageUse use, const Message& m, int channel, const char* from,
                     std::int64_t n) {
        const int error = post_send(m, channel, from, n, requests_.requests());
        return {requests_.note(use), error};
    }
    Begun begin_receive(MessageUse use, const Message& m, int channel, char* to, std::int64_t n) {
        const int error = post_receive(m, channel, to, n, requests_.requests());
        return {requests_.note(use), error};
    }
    /// Messages of a single channel are waited for one by one, as they are needed: an error of one
    /// leaves none of the others in flight.
    template <class Done>
    void wait(Needed what, const Done& done) {
        if (what == Needed::anything) return requests_.wait_for_some(at_, done);
        requests_.wait_for_one(
            at_, [=](MessageUse use) { return (use.arriving < 0) == (what == Needed::a_send); },
            done);
    }

private:
    Outstanding<MessageUse>& requests_;
};

}  // namespace hopbine::mpi
