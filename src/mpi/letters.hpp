/// What the messages of an alltoallv are made of, as both ends see them.
#pragma once
#include <algorithm>
#include <bit>

#include "mpi/held.hpp"
#include "mpi/plan.hpp"
#include "mpi/side.hpp"

namespace hopbine::mpi {

class Letters {
public:
    static constexpr std::int64_t kLeastRoom = 4096;  ///< bytes of blocks that a first message has room for, whatever the last call's had
    static constexpr std::int64_t kWord = sizeof(std::int64_t);

    Letters(const Plan& plan, const Side& send, const Side& recv, const Held& held) : plan_(plan), send_(send), recv_(recv), held_(held) {}

    /// Padded: bytes of the largest block of all ranks.
    std::int64_t largest = 0;

    template <class F> void each_block(const Message& m, F&& f) const {
        for (std::uint32_t i = m.begin; i < m.end; ++i)
            for (std::int64_t k = 0; k < plan_.pieces[i].count; ++k) f(plan_.pieces[i].space, plan_.pieces[i].first + k);
    }
    std::int64_t blocks(const Message& m) const {
        std::int64_t n = 0;
        for (std::uint32_t i = m.begin; i < m.end; ++i) n += plan_.pieces[i].count;
        return n;
    }
    const Side& side(const Message& m) const { return m.way == Way::send ? send_ : recv_; }

    bool bare(const Message& m) const { return mpi::bare(plan_, m); }
    /// Bare and from or to the user's buffer as it is. A long one of a derived type is packed: it is cut by bytes, as both ends can.
    bool direct(const Message& m) const { return bare(m) && (side(m).type().plain || side(m).bytes(m.peer) <= kMostAtOnce); }
    /// Both ends know the sizes of its blocks.
    bool known(const Message& m) const { return bare(m) || plan_.wire == Wire::padded; }
    std::int64_t known_size(const Message& m) const { return bare(m) ? side(m).bytes(m.peer) : largest; }

    bool nothing(const Message& m) const { return known(m) && known_size(m) == 0; }

    /// Bytes at the head: how much the busiest rank sends that is known of, and the sizes.
    std::int64_t head(const Message& m) const { return known(m) ? 0 : (1 + blocks(m)) * kWord; }
    /// Bytes of blocks that the first message has room for. Both ends know how long the last one was.
    std::int64_t room(const Message& m) const {
        if (known(m)) return known_size(m) * blocks(m);
        if (plan_.wire == Wire::sizes_first) return 0;
        return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::clamp(length(m), kLeastRoom, kMostAtOnce / 4))));
    }
    /// Bytes of the blocks of the last message, rest and all.
    std::int64_t& length(const Message& m) const { return plan_.lengths[static_cast<std::size_t>(&m - plan_.messages.data())]; }

    /// Bytes of a block that is to be sent: as it is, and as it travels.
    std::int64_t size(Space space, std::int64_t at) const { return space == Space::work ? send_.bytes(static_cast<int>(at)) : held_.size(at); }
    std::int64_t travelling(const Message& m, std::int64_t size) const { return known(m) ? known_size(m) : size; }

    /// Room in staging, on cache lines of its own.
    static std::int64_t lines(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

protected:
    const Plan& plan_;
    const Side &send_, &recv_;

private:
    const Held& held_;
};

}  // namespace hopbine::mpi
