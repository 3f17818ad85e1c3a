/// A thread's calls, read while it may write them.
#pragma once
#include <cstdint>

#include "watch/record.h"

namespace hopbine::watch {

/// Reads what the rank has written, and, after it, what it had written before.
template <class T>
T load(const T& at) {
    return __atomic_load_n(&at, __ATOMIC_ACQUIRE);
}

struct CopiedSlot {
    std::uint64_t changes;
    watch_call now, before;
    /// Whether nothing has changed meanwhile; else both calls may be half written.
    bool whole;

    explicit CopiedSlot(const struct watch_slot& slot)
        : changes(load(slot.changes)),
          now(copied(slot.calls[changes / 2 % 2])),
          before(copied(slot.calls[(changes / 2 + 1) % 2])),
          whole(load(slot.changes) == changes) {}

private:
    /// Each word is acquired: so `changes` is read again after it, and a word of a later call shows
    /// there, which the thread has stored after it had left this one (watch_order in
    /// preload/watch.h).
    static watch_call copied(const watch_call& from) {
        watch_call to;
        to.function = load(from.function);
        to.comm = load(from.comm);
        to.sequence = load(from.sequence);
        to.site = load(from.site);
        for (int i = 0; i < WATCH_WORDS; ++i) to.words[i] = load(from.words[i]);
        return to;
    }
};

}  // namespace hopbine::watch
