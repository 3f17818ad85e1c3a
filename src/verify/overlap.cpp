#include "verify/overlap.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <random>

#include "schedule/posting_order.hpp"

namespace hopbine {

namespace {

using Form = CallUnderWay::Form;

/// A message at one of its ends.
struct End {
    Direction direction;
    Op op;
    int peer, channel, step;
    BlockSet blocks;
};
/// Messages of a step that are posted together, receives first.
using Ends = std::vector<End>;

/// One channel of a call on one rank, or all of a call of sized messages.
struct Track {
    std::vector<Ends> steps;
    std::size_t at = 0;  ///< the step that it is in
    bool posted = false, rests_posted = false;
    int receiving = 0, sending = 0;  ///< messages posted and not matched
    bool over() const { return at == steps.size(); }
};

/// A call on one rank.
struct Process {
    std::vector<Track> tracks;
    std::vector<std::size_t> phases;  ///< first steps of phases, which channels begin together
    int first = 0;                    ///< its first receive tag on this rank
    bool started = false, ended = false;
    std::size_t channels = 1;

    /// Whether a track may take its next step: all have ended the phases before.
    bool may_begin(const Track& track) const {
        const auto next = std::ranges::upper_bound(phases, track.at);
        const std::size_t phase = next == phases.begin() ? 0 : *(next - 1);
        return std::ranges::all_of(tracks, [&](const Track& t) { return t.at >= phase; });
    }
};

class Overlap {
public:
    Overlap(int p, const std::vector<CallUnderWay>& calls, const Lanes& lanes, unsigned seed)
        : p_(p), calls_(calls), lanes_(lanes), seed_(seed), random_(seed) {
        for (int r = 0; r < p; ++r) {
            ranks_.push_back({});
            make_processes(r);
            order_of_starts(r);
        }
    }

    std::string run() {
        for (std::size_t r = 0; r < ranks_.size(); ++r)
            for (std::size_t c = 0; c < calls_.size(); ++c)
                for (std::size_t t = 0; t < ranks_[r].calls[c].tracks.size(); ++t)
                    actors_.push_back({r, c, t});
        for (bool moved = true; moved && why_.empty();) {
            draw_order();
            moved = false;
            for (std::size_t r = 0; r < ranks_.size(); ++r) moved |= start_next(r);
            for (const Actor& a : actors_)
                if (!is_slow(a.rank) || !moved) moved |= advance(a);
        }
        if (why_.empty()) find_stuck();
        return why_;
    }

private:
    struct Actor {
        std::size_t rank, call, track;
    };
    struct Rank {
        std::vector<Process> calls;
        std::vector<std::size_t> starts;     ///< calls in the order in which it makes them
        std::size_t next = 0;                ///< in `starts`
        std::map<int, std::size_t> claimed;  ///< receive tag -> call
    };
    struct Posted {
        const End* end;
        std::size_t rank, call, track;
    };
    struct Queue {
        std::deque<Posted> sent, awaited;
    };

    static std::size_t number(int rank) { return static_cast<std::size_t>(rank); }

    // Tags, as the MPI side makes them. Ranks allocate their spaces in orders of their own.

    /// First receive tag of a call on a rank. All blocking calls share a space.
    int first_tag(int rank, std::size_t call) const {
        int space = rank % 3, ticket = 0, persistent = 0;
        for (std::size_t c = 0; c < call; ++c) {
            ticket += calls_[c].form == Form::nonblocking;
            persistent += calls_[c].form == Form::persistent;
        }
        const auto lanes = static_cast<int>(lanes_.number);
        switch (calls_[call].form) {
        case Form::nonblocking:
            return lanes_.tags.first(space) +
                   lanes_.tags.beyond(static_cast<std::uint64_t>(ticket), lanes_.number);
        case Form::blocking: return lanes_.tags.first(space + lanes);
        case Form::persistent: space += lanes + 1 + persistent; break;
        }
        return lanes_.tags.first(space);
    }

    // The calls.

    void make_processes(int rank) {
        for (std::size_t c = 0; c < calls_.size(); ++c) {
            const CallUnderWay& call = calls_[c];
            Process& process = ranks_.back().calls.emplace_back();
            process.first = first_tag(rank, c);
            process.channels =
                call.sized ? kRestChannel + 1 : number(call.schedule->traits().channels);
            process.tracks.resize(call.sized ? 1 : process.channels);
            if (call.sized && call.schedule->traits().wire == Wire::padded)
                agree_on_largest(rank, process.tracks[0]);
            for (int s = 0; s < call.schedule->steps(); ++s) add_step(rank, s, call, process);
        }
    }

    /// Sizes that are padded are those of the largest block: ranks hear of it by dissemination.
    void agree_on_largest(int rank, Track& track) const {
        for (int distance = 1; distance < p_; distance *= 2) {
            const int step = -1 - static_cast<int>(track.steps.size());
            track.steps.push_back(
                {{Direction::recv, Op::copy, (rank - distance + p_) % p_, kDataChannel, step, {}},
                 {Direction::send, Op::copy, (rank + distance) % p_, kDataChannel, step, {}}});
        }
    }

    static void add_step(int rank, int s, const CallUnderWay& call, Process& process) {
        Step moves;
        call.schedule->moves(rank, s, moves);
        if (call.schedule->traits().barrier(s)) process.phases.push_back(number(s));
        for (Track& track : process.tracks) track.steps.emplace_back();
        for (const Direction direction : {Direction::recv, Direction::send})
            each_message(moves, rank, call.schedule->traits(),
                         [&](const OrderedMove& m, const BlockSet& blocks) {
                             const Move& move = *m.move;
                             if (move.direction == direction)
                                 process.tracks[number(move.channel)].steps.back().push_back(
                                     {direction, move.op, move.peer, move.channel, s, blocks});
                         });
    }

    /// Persistent calls are started anywhere between the others.
    void order_of_starts(int rank) {
        std::vector<std::size_t>& starts = ranks_[number(rank)].starts;
        for (std::size_t c = 0; c < calls_.size(); ++c)
            if (calls_[c].form != Form::persistent) starts.push_back(c);
        for (std::size_t c = 0; c < calls_.size(); ++c)
            if (calls_[c].form == Form::persistent)
                starts.insert(
                    starts.begin() + static_cast<std::ptrdiff_t>(random_() % (starts.size() + 1)),
                    c);
    }

    /// Makes the next call of a rank. False: it has made all, or is inside of a blocking one.
    bool start_next(std::size_t r) {
        Rank& rank = ranks_[r];
        if (rank.next == rank.starts.size()) return false;
        if (rank.next > 0) {
            const std::size_t last = rank.starts[rank.next - 1];
            if (calls_[last].form == Form::blocking && !rank.calls[last].ended) return false;
        }
        ++rank.next;
        return true;
    }

    /// Whether the rank has made the call, and the one that had its lane before has ended.
    bool may_run(const Rank& rank, std::size_t call) const {
        const auto made = rank.starts.begin() + static_cast<std::ptrdiff_t>(rank.next);
        if (std::find(rank.starts.begin(), made, call) == made) return false;
        if (calls_[call].form != Form::nonblocking) return true;
        std::vector<std::size_t> before;
        for (std::size_t c = 0; c < call; ++c)
            if (calls_[c].form == Form::nonblocking) before.push_back(c);
        return before.size() < lanes_.number ||
               rank.calls[before[before.size() - lanes_.number]].ended;
    }

    // Their progress.

    void draw_order() {
        switch (seed_ % 3) {
        case 0: std::ranges::shuffle(actors_, random_); break;
        case 1:  // the last calls first
            std::ranges::stable_sort(actors_, std::greater<>(), &Actor::call);
            break;
        default: break;  // all in order, but for a slow rank
        }
    }
    /// A slow rank moves only where no other does.
    bool is_slow(std::size_t rank) const {
        return seed_ % 3 == 2 && rank == seed_ / 3 % number(p_);
    }

    bool advance(const Actor& a) {
        Rank& rank = ranks_[a.rank];
        Process& process = rank.calls[a.call];
        if (process.ended || (!process.started && !may_run(rank, a.call))) return false;
        if (!process.started) begin(a.rank, a.call);
        const bool moved = advance(a, process, process.tracks[a.track]);
        if (std::ranges::all_of(process.tracks, &Track::over)) end(rank, process);
        return moved || process.ended;
    }

    bool advance(const Actor& a, Process& process, Track& track) {
        if (track.over() || (!track.posted && !process.may_begin(track))) return false;
        if (!track.posted) {
            track.posted = true;
            for (const End& end : track.steps[track.at]) post(a, track, end, false);
            return true;
        }
        if (track.receiving > 0) return false;
        if (calls_[a.call].sized && !track.rests_posted) {
            // Only what has arrived tells of the rests.
            track.rests_posted = true;
            for (const End& end : track.steps[track.at])
                if (end.direction == Direction::recv) post(a, track, end, true);
            return true;
        }
        if (track.sending > 0) return false;
        track.posted = track.rests_posted = false;
        ++track.at;
        return true;
    }

    void begin(std::size_t r, std::size_t call) {
        Process& process = ranks_[r].calls[call];
        process.started = true;
        for (std::size_t channel = 0; channel < process.channels; ++channel) {
            const int tag = CallTags::tag(process.first, static_cast<int>(channel));
            const auto [at, fresh] = ranks_[r].claimed.try_emplace(tag, call);
            if (!fresh)
                fail("rank " + std::to_string(r) + " receives with tag " + std::to_string(tag) +
                     " for " + name(at->second) + " and for channel " + std::to_string(channel) +
                     " of " + name(call));
        }
    }

    void end(Rank& rank, Process& process) {
        process.ended = true;
        for (std::size_t channel = 0; channel < process.channels; ++channel)
            rank.claimed.erase(CallTags::tag(process.first, static_cast<int>(channel)));
    }

    /// Whether a sized message has a rest: drawn, and the same at both ends.
    bool has_rest(std::size_t call, const End& end, std::size_t from, std::size_t to) const {
        return calls_[call].sized && end.step >= 0 &&
               std::minstd_rand(seed_ + static_cast<unsigned>(((call * 31 + from) * 31 + to) * 31) +
                                static_cast<unsigned>(end.step))() %
                       64 <
                   32;
    }

    void post(const Actor& a, Track& track, const End& end, bool rest) {
        const bool sends = end.direction == Direction::send;
        const std::size_t from = sends ? a.rank : number(end.peer),
                          to = sends ? number(end.peer) : a.rank;
        if (!rest) enqueue(a, track, end, from, to, end.channel);
        if ((rest || sends) && has_rest(a.call, end, from, to))
            enqueue(a, track, end, from, to, kRestChannel);
    }

    void enqueue(const Actor& a, Track& track, const End& end, std::size_t from, std::size_t to,
                 int channel) {
        const bool sends = end.direction == Direction::send;
        Queue& queue = queues_[{from, to, CallTags::tag(ranks_[to].calls[a.call].first, channel)}];
        (sends ? queue.sent : queue.awaited).push_back({&end, a.rank, a.call, a.track});
        ++(sends ? track.sending : track.receiving);
        if (!queue.sent.empty() && !queue.awaited.empty()) match(queue);
    }

    void match(Queue& queue) {
        const Posted sent = queue.sent.front(), awaited = queue.awaited.front();
        queue.sent.pop_front();
        queue.awaited.pop_front();
        --track_of(sent).sending;
        --track_of(awaited).receiving;
        const End &out = *sent.end, &in = *awaited.end;
        if (sent.call != awaited.call || out.step != in.step || out.channel != in.channel ||
            out.op != in.op || !(out.blocks == in.blocks))
            fail("rank " + std::to_string(awaited.rank) + " receives " + text(sent) +
                 " from rank " + std::to_string(sent.rank) + " for " + text(awaited));
    }

    Track& track_of(const Posted& m) { return ranks_[m.rank].calls[m.call].tracks[m.track]; }

    // What is wrong.

    static std::string name(std::size_t call) { return "call " + std::to_string(call); }
    static std::string text(const Posted& m) {
        return "blocks " + m.end->blocks.text() + " of step " + std::to_string(m.end->step) +
               " of " + name(m.call);
    }
    void fail(const std::string& why) {
        if (why_.empty()) why_ = "calls under way at once: " + why;
    }
    void find_stuck() {
        for (std::size_t r = 0; r < ranks_.size(); ++r)
            for (std::size_t c = 0; c < calls_.size(); ++c)
                if (!ranks_[r].calls[c].ended)
                    return fail("rank " + std::to_string(r) + " waits for ever in " + name(c));
    }

    const int p_;
    const std::vector<CallUnderWay>& calls_;
    const Lanes& lanes_;
    const unsigned seed_;
    std::mt19937 random_;
    std::vector<Rank> ranks_;
    std::vector<Actor> actors_;
    std::map<std::tuple<std::size_t, std::size_t, int>, Queue> queues_;  ///< from, to, tag
    std::string why_;
};

/// An algorithm to run beside `a`: the next one of the registry, beginning so many after `a` as
/// there are ranks, that serves p ranks.
const Algorithm& partner(const Algorithm& a, int p) {
    const std::vector<const Algorithm*>& all = algorithms();
    const auto same = [&](const Algorithm* other) {
        return other->collective == a.collective && std::string(other->name) == a.name;
    };
    const auto here = static_cast<std::size_t>(std::ranges::find_if(all, same) - all.begin());
    for (std::size_t i = here + static_cast<std::size_t>(p);; ++i)
        if (const Algorithm& other = *all[i % all.size()]; fits(other, p)) return other;
}

/// A call of the algorithm, of sized messages where it can have them.
CallUnderWay call_of(const Algorithm& a, const SchedulePtr& schedule, Form form) {
    const Traits& t = schedule->traits();
    const CollectiveSpec& s = spec(a.collective);
    const bool sized = a.collective == Collective::alltoallv ||
                       (s.rooted() && s.blocks == Blocks::ranks && t.parts == 1 &&
                        t.channels == 1 && form != Form::nonblocking);
    return {schedule, form, sized};
}

}  // namespace

std::string check_overlap(int p, const std::vector<CallUnderWay>& calls, const Lanes& lanes,
                          unsigned seed) {
    return Overlap(p, calls, lanes, seed).run();
}

std::string check_overlap(const Algorithm& a, const Problem& q, const Lanes& lanes) {
    const Algorithm& b = partner(a, q.p);
    const SchedulePtr mine = a.make(q),
                      other = b.make(resolve(b, {.collective = b.collective, .p = q.p}));
    std::vector<CallUnderWay> calls;
    for (const Form form : {Form::nonblocking, Form::persistent, Form::blocking}) {
        calls.push_back(call_of(a, mine, form));
        calls.push_back(call_of(b, other, form));
        calls.push_back(call_of(a, mine, Form::nonblocking));
    }
    // Another order for every problem: one is enough where no tag is shared.
    const auto seed = static_cast<unsigned>(q.p + q.root);
    const std::string why = check_overlap(q.p, calls, lanes, seed);
    return why.empty() ? why : why + " (with " + hopbine::name(b.collective) + " " + b.name + ")";
}

}  // namespace hopbine
