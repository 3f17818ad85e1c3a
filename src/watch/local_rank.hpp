/// A rank of this node as its watcher follows it.
#pragma once
#include <sys/types.h>

#include <array>
#include <chrono>
#include <memory>

#include "watch/descriptor.hpp"
#include "watch/record.h"
#include "watch/view.hpp"

namespace hopbine::watch {

using Clock = std::chrono::steady_clock;

class LocalRank {
public:
    /// `file` is the rank's record. Throws Error where it is none.
    /// `since`: no earlier than that it has come; nobody has looked at it yet.
    LocalRank(pid_t process, const Descriptor& file, Clock::time_point since);
    LocalRank(const LocalRank&) = delete;
    LocalRank& operator=(const LocalRank&) = delete;
    ~LocalRank();

    /// Notes what has changed since the last look.
    void look(Clock::time_point now);
    /// Notes whether its process has ended. look() does not.
    void see_end() { ended_ = ended_ || has_ended(); }
    /// For how many seconds, at the last look, a thread has been in one call.
    double longest_wait() const;
    /// Whether a signal or a debugger has stopped it: it does not wait then, and what it is in
    /// counts from now on. A batch system may stop all of a job for hours.
    bool is_stopped(Clock::time_point now);
    /// Whether its process has ended, or has left MPI_Finalize.
    bool gone() const { return ended_ || finished(); }
    /// Whether it has left MPI_Finalize.
    bool finished() const;
    pid_t process() const { return process_; }
    /// Readable when the process has ended; -1: the kernel has no such descriptors.
    int process_file() const { return process_file_.get(); }
    const watch_record& record() const { return *record_; }
    RankView view() const;
    /// Whether it has found a call, at the last look, that is not reported yet.
    bool differs() const { return differs_ != record_->told; }
    /// What it has found until the last look is reported: it may go on.
    void go_on();

private:
    /// How a slot was at a look.
    struct Seen {
        std::uint64_t changes = 0, polls = 0;
        Clock::time_point since, polled;
        double unseen = 0;  ///< seconds between `since` and the look before
    };
    bool has_ended() const;
    ThreadView view_of(const watch_slot& slot, const Seen& seen) const;
    CallView view_of(const watch_call& call) const;

    pid_t process_;
    Descriptor process_file_;
    watch_record* record_;
    std::uint32_t differs_ = 0;
    std::array<Seen, WATCH_SLOTS> seen_{};
    Clock::time_point looked_;
    bool ended_ = false;
};

}  // namespace hopbine::watch
