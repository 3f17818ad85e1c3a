/// Finite buffers of the packet engine: credits for the space at the far end of each link, and the
/// trains that wait for them.
#pragma once
#include <cstdint>
#include <string>
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
    bool take(int link, int channel, const Train& train, Ticks now, Ticks& wake);
    /// A train leaves the buffer at a time that may lie ahead. Returns `wake` as `take` does.
    Ticks give(int link, int channel, Ticks size, Ticks when, Ticks now);
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
    int channels() const { return static_cast<int>(buffers_.size()); }
    /// Which links trains wait for, in words; empty if none does.
    std::string stuck() const;

private:
    struct Returned {
        Ticks when, size;
    };
    struct Buffer {
        Ticks space, back;  ///< `back`: until the news is there
        Ticks wake = kNever;
        std::vector<Returned> returned = {};  ///< what will have come back, or is not yet counted
        int head = -1, tail = -1;             ///< of the trains that wait
    };
    struct Waiting {
        Train train;
        int next;
    };

    Buffer& buffer(int link, int channel) {
        if (static_cast<std::size_t>(channel) >= buffers_.size()) add_channel(channel);
        return buffers_[static_cast<std::size_t>(channel)][static_cast<std::size_t>(link)];
    }
    Buffer& at(std::uint32_t number) {
        return buffers_[number / links_.size()][number % links_.size()];
    }
    void add_channel(int channel);
    static void collect(Buffer& b, Ticks now);
    static Ticks wake(Buffer& b);

    const std::vector<network::Link>& links_;
    Ticks space_;
    double back_;
    std::vector<std::vector<Buffer>> buffers_;  ///< by channel and link
    std::vector<Ticks> behind_;                 ///< by link: what waits
    std::vector<Waiting> waiting_;
    int unused_ = -1;
};

}  // namespace hopbine::simulation
