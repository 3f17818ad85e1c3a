/// Lengths of an exchange's sized messages, as far as both ends know them.
#pragma once
#include <algorithm>
#include <bit>

#include "runtime/plan.hpp"
#include "runtime/transit_buffer.hpp"
#include "runtime/transport.hpp"
#include "schedule/message_header.hpp"

namespace hopbine::mpi {

/// Block sizes of the last call of a plan of sized messages.
struct Recalled {
    bool whole = false;                 ///< the last call completed: all sizes are known
    bool fixed = false;                 ///< no call has other sizes: messages have no headers
    std::vector<std::int64_t> own;      ///< bytes of the blocks sent from the user's buffer
    std::vector<std::int64_t> lengths;  ///< bytes of the blocks of each sized message, which its
                                        ///< sender and its receiver know
    std::vector<std::int64_t> sizes;    ///< bytes of each received block
    /// Bytes of a block sent from the user's buffer, which may have the same one for all.
    std::int64_t own_size(BlockRef ref) const { return own[own.size() == 1 ? 0 : ref.slot()]; }
};

/// `UserBlocks`: the blocks of a user's buffer, their sizes and datatype.
template <class UserBlocks>
class SizedMessages {
public:
    static constexpr std::int64_t kLeastRoom =
        4096;  ///< least bytes of blocks that a first message has room for

    SizedMessages(const Plan& plan, const UserBlocks& send, const UserBlocks& recv,
                  const TransitBuffer& transit, Recalled& recalled)
        : plan_(plan.sized()), recalled_(recalled), send_(send), recv_(recv), transit_(transit) {}

    /// Bytes of the largest block of all ranks, for Wire::padded.
    std::int64_t largest = 0;

    std::int64_t blocks(const SizedMessage& l) const { return l.end - l.begin; }
    /// The block of a bare message.
    int bare_block(const SizedMessage& l) const { return plan_.blocks[l.begin].at; }
    const UserBlocks& user_blocks(const SizedMessage& l) const {
        return l.direction == Direction::send ? send_ : recv_;
    }

    /// Whether the message goes straight from or to the user's buffer, in the user's datatype. A
    /// long one of a derived datatype is packed: both ends cut long messages by bytes.
    bool direct(const SizedMessage& l) const {
        return l.bare &&
               (user_blocks(l).type().plain || user_blocks(l).bytes(bare_block(l)) <= kMostAtOnce);
    }
    /// Whether both ends know the sizes of its blocks without having told them.
    bool known(const SizedMessage& l) const { return l.bare || padded(); }
    /// Whether blocks are padded to the largest.
    bool padded() const { return plan_.wire == Wire::padded && !recalled_.fixed; }
    bool has_header(const SizedMessage& l) const { return !known(l) && !recalled_.fixed; }
    std::int64_t known_size(const SizedMessage& l) const {
        return l.bare ? user_blocks(l).bytes(bare_block(l)) : largest;
    }

    /// Whether both ends know that there is nothing to send.
    bool nothing(const SizedMessage& l) const {
        if (plan_.wire == Wire::with_empty) return false;
        return known(l) ? known_size(l) == 0 : recalled_.fixed && length(l) == 0;
    }

    /// Most bytes that its header can have.
    std::int64_t most_header(const SizedMessage& l) const {
        return has_header(l) ? MessageHeader::most(blocks(l)) : 0;
    }
    /// Bytes of blocks that the first message has room for. Derived from the length of the last
    /// call's message, which both ends know.
    std::int64_t room(const SizedMessage& l) const {
        if (known(l)) return known_size(l) * blocks(l);
        if (recalled_.fixed) return length(l);
        if (plan_.wire == Wire::sizes_first) return 0;
        return static_cast<std::int64_t>(std::bit_ceil(
            static_cast<std::uint64_t>(std::clamp(length(l), kLeastRoom, kMostAtOnce / 4))));
    }
    /// Bytes of all blocks of the message, the rest included. Of the last call until this call
    /// packs or receives the message.
    std::int64_t& length(const SizedMessage& l) const {
        return recalled_.lengths[static_cast<std::size_t>(&l - plan_.messages.data())];
    }

    /// Bytes of a block to be sent. travelling() adds the padding of Wire::padded.
    std::int64_t size(BlockRef ref) const {
        return ref.in_transit ? transit_.size(ref.slot()) : recalled_.own_size(ref);
    }
    std::int64_t travelling(const SizedMessage& l, std::int64_t size) const {
        return known(l) ? known_size(l) : size;
    }

protected:
    const SizedSteps& plan_;
    Recalled& recalled_;
    const UserBlocks &send_, &recv_;

private:
    const TransitBuffer& transit_;
};

}  // namespace hopbine::mpi
