/// Tags of the messages of collective calls that are under way at once.
///
/// The MPI side makes its tags by this rule, and the check proves schedules with it: one truth.
#pragma once
#include <cstdint>

namespace hopbine {

/// The one channel of plans without several. Where blocks have sizes that only both ends know, also
/// that of what a message had no room for.
inline constexpr int kDataChannel = 0, kRestChannel = 1;

/// Every rank receives with tags of its own, which it allocates in spaces of `each`. A
/// communicator's blocking calls, which follow one another, share a space. Every persistent call
/// has one. Nonblocking calls share consecutive ones, their lanes, which they use in turns.
struct CallTags {
    int each = 64;  ///< tags of a call, one for each channel of its schedule

    constexpr bool serves(int channels) const { return channels <= each; }
    constexpr int first(int space) const { return space * each; }
    static constexpr std::uint64_t lane(std::uint64_t ticket, std::uint64_t lanes) {
        return ticket % lanes;
    }
    /// From the first tag of the lanes to that of the call with this ticket.
    constexpr int beyond(std::uint64_t ticket, std::uint64_t lanes) const {
        return first(static_cast<int>(lane(ticket, lanes)));
    }
    /// The tag of a channel of the call whose tags begin at `first`.
    static constexpr int tag(int first, int channel) { return first + channel; }
};
inline constexpr CallTags kCallTags;

/// What is sent of an announced message besides: its header, the acknowledgement, and the data
/// where the MPI library carries it, from where it was at first or after a refusal.
enum class Announced : std::uint8_t { header = 1, acknowledgement, data, refused_data };
/// Most channels of a schedule whose messages may be announced: a call has tags for no more.
inline constexpr int kAnnouncedChannels = kCallTags.each / 5;
/// Where it is sent, for a message of this channel.
constexpr int announced_channel(Announced what, int channel) {
    return static_cast<int>(what) * kAnnouncedChannels + channel;
}

}  // namespace hopbine
