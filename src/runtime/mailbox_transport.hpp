/// Messages of a plan in mailboxes: all of them fit, and the call runs in a fiber.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/fiber.hpp"
#include "runtime/mailboxes.hpp"
#include "runtime/run_scratch.hpp"
#include "runtime/transport.hpp"

namespace hopbine::mpi {

/// A message is sent when it is begun, and received when it is waited for: those of a channel in
/// the order in which they were begun.
///
/// `Elements` puts elements into messages. Both functions return an MPI error code:
///
///     std::int64_t bytes(n);
///     int write(const char* from, n, char* to, std::int64_t bytes);
///     int read(const char* from, std::int64_t bytes, char* to, n);
template <class Elements>
class MailboxTransport {
public:
    static constexpr bool kCalls = true;
    /// `begun`: memory kept between calls.
    MailboxTransport(const Addresses& at, Mailboxes& mailboxes, Fiber& fiber, Elements elements,
                     std::vector<MailboxReceive>& begun)
        : at_(at), mailboxes_(mailboxes), fiber_(fiber), elements_(elements), begun_(begun) {
        begun_.clear();
    }

    bool single(const Message&, std::int64_t) const { return true; }
    bool may_block(const Message&, std::int64_t) const { return true; }
    int send(const Message& m, int channel, const char* from, std::int64_t n) {
        const int to = at_.rank(m.peer);
        const std::int64_t bytes = elements_.bytes(n);
        char* room = nullptr;
        until([&] { return (room = mailboxes_.room(to, bytes)) != nullptr; });
        const int error = elements_.write(from, n, room, bytes);
        mailboxes_.post(to, at_.tag_of(m.peer, channel), bytes);
        return error;
    }
    int receive(const Message& m, int channel, char* to, std::int64_t n) {
        int error = 0;
        until([&] { return take(at_.rank(m.peer), at_.own_tag(channel), to, n, &error); });
        return error;
    }
    int exchange(const Message& out, const char* from, std::int64_t n, const Message& in, char* to,
                 std::int64_t m, int channel) {
        const int sent = send(out, channel, from, n), received = receive(in, channel, to, m);
        return sent ? sent : received;
    }
    Begun begin_send(MessageUse, const Message& m, int channel, const char* from, std::int64_t n) {
        return {0, send(m, channel, from, n)};
    }
    Begun begin_receive(MessageUse use, const Message& m, int channel, char* to, std::int64_t n) {
        begun_.push_back({use, at_.rank(m.peer), at_.own_tag(channel), to, n});
        return {1, 0};
    }
    template <class Done>
    void wait(Needed, const Done& done) {
        until([&] { return take_one(done); });
    }

private:
    /// Takes the next message of a channel, if one has come.
    template <class Done>
    bool take_one(const Done& done) {
        std::uint64_t tried = 0;  // channels; a call has no more of them than tags
        for (std::size_t i = first_; i < begun_.size(); ++i) {
            const std::uint64_t channel = std::uint64_t{1} << begun_[i].use.channel;
            if (!(tried & channel) && take(i, done)) return true;
            tried |= channel;
        }
        return false;
    }
    template <class Done>
    bool take(std::size_t i, const Done& done) {
        const MailboxReceive& r = begun_[i];
        int error = 0;
        if (!take(r.from, r.tag, r.to, r.elements, &error)) return false;
        const MessageUse use = r.use;
        if (i > first_)
            begun_.erase(begun_.begin() + static_cast<std::ptrdiff_t>(i));
        else if (++first_ == begun_.size())
            begun_.clear(), first_ = 0;
        done(use, error);
        return true;
    }
    bool take(int from, int tag, char* to, std::int64_t n, int* error) {
        return mailboxes_.take(from, tag, [&](const char* data, std::int64_t bytes) {
            *error = elements_.read(data, bytes, to, n);
        });
    }

    /// Lets a core's other thread run. A message that is under way arrives within some of these.
    static void pause() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }
    /// Waits until `done` returns true. At first at once: to be suspended takes as long as a
    /// message that is under way.
    template <class Done>
    void until(const Done& done) {
        constexpr int kAtOnce = 120, kForEachPause = 8, kForAll = 64;
        for (int tries = 1; !done(); ++tries) {
            if (tries > kAtOnce)
                fiber_.suspend();
            else if (tries % kForEachPause == 0)
                pause();
            if (tries % kForAll == 0) mailboxes_.empty_all();
        }
    }

    const Addresses& at_;
    Mailboxes& mailboxes_;
    Fiber& fiber_;
    const Elements elements_;
    std::vector<MailboxReceive>& begun_;
    std::size_t first_ = 0;  ///< those before have been received
};

}  // namespace hopbine::mpi
