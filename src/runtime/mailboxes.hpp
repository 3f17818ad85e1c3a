/// Small messages between processes of a node, through memory that they share.
#pragma once
#include <atomic>
#include <cstdint>
#include <vector>

namespace hopbine::mpi {

/// Messages of one process to another one: a ring of lines, which the sender fills and the receiver
/// empties. A message begins a line and lies in one piece:
/// - its mark, which is written last: the tag plus 1. A line with 0 is empty.
/// - its bytes, 32 bits
/// - its data
///
/// A mark is released after the message, and acquired before that is read. Lines are marked empty
/// relaxed: `emptied` is released after them and after what was read, and acquired before they are
/// written again.
struct Mailbox {
    /// A pair of cache lines: processors fetch both.
    static constexpr std::uint32_t kLine = 128, kLines = 256, kHead = 8;
    static constexpr std::int64_t kMostBytes = 8192;
    /// The rest of the ring is not used: the next message begins at the ring's first line.
    static constexpr std::uint32_t kSkip = ~std::uint32_t{0};

    alignas(kLine) char lines[kLine * kLines];
    /// How many lines the receiver has emptied, modulo 2^32.
    alignas(kLine) std::atomic<std::uint32_t> emptied;

    static constexpr std::uint32_t lines_of(std::int64_t bytes) {
        return (static_cast<std::uint32_t>(bytes) + kHead + kLine - 1) / kLine;
    }
    char* line(std::uint32_t at) { return lines + at % kLines * kLine; }
    std::atomic<std::uint32_t>& mark(std::uint32_t at) {
        return *reinterpret_cast<std::atomic<std::uint32_t>*>(line(at));
    }
    std::uint32_t& bytes(std::uint32_t at) {
        return *reinterpret_cast<std::uint32_t*>(line(at) + sizeof(std::uint32_t));
    }
    char* data(std::uint32_t at) { return line(at) + kHead; }
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// A process's mailboxes: one from each process that sends to it, and those of others that it sends
/// to. Messages are matched as MPI's are, by their sender and tag, in the order in which they were
/// sent.
///
/// Used by one thread at a time: by calls that are under way in the engine.
class Mailboxes {
public:
    explicit Mailboxes(int processes) : all_(static_cast<std::size_t>(processes)) {}
    /// Sets the mailboxes from and to a process.
    void join(int process, Mailbox* incoming, Mailbox* outgoing) {
        all_[static_cast<std::size_t>(process)] = {incoming, outgoing, 0, 0, 0, 0, {}};
        joined_.push_back(process);
    }
    bool joined(int process) const { return all_[static_cast<std::size_t>(process)].incoming; }

    /// Where the next message to a process is written; null: the mailbox is full. post() follows.
    char* room(int to, std::int64_t bytes) {
        Pair& p = all_[static_cast<std::size_t>(to)];
        const std::uint32_t lines = Mailbox::lines_of(bytes),
                            left = Mailbox::kLines - p.sent % Mailbox::kLines,
                            skipped = lines > left ? left : 0;
        if (p.sent + skipped + lines - p.emptied > Mailbox::kLines) {
            p.emptied = p.outgoing->emptied.load(std::memory_order_acquire);
            if (p.sent + skipped + lines - p.emptied > Mailbox::kLines) return nullptr;
        }
        if (skipped) {
            p.outgoing->mark(p.sent).store(Mailbox::kSkip, std::memory_order_release);
            p.sent += skipped;
        }
        return p.outgoing->data(p.sent);
    }
    /// Sends the message that was written.
    void post(int to, int tag, std::int64_t bytes) {
        Pair& p = all_[static_cast<std::size_t>(to)];
        p.outgoing->bytes(p.sent) = static_cast<std::uint32_t>(bytes);
        p.outgoing->mark(p.sent).store(mark(tag), std::memory_order_release);
        p.sent += Mailbox::lines_of(bytes);
    }
    /// Gives read(data, bytes) the next message with the tag. False: it has not come.
    template <class Read>
    bool take(int from, int tag, const Read& read) {
        Pair& p = all_[static_cast<std::size_t>(from)];
        if (!p.kept.empty() && take_kept(p, tag, read)) return true;
        while (const std::uint32_t found = next(p)) {
            if (found == mark(tag)) {
                read(static_cast<const char*>(p.incoming->data(p.received)),
                     std::int64_t{p.incoming->bytes(p.received)});
                empty(p, Mailbox::lines_of(p.incoming->bytes(p.received)));
                return true;
            }
            keep(p, found);
        }
        return false;
    }
    /// Empties the mailboxes of this process: a sender that waits for room may be what a receiver
    /// waits for.
    void empty_all();

private:
    /// A message that came before it was asked for.
    struct Kept {
        std::uint32_t mark;
        std::vector<char> data;
    };
    struct Pair {
        Mailbox* incoming = nullptr;
        Mailbox* outgoing = nullptr;
        std::uint32_t sent = 0;                ///< lines
        std::uint32_t emptied = 0;             ///< of these, as far as known
        std::uint32_t received = 0, told = 0;  ///< lines; and those that the sender is told of
        std::vector<Kept> kept;
    };
    /// After how many emptied lines the sender is told. A sender that waits for room reads the
    /// number again and again, so that each time it is written its cache line moves. A sender has
    /// room for any message, and for lines that it skips, before the rest is told.
    static constexpr std::uint32_t kNews = Mailbox::kLines / 4;
    static_assert(kNews + 2 * Mailbox::lines_of(Mailbox::kMostBytes) <= Mailbox::kLines);
    static std::uint32_t mark(int tag) { return static_cast<std::uint32_t>(tag) + 1; }
    /// The mark of the next message; 0: none has come.
    static std::uint32_t next(Pair& p) {
        const std::uint32_t found = p.incoming->mark(p.received).load(std::memory_order_acquire);
        if (found != Mailbox::kSkip) return found;
        empty(p, Mailbox::kLines - p.received % Mailbox::kLines);
        return p.incoming->mark(p.received).load(std::memory_order_acquire);
    }
    static void empty(Pair& p, std::uint32_t lines) {
        for (const std::uint32_t end = p.received + lines; p.received != end; ++p.received)
            p.incoming->mark(p.received).store(0, std::memory_order_relaxed);
        if (p.received - p.told < kNews) return;
        p.told = p.received;
        p.incoming->emptied.store(p.told, std::memory_order_release);
    }
    static void keep(Pair& p, std::uint32_t mark);
    template <class Read>
    static bool take_kept(Pair& p, int tag, const Read& read) {
        for (auto k = p.kept.begin(); k != p.kept.end(); ++k)
            if (k->mark == mark(tag)) {
                read(static_cast<const char*>(k->data.data()),
                     static_cast<std::int64_t>(k->data.size()));
                p.kept.erase(k);
                return true;
            }
        return false;
    }

    std::vector<Pair> all_;    ///< by process
    std::vector<int> joined_;  ///< processes with mailboxes
};

}  // namespace hopbine::mpi
