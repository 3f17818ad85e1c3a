/// Messages between ranks whose processors, memory and receivers take part, for the packet engine.
#pragma once
#include <algorithm>
#include <vector>

#include "simulation/hosts.hpp"
#include "simulation/permuting.hpp"

namespace hopbine::simulation {

/// Leads messages through what the network does not do. An engine has
/// - `launch(message)`: sends its trains from its card; calls `delivered` with the time at which
/// the
///   last one is there;
/// - `wake(id, at)`: calls `proceed` then;
/// - `transit(from, to)`: latency between two end points; `ticks(seconds)`;
/// - `begun(line)`: the step that a line is in; `left` and `arrived` as of Lines, with the message.
///
/// A rank has one processor for all its channels, which serves in the order of requests: it starts
/// every message, copies those inside the node, and receives, unpacks and reduces. A message that
/// is longer than the eager limit asks its receiver first, which answers once its step has begun.
/// The processor also copies the blocks of permuted schedules (Permuting).
template <typename Engine, typename Time>
class Hosted {
public:
    struct Letter {
        double bytes;
        Time begin, left;
        int from, to, step;      ///< lines
        int card_from, card_to;  ///< end points
        std::uint32_t runs : 30, reduces : 1, apart : 1;
        enum class Stage : std::uint8_t { posted, asking, answered, inside, delivered } stage;
        bool eager;
    };

    Hosted(Engine& engine, const Hosts& hosts, const MessageCosts& costs, const Program& p,
           double bytes, const Messages& first)
        : engine_(engine),
          hosts_(hosts),
          costs_(costs),
          permuting_(p, costs, bytes, first),
          channels_(p.channels()),
          ranks_(static_cast<std::size_t>(p.ranks())),
          waiting_(static_cast<std::size_t>(p.lines())) {}

    /// How long a rank copies before it begins.
    Time preparation(int rank) { return engine_.ticks(permuting_.before(rank)); }
    /// When a rank has what its line has ended with, in the user's order.
    Time finished(int line, Time when) {
        const double rest = permuting_.after(line / channels_) / channels_;
        return rest > 0 ? serve(of(line / channels_), when, rest) : when;
    }

    /// When a rank that has completed a call begins the next one.
    Time again(int rank, Time when) {
        const double copies = permuting_.between(rank);
        return copies > 0 ? serve(of(rank), when, copies) : when;
    }

    // Apart, so that runs without hosts stay fast.
    [[gnu::noinline]] void send(std::uint32_t id, const Message& m, int line, int step,
                                double bytes, Time now) {
        if (letters_.size() <= id) letters_.resize(id + 1);
        OfRank &from = of(m.from), &to = of(m.to);
        Letter& l = letters_[id];
        const bool inside = hosts_.node(m.from) == hosts_.node(m.to);
        l = {bytes,
             now,
             0,
             line,
             m.to * channels_ + m.channel,
             step,
             inside ? -1 : hosts_.card(m.from, from.sent++),
             inside ? -1 : hosts_.card(m.to, to.received++),
             m.runs,
             m.reduces,
             m.apart,
             inside ? Letter::Stage::inside : Letter::Stage::posted,
             bytes <= costs_.eager};
        const Time start = serve(from, now, handling(l, costs_.send));
        if (inside) {
            if (l.eager) engine_.left(l, l.left = start);
            return engine_.wake(id, start + engine_.ticks(costs_.inside_latency));
        }
        if (l.eager) return engine_.wake(id, start);
        l.stage = Letter::Stage::asking;
        engine_.wake(id, start + latency(l));
    }

    /// The stage that a message was in has come to its end.
    void proceed(std::uint32_t id, Time now) {
        Letter& l = letters_[id];
        switch (l.stage) {
        case Letter::Stage::posted:
        case Letter::Stage::answered: return engine_.launch(id, l, now);
        case Letter::Stage::asking:
            if (engine_.begun(l.to) >= l.step) return answer(id, now);
            break;
        case Letter::Stage::inside:
        case Letter::Stage::delivered:
            if (engine_.begun(l.to) >= l.step) return receive(id, now, false);
        }
        waiting_[static_cast<std::size_t>(l.to)].push_back(id);
    }

    /// The last train of a message is at the receiver's card.
    [[gnu::noinline]] void delivered(std::uint32_t id, Time left, Time when) {
        letters_[id].left = left;
        letters_[id].stage = Letter::Stage::delivered;
        engine_.wake(id, when + engine_.ticks(costs_.latency));
    }

    /// A line has begun a step: messages of it that wait go on.
    [[gnu::noinline]] void began(int line, int step, Time now) {
        if (const double copies = permuting_.beside(line / channels_); copies > 0)
            serve(of(line / channels_), now, copies);
        auto& all = waiting_[static_cast<std::size_t>(line)];
        std::size_t kept = 0;
        for (const std::uint32_t id : all) {
            if (letters_[id].step != step)
                all[kept++] = id;
            else if (letters_[id].stage == Letter::Stage::asking)
                answer(id, now);
            else
                receive(id, now, true);
        }
        all.resize(kept);
    }

private:
    struct OfRank {
        Time free = 0;  ///< when its processor is idle
        unsigned sent = 0, received = 0;
    };

    OfRank& of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    Time serve(OfRank& r, Time now, double seconds) {
        return r.free = std::max(now, r.free) + engine_.ticks(seconds);
    }
    Time latency(const Letter& l) {
        return engine_.transit(l.card_from, l.card_to) + engine_.ticks(costs_.latency);
    }
    /// Seconds of a message, whose runs are packed, or of each of its runs that go apart.
    double handling(const Letter& l, double each) const {
        if (l.apart) return l.runs * each;
        return each + (l.runs > 1 ? l.runs * costs_.block + l.bytes * costs_.copy : 0);
    }
    void answer(std::uint32_t id, Time now) {
        letters_[id].stage = Letter::Stage::answered;
        engine_.wake(id, now + latency(letters_[id]));
    }
    void receive(std::uint32_t id, Time now, bool waited) {
        Letter& l = letters_[id];
        const bool inside = l.stage == Letter::Stage::inside;
        const double per_byte = (inside   ? costs_.inside
                                 : waited ? costs_.unexpected
                                          : 0) +
                                (l.reduces ? costs_.reduce : 0);
        const Time end =
            serve(of(l.to / channels_), now, handling(l, costs_.receive) + l.bytes * per_byte);
        if (inside && !l.eager) engine_.left(l, l.left = end);
        permuting_.received(l.to / channels_, l.bytes);
        engine_.arrived(id, l, end);
    }

    Engine& engine_;
    const Hosts& hosts_;
    MessageCosts costs_;
    Permuting permuting_;
    int channels_;
    std::vector<OfRank> ranks_;
    std::vector<std::vector<std::uint32_t>> waiting_;  ///< by line, for their step
    std::vector<Letter> letters_;                      ///< by message
};

}  // namespace hopbine::simulation
