/// State of a communicator's nonblocking calls: their order, tags and memory.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "choice/job.hpp"
#include "mpi/progress/library_progress.hpp"
#include "mpi/state/communicator.hpp"
#include "mpi/state/tag_space.hpp"

namespace hopbine::mpi {

/// Whether something resumes calls wherever a rank is. The same on all ranks.
inline bool calls_progress() { return library_progresses() || job().progresses; }

/// Why the MPI library serves calls that nothing would resume, for statistics.
inline constexpr const char* kNoProgress =
    "the MPI library's progress does not call hopbine (--progress thread does)";

/// Lives until the communicator is freed and its last call has ended.
///
/// - Every call takes a ticket, in the order of the calls, which is the same on all ranks.
/// - Calls decide on their algorithms one after the other: that may take messages.
/// - A call runs in the lane of its ticket, which has tags and memory of its own. Lanes are used in
///   turns: a call waits for the one that had its lane before.
class Nonblocking {
public:
    explicit Nonblocking(const Communicator& user);
    /// The state of a communicator's nonblocking calls, made at the first without communication.
    static const std::shared_ptr<Nonblocking>& of(Communicator& user);

    Communicator& choice() { return *choice_; }
    /// Takes the next ticket. The first one begins to tell the other ranks this rank's tags: inside
    /// the user's own call, so that collectives on the communicator keep their order.
    std::uint64_t take_ticket();
    /// Suspends the fiber until the call may decide and its lane is free.
    void await_turn(std::uint64_t ticket, Fiber& fiber);
    /// For small calls, after await_turn(), whose first call makes them; null: there are none.
    Mailboxes* mailboxes() const { return mailboxes_; }
    /// Whether it is too early to know that the program makes many calls. Counts the call.
    bool is_early() {
        constexpr int kEarly = 32;
        return calls_ < kEarly && ++calls_ < kEarly;
    }
    /// The next call may decide.
    void end_turn() { ++decided_; }
    void end_call(std::uint64_t ticket) { ++lane(ticket).ended; }
    /// Where the messages of a call go. After await_turn().
    Endpoint endpoint(std::uint64_t ticket, Fiber& fiber) const;
    Workspace& workspace(std::uint64_t ticket) { return memory(ticket).workspace; }
    NonuniformWorkspace& nonuniform(std::uint64_t ticket) { return memory(ticket).nonuniform; }

private:
    struct Memory {
        Workspace workspace;
        NonuniformWorkspace nonuniform;
    };
    struct Lane {
        std::uint64_t ended = 0;  ///< calls that have used it
        std::unique_ptr<Memory> memory;
    };
    Lane& lane(std::uint64_t ticket) { return lanes_[CallTags::lane(ticket, lanes_.size())]; }
    Memory& memory(std::uint64_t ticket);

    std::unique_ptr<Communicator> choice_;
    TagSpace tags_;
    MPI_Request opening_ = MPI_REQUEST_NULL;
    std::string closed_;  ///< why no call can be served; empty: they can
    std::uint64_t tickets_ = 0, decided_ = 0;
    std::vector<Lane> lanes_;
    Mailboxes* mailboxes_ = nullptr;
    int calls_ = 0;  ///< as far as they are counted
};

}  // namespace hopbine::mpi
