/// The mailboxes of this process and of those on its node, in memory that they share.
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/mailboxes.hpp"

namespace hopbine::mpi {

/// This process's memory, and that of others. Never freed: others have it open.
class MailboxMemory {
public:
    /// Where another process finds the memory of this one.
    struct Offer {
        std::int64_t process = 0, file = -1;
        std::uint64_t seed = 0;  ///< that it begins with; 0: there is none
    };
    /// This process is `rank` of so many `ranks`. It has a mailbox for each of `mates`, in this
    /// order, which is the same in all of them.
    MailboxMemory(int rank, int ranks, std::vector<int> mates);
    MailboxMemory(const MailboxMemory&) = delete;
    MailboxMemory& operator=(const MailboxMemory&) = delete;

    Mailboxes& mailboxes() { return mailboxes_; }
    const Offer& offer() const { return offer_; }
    /// Whether messages can be exchanged with a process, as far as this one knows.
    bool open(int rank, const Offer& theirs);

private:
    void make();
    char* try_to_open(const Offer& theirs) const;
    Mailbox* box(char* memory, int from) const;

    int rank_;
    std::vector<int> mates_;
    char* own_ = nullptr;
    Offer offer_;
    Mailboxes mailboxes_;
};

}  // namespace hopbine::mpi
