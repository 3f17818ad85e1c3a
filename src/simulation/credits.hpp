/// Finite buffers of the packet engine: credits for the space at the far end of each link, and the
/// trains that wait for them.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "network/topology.hpp"

namespace hopbine::simulation {

/// A link leads to an input of a router, which has a buffer for each virtual channel. A train takes
/// its space there when it is granted the link, and gives it back when it has left by its next
/// link and the news has come back. Trains that find no space wait in order, apart for each virtual
/// channel: what is full of one channel delays no other channel.
///
/// Space and trains are measured in time: that of their bytes on a link of capacity 1.
class Credits {
public:
    using Ticks = std::int64_t;
    static constexpr Ticks kNever = -1;
    /// A train that asks for a link: where it is on its route, and which stop it came by.
    struct Train {
        std::uint32_t message;
        std::uint16_t stop, before;
        Ticks size, asked;
    };

    /// `space` of a buffer behind one cable: a bundle has the buffers of all its cables. `back`:
    /// how long the news takes on a cable of latency 1.
    Credits(const network::Topology& t, Ticks space, double back);

    /// Takes space for a train. Returns false if it has to wait: it is kept then, until `next`.
    /// `wake`: when to call `open` for this buffer; kNever if that is told already, or will be.
    bool take(int link, int channel, const Train& train, Ticks now, Ticks& wake) {
        Buffer& b = buffer(link, channel);
        if (b.waiting < 0) [[likely]] {
            if (b.space < train.size) collect(b, now);
            if (b.space >= train.size) {
                b.space -= train.size;
                return true;
            }
        }
        wait(b, link, train);
        wake = this->wake(b);
        return false;
    }
    /// A train leaves the buffer at a time that may lie ahead. Returns `wake` as `take` does.
    Ticks give(int link, int channel, Ticks size, Ticks when, Ticks now) {
        Buffer& b = buffer(link, channel);
        when += backs_[b.back];
        if (b.waiting < 0) [[likely]]
            collect(b, now);
        keep(b, {when, size});
        if (b.waiting < 0) return kNever;
        return b.wake == kNever || when < b.wake ? b.wake = when : kNever;
    }
    /// Whether trains may go on at a time that `wake` told; false where an earlier one has come
    /// since.
    bool open(std::uint32_t buffer, Ticks now);
    /// The next train that waits for a buffer, if there is space for it now: the space is taken.
    /// Otherwise returns false, and `wake` as `take` does.
    bool next(std::uint32_t buffer, Ticks now, Train& out, Ticks& wake);

    /// Number of a buffer, for `next`.
    std::uint32_t number(int link, int channel) const {
        return static_cast<std::uint32_t>(channel) * static_cast<std::uint32_t>(links_.size()) +
               static_cast<std::uint32_t>(link);
    }
    /// What the trains that wait for a link's buffers have in all.
    Ticks waiting(int link) const { return behind_[static_cast<std::size_t>(link)]; }
    /// Virtual channels that were used.
    int channels() const { return static_cast<int>(buffers_.size() / links_.size()); }
    /// Which links trains wait for, in words; empty if none does.
    std::string stuck() const;
    void prefetch(std::uint32_t buffer) const {
        if (buffer < buffers_.size()) __builtin_prefetch(&buffers_[buffer]);
    }

private:
    struct Returned {
        Ticks when, size;
    };
    /// In one line of cache. Space that will have come back, or is not yet counted, is in the order
    /// of time: `soon`, and a chain behind it where that is not enough. Chains are circles, named
    /// by their last member.
    struct alignas(64) Buffer {
        Ticks space;
        Ticks wake = kNever;
        Returned soon[2] = {};
        int later = -1;
        int waiting = -1;             ///< trains
        std::uint16_t returning = 0;  ///< of `soon`
        std::uint16_t back;           ///< number of the time until the news is there
    };
    struct Later {
        Returned returned;
        int next;
    };
    struct Waiting {
        Train train;
        int next, link;
    };

    Buffer& buffer(int link, int channel) {
        const std::uint32_t n = number(link, channel);
        while (n >= buffers_.size()) [[unlikely]]
            add_channel();
        return buffers_[n];
    }
    /// Counts the space that has come back.
    void collect(Buffer& b, Ticks now) {
        while (b.returning > 0 && b.soon[0].when <= now) {
            b.space += b.soon[0].size;
            b.soon[0] = b.soon[1];
            if (b.later >= 0)
                b.soon[1] = take_later(b);
            else
                --b.returning;
        }
    }
    void keep(Buffer& b, Returned r) {
        if (b.returning == 2) {
            if (r.when < b.soon[1].when) std::swap(r, b.soon[1]);
            keep_later(b, r);
        } else {
            b.soon[b.returning++] = r;
        }
        if (b.returning == 2 && b.soon[1].when < b.soon[0].when) std::swap(b.soon[0], b.soon[1]);
    }
    void add_channel();
    void wait(Buffer& b, int link, const Train& train);
    void keep_later(Buffer& b, const Returned& r);
    Returned take_later(Buffer& b);
    static Ticks wake(Buffer& b);

    const std::vector<network::Link>& links_;
    Ticks space_;
    double back_;
    std::vector<Ticks> backs_;     ///< different times until news is there
    std::vector<Buffer> buffers_;  ///< by channel and link
    std::vector<Ticks> behind_;    ///< by link: what waits
    std::vector<Waiting> waiting_;
    std::vector<Later> later_;
    int unused_waiting_ = -1, unused_later_ = -1;
};

}  // namespace hopbine::simulation
