/// What the letters of an exchange are made of, as both ends see them.
#pragma once
#include <algorithm>
#include <bit>

#include "core/head.hpp"
#include "mpi/held.hpp"
#include "mpi/plan.hpp"
#include "mpi/side.hpp"

namespace hopbine::mpi {

class Letters {
public:
    static constexpr std::int64_t kLeastRoom =
        4096;  ///< bytes of blocks that a first message has room for, whatever the last call's had

    Letters(const Plan& plan, const Side& send, const Side& recv, const Held& held)
        : plan_(plan), recalled_(plan.recalled), send_(send), recv_(recv), held_(held) {}

    /// Padded: bytes of the largest block of all ranks.
    std::int64_t largest = 0;

    std::int64_t blocks(const Letter& l) const { return l.end - l.begin; }
    const Side& side(const Letter& l) const { return l.way == Way::send ? send_ : recv_; }

    /// Bare and from or to the user's buffer as it is. A long one of a derived type is packed: it
    /// is cut by bytes, as both ends can.
    bool direct(const Letter& l) const {
        return l.bare && (side(l).type().plain || side(l).bytes(l.peer) <= kMostAtOnce);
    }
    /// Both ends know the sizes of its blocks.
    bool known(const Letter& l) const { return l.bare || plan_.wire == Wire::padded; }
    std::int64_t known_size(const Letter& l) const {
        return l.bare ? side(l).bytes(l.peer) : largest;
    }

    bool nothing(const Letter& l) const { return known(l) && known_size(l) == 0; }

    /// Bytes that the head may have.
    std::int64_t most_head(const Letter& l) const { return known(l) ? 0 : Head::most(blocks(l)); }
    /// Bytes of blocks that the first message has room for. Both ends know how long the last one
    /// was.
    std::int64_t room(const Letter& l) const {
        if (known(l)) return known_size(l) * blocks(l);
        if (plan_.wire == Wire::sizes_first) return 0;
        return static_cast<std::int64_t>(std::bit_ceil(
            static_cast<std::uint64_t>(std::clamp(length(l), kLeastRoom, kMostAtOnce / 4))));
    }
    /// Bytes of the blocks of the last letter, rest and all.
    std::int64_t& length(const Letter& l) const {
        return recalled_.lengths[static_cast<std::size_t>(&l - plan_.letters.data())];
    }

    /// Bytes of a block that is to be sent: as it is, and as it travels.
    std::int64_t size(Hop hop) const {
        return hop < 0 ? held_.size(slot(hop))
                       : recalled_.own[send_.blocks() == 1 ? 0 : static_cast<std::size_t>(hop)];
    }
    std::int64_t travelling(const Letter& l, std::int64_t size) const {
        return known(l) ? known_size(l) : size;
    }

protected:
    const Plan& plan_;
    Recalled& recalled_;
    const Side &send_, &recv_;

private:
    const Held& held_;
};

}  // namespace hopbine::mpi
