#include "mpi/execute/channels.hpp"

#include "mpi/execute/transfer.hpp"

namespace hopbine::mpi {

namespace {

using Pace = ChannelWorkspace::Pace;

/// Runs channels: the tag of a message is the number of its channel.
///
/// - Two ranks post the messages of one channel in the same order, those of different channels in
///   any order.
/// - Channels are ports of a torus, far fewer than the 32,768 tags of any MPI.
/// - A channel waits only for its own step or, where a phase begins, for earlier steps: the
///   earliest step of the schedule can always progress.
class Channels : Transfers {
public:
    Channels(const Plan& plan, const Binding& b, const Endpoint& at, ChannelWorkspace& w)
        : Transfers(plan, b, at), w_(w) {}

    int run(Scratch& staging) {
        w_.requests.clear();
        w_.paces.resize(plan_.channels.size());
        for (Pace& pace : w_.paces) pace.step = 0, pace.under_way = false;
        share(staging);
        for (int phase = 0; phase < plan_.phases; ++phase) {
            go_on(phase);
            while (!w_.requests.empty()) {
                wait_for_some();
                go_on(phase);
            }
        }
        return error_;
    }

private:
    const Message* begin(const ChannelStep& s) const { return plan_.messages.data() + s.begin; }
    const Message* end(const ChannelStep& s) const { return plan_.messages.data() + s.end; }

    /// Gives each channel a staging region, large enough for each of its steps. It must not move:
    /// there are always messages in flight.
    void share(Scratch& staging) {
        std::int64_t all = 0;
        for (std::size_t l = 0; l < w_.paces.size(); ++l) {
            std::int64_t most = 0;
            for (const ChannelStep& s : plan_.channels[l].steps)
                most = std::max(most, room(begin(s), end(s)));
            w_.paces[l].region = all;
            all += most;
        }
        if (all == 0) return;
        char* const at = staging.at_least(all);
        for (Pace& pace : w_.paces) pace.stage.begin = at + pace.region;
    }

    /// Progresses every channel as far as possible in this phase without waiting.
    void go_on(int phase) {
        for (std::uint32_t l = 0; l < w_.paces.size(); ++l) {
            const std::vector<ChannelStep>& steps = plan_.channels[l].steps;
            Pace& pace = w_.paces[l];
            while (pace.step < steps.size() && steps[pace.step].phase == phase) {
                const ChannelStep& step = steps[pace.step];
                if (!pace.under_way) post(step, l);
                // A reduction may change a block that is still being sent; a copy never does (the
                // check proves it).
                if (!step.sends_first || pace.sends == 0) place_arrived(pace);
                pace.under_way = pace.sends > 0 || pace.placed < pace.arriving.size();
                if (pace.under_way) break;
                ++pace.step;
            }
        }
    }

    void post(const ChannelStep& step, std::uint32_t channel) {
        Pace& pace = w_.paces[channel];
        pace.stage.used = 0;
        pace.sends = 0;
        pace.placed = 0;
        pace.arriving.clear();
        settle();
        for (const Message* m = begin(step); m != end(step); ++m)
            if (m->direction == Direction::recv) post_receive(*m, channel);
        for (const Message* m = begin(step); m != end(step); ++m)
            if (m->direction == Direction::send) post_send(*m, channel);
    }

    void post_receive(const Message& m, std::uint32_t channel) {
        const std::int64_t n = elements(m);
        if (n == 0) return;
        Pace& pace = w_.paces[channel];
        char* const staged_at = staged(m) ? stage(pace.stage, n) : nullptr;
        keep(receive(m, n, staged_at ? staged_at : address(pieces(m)[0]),
                     plan_.channels[channel].number, w_.requests.requests()));
        pace.arriving.push_back(
            {&m, staged_at, w_.requests.note({channel, static_cast<int>(pace.arriving.size())})});
    }

    void post_send(const Message& m, std::uint32_t channel) {
        const std::int64_t n = elements(m);
        if (n == 0) return;
        const char* from = outgoing(m, n, w_.paces[channel].stage);
        if (!from) return keep(MPI_ERR_INTERN);
        settle();
        keep(send(m, n, from, plan_.channels[channel].number, w_.requests.requests()));
        w_.paces[channel].sends += w_.requests.note({channel, -1});
    }

    /// Places messages in the order of the step's moves, whatever arrives first: sums are bitwise
    /// the same in every run.
    void place_arrived(Pace& pace) {
        for (; pace.placed < pace.arriving.size() && pace.arriving[pace.placed].transfers == 0;
             ++pace.placed) {
            const ChannelWorkspace::Arriving& in = pace.arriving[pace.placed];
            if (pace.placed > 0 && pace.arriving[pace.placed - 1].message->onward)
                keep(pass_on(pace.arriving[pace.placed - 1].staged, in.staged,
                             elements(*in.message)));
            if (!in.message->onward) keep(place(*in.message, in.staged));
        }
    }

    /// Waits until at least one transfer completes.
    void wait_for_some() {
        w_.requests.wait_for_some(at_, [this](const ChannelWorkspace::Use& use, int error) {
            keep(error);
            Pace& pace = w_.paces[use.channel];
            --(use.arriving < 0 ? pace.sends
                                : pace.arriving[static_cast<std::size_t>(use.arriving)].transfers);
        });
    }

    ChannelWorkspace& w_;
};

}  // namespace

int run_channels(const Plan& plan, const Binding& b, const Endpoint& at, Scratch& staging,
                 ChannelWorkspace& w) {
    return Channels(plan, b, at, w).run(staging);
}

}  // namespace hopbine::mpi
