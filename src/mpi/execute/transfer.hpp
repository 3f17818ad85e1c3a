/// Transfers of one message of a plan, in any order of messages: addresses, packing, placing.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "mpi/execute/buffers.hpp"
#include "mpi/execute/endpoint.hpp"

namespace hopbine::mpi {

class Transfers {
protected:
    Transfers(const Plan& plan, const Binding& b, const Endpoint& at)
        : plan_(plan), b_(b), at_(at), pieces_(plan.pieces.data()) {}

    const Piece* pieces(const Message& m) const { return pieces_ + m.begin; }
    std::int64_t elements(const Piece& p) const {
        return b_.layout(p.first + p.count) - b_.layout(p.first);
    }
    std::int64_t elements(const Message& m) const {
        std::int64_t n = 0;
        for (std::uint32_t i = m.begin; i < m.end; ++i) n += elements(pieces_[i]);
        return n;
    }
    char* address(const Piece& p) const {
        return b_.base[static_cast<int>(p.space)] + b_.layout(p.first) * b_.width;
    }

    /// Ends work on a device, before a transfer reads or overwrites what it works on.
    void settle() {
        if (b_.device) keep(b_.device->wait());
    }

    /// Whether a message of n elements is sent at all.
    bool sent(std::int64_t n) const { return n > 0 || b_.signals; }
    /// Elements of one transfer, bounded by int.
    std::int64_t cut() const { return b_.plain() ? kMostAtOnce / b_.width : kMostAtOnce; }
    /// Whether a message of n elements is one transfer: n <= cut(), without the division.
    bool one_transfer(std::int64_t n) const {
        return (b_.plain() ? n * b_.width : n) <= kMostAtOnce;
    }
    int count(std::int64_t n) const { return static_cast<int>(b_.plain() ? n * b_.width : n); }
    MPI_Datatype type() const { return b_.plain() ? MPI_BYTE : b_.reduction->type.handle; }

    bool staged(const Message& m) const {
        return (m.direction == Direction::recv && m.op == Op::reduce) || m.end - m.begin > 1;
    }
    /// Staging bytes of messages that are staged at the same time.
    std::int64_t room(const Message* begin, const Message* end) const {
        std::int64_t bytes = 0;
        for (const Message* m = begin; m != end; ++m)
            if (staged(*m)) bytes += room(elements(*m));
        return bytes;
    }
    /// Staging bytes of n elements. An element's data may reach beyond its extent.
    std::int64_t room(std::int64_t n) const {
        return lines(n * b_.width + (b_.plain() ? 0 : b_.reduction->type.true_extent));
    }
    /// Allocates staging for n elements, shifted so that the datatype's first byte is the buffer's.
    char* stage(Stage& s, std::int64_t n) const {
        char* at = s.begin + s.used - (b_.plain() ? 0 : b_.reduction->type.true_lb);
        s.used += room(n);
        return at;
    }

    int receive(const Message& m, std::int64_t n, char* to, int channel,
                std::vector<MPI_Request>& requests) const {
        return each_transfer(n, [&](std::int64_t from, std::int64_t some) {
            return PMPI_Irecv(to + from * b_.width, count(some), type(), at_.rank(m.peer),
                              at_.own_tag(channel), at_.comm, &requests.emplace_back());
        });
    }
    int send(const Message& m, std::int64_t n, const char* from, int channel,
             std::vector<MPI_Request>& requests) const {
        return each_transfer(n, [&](std::int64_t at, std::int64_t some) {
            return PMPI_Isend(from + at * b_.width, count(some), type(), at_.rank(m.peer),
                              at_.tag_of(m.peer, channel), at_.comm, &requests.emplace_back());
        });
    }

    /// The address from which m's n elements are sent; null: packing failed.
    const char* outgoing(const Message& m, std::int64_t n, Stage& s) const {
        return staged(m) ? pack(m, stage(s, n)) : address(pieces(m)[0]);
    }

    /// Copies a message's pieces to `at`, and returns that; null: it failed.
    const char* pack(const Message& m, char* const at) const {
        char* to = at;
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            const std::int64_t some = elements(pieces_[i]);
            if (const int e = copy(to, address(pieces_[i]), some); e != MPI_SUCCESS) return nullptr;
            to += some * b_.width;
        }
        return at;
    }

    /// Adds a received message to the one received next, which keeps the sum. Both have the same
    /// pieces; the next one comes from a higher rank.
    int pass_on(char* from, char* to, std::int64_t n) const {
        return n == 0 ? MPI_SUCCESS : add(from, to, n, true);
    }

    /// to[0..n) = from op to where `left`, else to op from. Kernels of devices commute.
    int add(char* from, char* to, std::int64_t n, bool left) const {
        return b_.device ? b_.device->reduce(*b_.reduction, from, to, n)
                         : b_.reduction->apply(from, to, n, left);
    }

    /// Copies a staged message to its place, or adds it there.
    int place(const Message& m, char* from) {
        if (!from) return MPI_SUCCESS;
        if (m.keeps) keep_contribution(m, from);
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            const std::int64_t n = elements(pieces_[i]);
            if (n == 0) continue;
            char* to = address(pieces_[i]);
            const int e = m.op == Op::reduce ? add(from, to, n, left(m)) : copy(to, from, n);
            if (e != MPI_SUCCESS) return e;
            from += n * b_.width;
        }
        return MPI_SUCCESS;
    }

    /// Copies a staged contribution to Space::temp, to be sent on.
    void keep_contribution(const Message& m, const char* from) {
        char* const kept = b_.base[static_cast<int>(Space::temp)];
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            const std::int64_t n = elements(plan_.pieces[i]);
            keep(copy(kept + b_.layout(plan_.pieces[i].first) * b_.width, from, n));
            from += n * b_.width;
        }
    }

    /// Whether the received operand is the left one: the lower rank's is, for operations that do
    /// not commute.
    bool left(const Message& m) const { return m.peer < plan_.rank; }

    const Plan& plan_;
    const Binding& b_;
    /// Keeps the first error. The schedule continues: other ranks wait for this rank's messages.
    void keep(int error) {
        if (error != MPI_SUCCESS && error_ == MPI_SUCCESS) error_ = error;
    }

    const Endpoint& at_;
    const Piece* pieces_;  ///< of the current step
    int error_ = MPI_SUCCESS;

private:
    /// Cuts a message into transfers of `cut` elements. Both ends cut at the same elements.
    template <class F>
    int each_transfer(std::int64_t n, F&& transfer) const {
        if (n == 0) return transfer(0, 0);
        const std::int64_t most = cut();
        for (std::int64_t at = 0; at < n; at += most)
            if (const int e = transfer(at, std::min(most, n - at)); e != MPI_SUCCESS) return e;
        return MPI_SUCCESS;
    }

    int copy(char* to, const char* from, std::int64_t n) const {
        if (b_.device) return b_.device->copy(to, from, n * b_.width);
        if (b_.reduction) return copy_elements(to, from, n, b_.reduction->type);
        std::memcpy(to, from, static_cast<std::size_t>(n));
        return MPI_SUCCESS;
    }
};

}  // namespace hopbine::mpi
