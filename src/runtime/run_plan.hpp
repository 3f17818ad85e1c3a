/// Runs a plan: one loop for any number of channels, over any transport and any memory.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/placing.hpp"
#include "runtime/step_observer.hpp"
#include "runtime/transport.hpp"

namespace hopbine::mpi {

/// Runs the channels of a plan, each step by step. Two ranks post the messages of one channel in
/// the same order, those of different channels in any order. A channel waits only for its own step
/// or, where a phase begins, for earlier steps: the earliest step of the schedule can always
/// progress. `Transport` is described in transport.hpp, `Work` in placing.hpp.
template <class Transport, class Work>
class PlanRunner : Placing<Work> {
public:
    PlanRunner(const Plan& plan, const PlanMemory& memory, const StepObservers& observers,
               Transport& transport, Work work, RunScratch& w)
        : Placing<Work>(plan, memory, work),
          observers_(observers),
          transport_(transport),
          w_(w),
          lone_(plan_.channels.size() == 1) {}

    /// Returns the first error: after an error the schedule still runs to its end. Flattened: what
    /// a step of a single call needs is inlined, which it else is not, for 200 instructions more.
    [[gnu::flatten]] int run() {
        if constexpr (Transport::kCalls)
            if (lone_ && observers_.empty()) {
                const Channel& only = plan_.channels[0];
                for (StepCursor at; !at.over(only); at.next(only))
                    if (!at_once(begin(only, at))) loop(at, at.number + 1);
                return this->error_;
            }
        loop({}, ~std::uint32_t{0});
        return this->error_;
    }

private:
    using Base = Placing<Work>;
    using Base::b_;
    using Base::elements;
    using Base::keep;
    using Base::plan_;
    using Base::staged;

    /// Runs all channels, each from a step of it on, and before that with number `end`.
    [[gnu::noinline]] void loop(StepCursor from, std::uint32_t end) {
        end_ = end;
        if (w_.paces.size() < plan_.channels.size()) w_.paces.resize(plan_.channels.size());
        for (std::size_t c = 0; c < plan_.channels.size(); ++c)
            w_.paces[c].at = from, w_.paces[c].under_way = false;
        if (!lone_) share_staging();
        for (int phase = 0; phase < plan_.phases; ++phase) {
            advance_all(phase);
            while (pending_ > 0) {
                transport_.wait(needed(),
                                [this](MessageUse use, int error) { completed(use, error); });
                advance_all(phase);
            }
        }
    }

    /// Gives each of several channels a staging region, large enough for each of its steps. It must
    /// not move: there are always messages in flight.
    void share_staging() {
        if (w_.extents.find(this->of_, b_)) find_regions();
        this->extents_ = w_.extents.pieces();
        if (w_.regions == 0) return;
        char* const at = w_.staging.at_least(w_.regions);
        for (std::size_t c = 0; c < plan_.channels.size(); ++c)
            w_.paces[c].stage.begin = at + w_.paces[c].region;
    }
    void find_regions() {
        w_.regions = 0;
        for (std::size_t c = 0; c < plan_.channels.size(); ++c) {
            std::int64_t most = 0;
            for (const ChannelStep& s : plan_.channels[c].steps) {
                std::int64_t bytes = 0;
                for (std::uint32_t i = s.begin; i < s.end; ++i)
                    if (staged(plan_.messages[i])) bytes += this->room(w_.extents.count(i));
                most = std::max(most, bytes);
            }
            w_.paces[c].region = w_.regions;
            w_.regions += most;
        }
    }
    /// Elements of a message that is posted.
    std::int64_t count(const Message& m) const {
        return lone_ ? elements(m)
                     : w_.extents.count(static_cast<std::size_t>(&m - plan_.messages.data()));
    }

    void advance_all(int phase) {
        for (std::uint32_t c = 0; c < plan_.channels.size(); ++c) advance(c, phase);
    }

    /// Progresses a channel as far as possible in this phase without waiting.
    void advance(std::uint32_t c, int phase) {
        const Channel& channel = plan_.channels[c];
        Pace& pace = w_.paces[c];
        for (; !pace.at.over(channel) && pace.at.number < end_; pace.at.next(channel)) {
            const ChannelStep& step = pace.at.of(channel);
            if (step.phase != phase) return;
            if (!pace.under_way) {
                pace.now = begin(channel, pace.at);
                post(c);
            }
            // A reduction may change a block that is still being sent; a copy never does (the check
            // proves it).
            if (!step.sends_first || pace.sends == 0) place_arrived(pace);
            pace.under_way = pace.sends > 0 || pace.placed < pace.arriving.size();
            if (pace.under_way) return;
            if constexpr (requires { transport_.end_step(c); }) keep(transport_.end_step(c));
            tell(c, &StepObserver::after);
        }
    }
    StepView begin(const Channel& channel, const StepCursor& at) {
        const StepView now = plan_.view(at.of(channel), at.turn, w_.step);
        this->pieces_ = now.pieces;
        direct_ = b_.own && at.number == 0;
        return now;
    }

    /// Runs a step of the only channel, of one message or of one each way, by a single call:
    /// several calls cost more where messages are small. False: it is no such step.
    bool at_once(const StepView& now) {
        const auto messages = now.end - now.begin;
        if (messages > 2) return false;
        const Message &first = now.begin[0], &last = now.end[-1];
        const std::int64_t n = elements(first);
        if (!sent(n) || !transport_.single(first, n)) return false;
        if (messages == 1) {
            Stage stage = staging_for(first, n, 0);
            first.direction == Direction::send ? send_now(stage, first, n)
                                               : receive_now(stage, first, n);
            return true;
        }
        const std::int64_t m = elements(last);
        if (first.direction == last.direction || !sent(m) || !transport_.single(last, m))
            return false;
        Stage stage = staging_for(first, n, staged(last) ? this->room(m) : 0);
        const bool sends = first.direction == Direction::send;
        exchange_now(stage, sends ? first : last, sends ? n : m, sends ? last : first,
                     sends ? m : n);
        return true;
    }
    /// Room for a message of n elements, and for `more` bytes.
    Stage staging_for(const Message& m, std::int64_t n, std::int64_t more) {
        if (direct_) return {};
        const std::int64_t bytes = more + (staged(m) ? this->room(n) : 0);
        return {bytes ? w_.staging.at_least(bytes) : nullptr, 0};
    }
    void send_now(Stage& stage, const Message& m, std::int64_t n) {
        const char* const from = source(stage, m, n);
        keep(this->work_.settle());
        keep(transport_.send(m, plan_.channels[0].number, from, n));
    }
    void receive_now(Stage& stage, const Message& m, std::int64_t n) {
        char* const at = target(stage, m, n);
        keep(this->work_.settle());
        const int e = transport_.receive(m, plan_.channels[0].number, to(m, at), n);
        keep(e);
        if (e == 0) put(m, at, n);
    }
    void exchange_now(Stage& stage, const Message& out, std::int64_t n, const Message& in,
                      std::int64_t m) {
        const char* const from = source(stage, out, n);
        char* const at = target(stage, in, m);
        keep(this->work_.settle());
        const int e =
            transport_.exchange(out, from, n, in, to(in, at), m, plan_.channels[0].number);
        keep(e);
        if (e == 0) put(in, at, m);
    }

    // A step that is `direct` receives the contribution in its place and adds the rank's own from
    // the user's buffer: the vector is not copied.
    /// Where a message is sent from.
    const char* source(Stage& stage, const Message& m, std::int64_t n) {
        return direct_ ? this->in(b_.own, m.begin) : this->outgoing(m, n, stage);
    }
    /// Where a message is staged; null: it is received in place.
    char* target(Stage& stage, const Message& m, std::int64_t n) const {
        return !direct_ && staged(m) ? this->stage(stage, n) : nullptr;
    }
    char* to(const Message& m, char* staged_at) const {
        return staged_at ? staged_at : direct_ ? b_.base[0] : this->address(m);
    }
    void put(const Message& m, char* staged_at, std::int64_t n) {
        if (!direct_) return this->place(m, staged_at, n);
        keep(this->work_.add(b_.own, b_.base[0], n, !this->left(m)));
    }

    /// Posts the messages of a step.
    void post(std::uint32_t c) {
        Pace& pace = w_.paces[c];
        if (const std::int64_t bytes =
                lone_ && !direct_ ? this->room(pace.now.begin, pace.now.end) : 0)
            pace.stage.begin = w_.staging.at_least(bytes);  // nothing else uses it
        pace.stage.used = 0;
        pace.sends = 0;
        pace.placed = 0;
        pace.arriving.clear();
        tell(c, &StepObserver::before);
        // A device packs all before the one wait for what it works on.
        const char* const* packed = nullptr;
        if constexpr (Work::kDevice) packed = pack_all(pace);
        keep(this->work_.settle());
        int sends = 0;
        for (const Message* m = pace.now.begin; m != pace.now.end; ++m) {
            if (m->direction == Direction::send)
                ++sends;
            else
                post_receive(c, pace, *m);
        }
        const bool alone = lone_ && sends == 1 && observers_.empty();
        for (const Message* m = pace.now.begin; m != pace.now.end; ++m) {
            const std::int64_t n = m->direction == Direction::send ? count(*m) : 0;
            if (m->direction == Direction::send && sent(n))
                post_send(c, pace, *m, n, packed ? *packed++ : source(pace.stage, *m, n), alone);
        }
        tell(c, &StepObserver::in_flight);
    }
    void post_receive(std::uint32_t c, Pace& pace, const Message& m) {
        const std::int64_t n = count(m);
        if (!sent(n)) return;
        char* const at = target(pace.stage, m, n);
        const MessageUse use{c, static_cast<std::int32_t>(pace.arriving.size())};
        const auto [transfers, error] =
            transport_.begin_receive(use, m, number_of(pace), to(m, at), n);
        keep(error);
        pending_ += transfers;
        pace.arriving.push_back({&m, at, n, transfers});
    }
    void post_send(std::uint32_t c, Pace& pace, const Message& m, std::int64_t n, const char* from,
                   bool alone) {
        if constexpr (Transport::kCalls)
            if (alone && m.end - m.begin == 1 && transport_.may_block(m, n))
                return keep(transport_.send(m, number_of(pace), from, n));
        const auto [transfers, error] = transport_.begin_send({c, -1}, m, number_of(pace), from, n);
        keep(error);
        pending_ += transfers;
        pace.sends += transfers;
    }
    /// Packs what the step sends on a device.
    const char* const* pack_all(Pace& pace) {
        w_.packed.clear();
        for (const Message* m = pace.now.begin; m != pace.now.end; ++m) {
            const std::int64_t n = count(*m);
            if (m->direction != Direction::send || !sent(n)) continue;
            char* buffer = nullptr;
            if constexpr (requires { transport_.buffer(*m, n); })
                if (!direct_) buffer = transport_.buffer(*m, n);
            w_.packed.push_back(buffer ? this->pack(*m, buffer) : source(pace.stage, *m, n));
        }
        return w_.packed.data();
    }

    /// Places messages in the order of the step's moves, whatever arrives first: sums are bitwise
    /// the same in every run.
    void place_arrived(Pace& pace) {
        const std::vector<Arriving>& all = pace.arriving;
        while (pace.placed < all.size()) {
            const std::size_t end = this->end_of_sum(all, pace.placed);
            for (std::size_t i = pace.placed; i < end; ++i)
                if (all[i].transfers > 0) return;
            if (direct_)
                put(*all[pace.placed].message, nullptr, all[pace.placed].elements);
            else
                this->place(all, pace.placed, end);
            pace.placed = end;
        }
    }

    void completed(MessageUse use, int error) {
        keep(error);
        --pending_;
        Pace& pace = w_.paces[use.channel];
        --(use.arriving < 0 ? pace.sends
                            : pace.arriving[static_cast<std::size_t>(use.arriving)].transfers);
    }
    /// What a step of the only channel needs first.
    Needed needed() const {
        if (!lone_) return Needed::anything;
        const Pace& pace = w_.paces[0];
        const bool sends =
            pace.placed == pace.arriving.size() || (pace.now.sends_first && pace.sends > 0);
        return sends ? Needed::a_send : Needed::a_receive;
    }

    void tell(std::uint32_t c, int (StepObserver::*what)(const ObservedStep&)) {
        for (StepObserver* o : observers_)
            keep((o->*what)({c, w_.paces[c].at.number, w_.paces[c].now}));
    }
    /// Whether a message of n elements is sent at all.
    bool sent(std::int64_t n) const { return n > 0 || b_.signals; }
    int number_of(const Pace& pace) const {
        return plan_.channels[static_cast<std::size_t>(&pace - w_.paces.data())].number;
    }

    const StepObservers& observers_;
    Transport& transport_;
    RunScratch& w_;
    const bool lone_;        ///< there is one channel
    bool direct_ = false;    ///< the current step is
    int pending_ = 0;        ///< transfers
    std::uint32_t end_ = 0;  ///< number of the step before which the loop ends
};

}  // namespace hopbine::mpi
