/// The check of calls that are under way at once on one communicator.
///
/// - Messages match as in MPI: those of a sender with a tag in the order of posting, at both ends
///   (MPI 4.1, Sec. 3.5). A send ends when it is received.
/// - Calls, and the channels of each, go on at their own pace, on every rank in another order.
/// - Each channel of a call is a process of its own that posts the messages of a step, waits for
///   all of them and takes the next. So what it receives does not depend on the pace of others if
///   every message meets the one that was meant for it. That is what is required here; that the
///   collective is right then follows from the replay of its schedule alone (check.hpp).
#pragma once
#include <string>
#include <vector>

#include "schedule/algorithm.hpp"
#include "schedule/call_tags.hpp"

namespace hopbine {

/// A call that is under way with others.
struct CallUnderWay {
    enum class Form : std::uint8_t {
        nonblocking,
        blocking,    ///< its rank makes no other call until it has ended
        persistent,  ///< ranks may start it before or after other calls
    };
    SchedulePtr schedule;
    Form form = Form::nonblocking;
    /// Whether only both ends know a block's size: messages may have a rest that follows.
    bool sized = false;
};

/// Nonblocking calls share so many lanes in turns.
struct Lanes {
    std::uint64_t number = 16;
    CallTags tags = kCallTags;
};

/// Runs the calls of p ranks together, at paces drawn from `seed`. Returns what is wrong, or
/// nothing:
/// - two channels of one rank receive with the same tag at once,
/// - a message is received by another call, step or channel than it was sent by,
/// - ranks wait for each other for ever.
std::string check_overlap(int p, const std::vector<CallUnderWay>& calls, const Lanes& lanes,
                          unsigned seed);

/// Calls of all forms by `a` and by another algorithm, which p and the place of `a` in the registry
/// determine, under way together. Returns what is wrong, or nothing. `resolved`: by `a`.
std::string check_overlap(const Algorithm& a, const Problem& resolved, const Lanes& lanes = {2});

}  // namespace hopbine
