/// Ranks of a node whose devices copy messages from one another's memory (docs/device-memory.md).
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace hopbine::mpi {

class Memory;

/// Memory of this rank's device that other ranks have open. A message lies in a buffer of it from
/// its sending until its receiver has acknowledged it.
class PeerWorkspace {
public:
    PeerWorkspace(Memory& memory, char* begin, std::int64_t bytes)
        : memory_(memory), begin_(begin), bytes_(bytes) {}

    Memory& memory() const { return memory_; }
    /// Null: there is no room. Any thread may call.
    char* take(std::int64_t bytes);
    void give_back(const char* buffer);
    bool has(const char* at) const { return at >= begin_ && at < begin_ + bytes_; }
    std::int64_t offset(const char* buffer) const { return buffer - begin_; }

private:
    Memory& memory_;
    char* const begin_;
    const std::int64_t bytes_;
    std::mutex lock_;
    std::map<std::int64_t, std::int64_t> taken_;  ///< begin and end of each buffer
};

/// What the ranks of a communicator have agreed on: both ranks of a pair know the same.
struct Peers {
    std::int64_t least;               ///< bytes of a message that its sender announces
    PeerWorkspace* own;               ///< null: this rank has none
    std::vector<const char*> opened;  ///< workspace of each rank; null: they are no pair

    /// Whether a message of so many bytes to or from a rank is announced.
    bool announce(int rank, std::int64_t bytes) const {
        return bytes >= least && opened[static_cast<std::size_t>(rank)];
    }
};

}  // namespace hopbine::mpi
