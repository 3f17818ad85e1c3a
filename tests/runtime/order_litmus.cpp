// What threads and processes tell one another through memory, without locks: the order in which it
// is seen. Each part goes wrong, on a processor that reorders, where an order is left out; under
// ThreadSanitizer the mailboxes do on any.
//
//   order_litmus ROUNDS
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

extern "C" {
#include "preload/runtime.h"
#include "preload/watch.h"
}
#include "runtime/mailboxes.hpp"
#include "runtime/one_poller.hpp"
#include "watch/copied_slot.hpp"

/// The calls are compared by no runtime.
struct runtime runtime;

using namespace hopbine;

namespace {

/// Messages of all sizes that end at, before and after a line. Each byte tells the message.
long mailboxes(long rounds) {
    using mpi::Mailbox;
    const auto there = std::make_unique<Mailbox>(), back = std::make_unique<Mailbox>();
    mpi::Mailboxes sender(2), receiver(2);
    sender.join(1, back.get(), there.get());
    receiver.join(0, there.get(), back.get());
    const auto bytes_of = [](long i) { return i * 37 % 400; };
    std::thread other([&] {
        for (long i = 0; i < rounds; ++i) {
            char* room = nullptr;
            while (!(room = sender.room(1, bytes_of(i)))) std::this_thread::yield();
            std::memset(room, static_cast<char>(i), static_cast<std::size_t>(bytes_of(i)));
            sender.post(1, 3, bytes_of(i));
        }
    });
    long wrong = 0;
    for (long i = 0; i < rounds; ++i)
        while (!receiver.take(0, 3, [&](const char* data, std::int64_t bytes) {
            wrong += bytes != bytes_of(i);
            for (std::int64_t k = 0; k < bytes; ++k) wrong += data[k] != static_cast<char>(i);
        }))
            std::this_thread::yield();
    other.join();
    return wrong;
}

#ifndef __SANITIZE_THREAD__  // which knows no fences
/// A thread makes calls whose words all tell their number; another reads them meanwhile.
long watched_calls(long rounds) {
    static struct watch_record record;
    watch_begin(&record);
    std::atomic<bool> over{false};
    std::thread caller([&] {
        for (long i = 1; i <= rounds; ++i) {
            struct watch_slot* const slot = watch_enter(0);
            for (std::int64_t& word : watch_next(slot)->words) word = i;
            watch_entered(slot, static_cast<std::uint32_t>(i), nullptr, -1);
            watch_leave(&slot);
        }
        over = true;
    });
    const struct watch_slot& slot = record.slots[0];
    long wrong = 0;
    while (!over) {
        const watch::CopiedSlot copy(slot);
        if (!copy.whole || copy.changes == 0) continue;
        const bool inside = copy.changes & 1;
        const struct watch_call& last = inside ? copy.now : copy.before;
        const auto number = static_cast<std::int64_t>(copy.changes / 2 + inside);
        wrong += last.function != static_cast<std::uint32_t>(number);
        for (const std::int64_t word : last.words) wrong += word != number;
    }
    caller.join();
    return wrong;
}
#endif

/// Threads add work and start a poller where none runs. Work that nobody takes is lost.
long polled_work(long rounds) {
    mpi::OnePoller poller;
    std::atomic<long> work{0}, done{0}, to_start{0};
    const auto take = [&] {
        if (work.load(std::memory_order_relaxed) == 0) return false;
        work.fetch_sub(1, std::memory_order_relaxed);
        done.fetch_add(1, std::memory_order_release);
        return true;
    };
    std::atomic<bool> over{false};
    std::thread polls([&] {
        while (!over) {
            if (to_start.load(std::memory_order_acquire) == 0) continue;
            to_start.fetch_sub(1, std::memory_order_relaxed);
            while (take() || !poller.ends(take)) continue;
        }
    });
    long lost = 0;
    for (long i = 1; i <= rounds && !lost; ++i) {
        work.fetch_add(1, std::memory_order_release);
        if (poller.begin()) to_start.fetch_add(1, std::memory_order_release);
        for (long looks = 0; done.load(std::memory_order_acquire) != i && !lost; ++looks) {
            if (looks % 1000 == 999) std::this_thread::yield();
            // Nobody polls, nor is about to: then it stays.
            lost = looks > 100'000'000 && !poller.polls() && to_start == 0;
        }
    }
    over = true;
    polls.join();
    return lost;
}

bool right(const char* what, long rounds, long wrong) {
    std::printf("%s: %ld rounds, %ld wrong\n", what, rounds, wrong);
    return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
    const long rounds = argc == 2 ? std::atol(argv[1]) : 0;
    if (rounds < 1000) {
        std::fprintf(stderr, "usage: order_litmus ROUNDS, 1000 or more\n");
        return 2;
    }
    bool all = right("mailboxes", rounds, mailboxes(rounds));
#ifndef __SANITIZE_THREAD__
    all &= right("watched calls", rounds, watched_calls(rounds));
#endif
    all &= right("polled work", rounds, polled_work(rounds));
    return all ? 0 : 1;
}
