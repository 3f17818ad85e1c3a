#include "runtime/plan.hpp"

#include <algorithm>
#include <atomic>
#include <set>

#include "runtime/places.hpp"
#include "schedule/call_tags.hpp"
#include "schedule/posting_order.hpp"

namespace hopbine::mpi {

namespace {

/// Whether two messages share a block of the working buffer. Their pieces are in ascending order.
bool meet(const Steps& plan, const Message& a, const Message& b) {
    if (plan.pieces[a.begin].space != plan.pieces[b.begin].space) return false;
    for (std::uint32_t i = a.begin, j = b.begin; i < a.end && j < b.end;) {
        const Piece &x = plan.pieces[i], &y = plan.pieces[j];
        if (x.first + x.count <= y.first)
            ++i;
        else if (y.first + y.count <= x.first)
            ++j;
        else
            return true;
    }
    return false;
}

/// Whether a receive of the step adds to a block that the step sends.
bool adds_to_sent(const Steps& plan, std::uint32_t begin, std::uint32_t end) {
    constexpr int kWorthLooking =
        64;  // pairs of messages; with more, waiting for all sends is no loss
    int pairs = 0;
    for (std::uint32_t r = begin; r < end; ++r) {
        if (plan.messages[r].direction != Direction::recv || plan.messages[r].op != Op::reduce)
            continue;
        for (std::uint32_t s = begin; s < end; ++s)
            if (plan.messages[s].direction == Direction::send &&
                (++pairs > kWorthLooking || meet(plan, plan.messages[s], plan.messages[r])))
                return true;
    }
    return false;
}

/// Binds the moves of a rank, step by step.
class Builder {
public:
    Builder(Steps& plan, const Schedule& schedule, int rank, Places& places)
        : plan_(plan), schedule_(schedule), rank_(rank), places_(places) {}

    void step(const Step& moves, bool follow_departures) {
        each_message(moves, rank_, schedule_.traits(),
                     [&](const OrderedMove& m, const BlockSet& blocks) { message(m, blocks); });
        if (follow_departures) {
            std::vector<Block> departed;
            for (const Move& m : moves)
                if (m.direction == Direction::send)
                    m.blocks.each([&](Block b) { departed.push_back(b); });
            places_.left(departed);
        }
        bounds_.push_back(static_cast<std::uint32_t>(plan_.messages.size()));
        repeats_.push_back({0, 1, 0});
    }

    /// Whether the last step may stand for those that repeat it: no message of it is cut at the end
    /// of the vector, however far its blocks move on.
    bool can_stand(Block shift) const {
        const Traits& t = schedule_.traits();
        if (t.channels > 1 || t.layout || t.wire == Wire::per_run) return false;
        const auto uncut = [&](const Message& m) {
            const Piece& piece = plan_.pieces[m.begin];
            return m.end - m.begin == 1 && piece.first % piece.count == 0 &&
                   shift % piece.count == 0 && plan_.circle % piece.count == 0;
        };
        return std::all_of(plan_.messages.begin() + bounds_[bounds_.size() - 2],
                           plan_.messages.end(), uncut);
    }
    /// The last step stands for `times` steps.
    void repeat_last(const Repeat& all) { repeats_.back() = all; }

    /// Message m of step s is in [bounds()[s], bounds()[s + 1]).
    const std::vector<std::uint32_t>& bounds() const { return bounds_; }

    void make_one_channel() { add_channel(kDataChannel, bounds_); }
    /// Makes the schedule's channels, after the last step.
    void make_channels() {
        if (schedule_.traits().channels == 1) return make_one_channel();
        plan_.all_channels = schedule_.traits().channels;
        const std::vector<Message> all = std::move(plan_.messages);
        plan_.messages.clear();
        for (const int number : std::set<int>(channels_.begin(), channels_.end())) {
            std::vector<std::uint32_t> bounds{static_cast<std::uint32_t>(plan_.messages.size())};
            for (std::size_t s = 0; s + 1 < bounds_.size(); ++s) {
                for (std::size_t m = bounds_[s]; m < bounds_[s + 1]; ++m)
                    if (channels_[m] == number) plan_.messages.push_back(all[m]);
                bounds.push_back(static_cast<std::uint32_t>(plan_.messages.size()));
            }
            add_channel(number, bounds);
        }
        if (plan_.channels.empty()) plan_.channels.push_back({kDataChannel, {}});
    }

private:
    void add_channel(int number, const std::vector<std::uint32_t>& bounds) {
        Channel& channel = plan_.channels.emplace_back(Channel{number, {}});
        plan_.phases = 1;
        for (std::size_t s = 0; s + 1 < bounds.size(); ++s) {
            if (plan_.all_channels > 1)
                plan_.phases += schedule_.traits().barrier(static_cast<int>(s));
            if (bounds[s] == bounds[s + 1]) continue;
            channel.steps.push_back(
                {bounds[s], bounds[s + 1], adds_to_sent(plan_, bounds[s], bounds[s + 1]),
                 plan_.phases - 1, static_cast<std::uint32_t>(repeats_[s].times),
                 repeats_[s].shift});
        }
    }

    void message(const OrderedMove& j, const BlockSet& blocks) {
        const Move& m = *j.move;
        const auto begin = static_cast<std::uint32_t>(plan_.pieces.size());
        if (schedule_.traits().layout) {
            std::vector<Block> at;
            blocks.each([&](Block b) { at.push_back(schedule_.traits().position(b)); });
            const BlockSet positions = BlockSet::of(std::move(at));
            for (const Run& r : positions.runs())
                plan_.pieces.push_back({Space::work, r.lo, r.hi - r.lo});
        } else {
            for (const Run& r : blocks.runs()) run(r, begin);
        }
        if (m.source != Source::result)
            for (std::size_t i = begin; i < plan_.pieces.size(); ++i)
                plan_.pieces[i].space = m.source == Source::own ? Space::recv : Space::temp;
        plan_.messages.push_back({m.direction, m.op, m.peer, begin,
                                  static_cast<std::uint32_t>(plan_.pieces.size()), j.onward,
                                  m.keeps});
        channels_.push_back(m.channel);
        plan_.reduces_here |= m.direction == Direction::recv && m.op == Op::reduce;
        plan_.keeps |= m.keeps;
        plan_.sends_own |= m.source == Source::own;
    }

    void run(const Run& r, std::uint32_t begin) {
        for (Block b = r.lo; b < r.hi;) {
            const Place place = places_.of(b);
            // A run of a vector is one piece; in other places adjacent blocks are joined one by
            // one.
            const std::int64_t count = places_.whole_runs() ? r.hi - b : 1;
            if (plan_.pieces.size() > begin && plan_.pieces.back().space == place.space &&
                plan_.pieces.back().first + plan_.pieces.back().count == place.at)
                plan_.pieces.back().count += count;
            else
                plan_.pieces.push_back({place.space, place.at, count});
            b += count;
        }
    }

    Steps& plan_;
    const Schedule& schedule_;
    const int rank_;
    Places& places_;
    std::vector<int> channels_;  ///< of each message
    std::vector<std::uint32_t> bounds_{0};
    std::vector<Repeat> repeats_;  ///< of each step
};

/// Steps::direct, for a vector of `parts` parts.
bool begins_direct(const Steps& plan, std::int64_t parts) {
    if (plan.all_channels > 1 || plan.channels[0].steps.empty() || !plan.positions.empty())
        return false;
    for (const ChannelStep& step : plan.channels[0].steps)
        if (step.times > 1) return false;
    int contributions = 0;
    const ChannelStep& first = plan.channels[0].steps[0];
    for (std::uint32_t m = first.begin; m < first.end; ++m) {
        const Message& message = plan.messages[m];
        const Piece& piece = plan.pieces[message.begin];
        if (message.end - message.begin > 1 || piece.space != Space::work) return false;
        if (message.direction == Direction::send) continue;
        if (message.op != Op::reduce || message.keeps || piece.first != 0 || piece.count != parts)
            return false;
        ++contributions;
    }
    return contributions == 1;
}

/// Marks the received blocks that are sent on in the next step.
void mark_stays(SizedSteps& plan) {
    struct Arrival {
        std::size_t step = 0;
        BlockRef* ref = nullptr;
    };
    std::vector<Arrival> last(static_cast<std::size_t>(plan.slots));
    for (std::size_t s = 0; s + 1 < plan.bounds.size(); ++s)
        for (const Direction direction : {Direction::send, Direction::recv})
            for (std::uint32_t i = plan.bounds[s]; i < plan.bounds[s + 1]; ++i) {
                const SizedMessage& m = plan.messages[i];
                for (std::uint32_t h = m.begin; m.direction == direction && h < m.end; ++h) {
                    BlockRef& block = plan.blocks[h];
                    if (!block.in_transit) continue;
                    Arrival& arrival = last[block.slot()];
                    if (direction == Direction::recv)
                        arrival = {s, &block};
                    else if (arrival.step + 1 == s)
                        arrival.ref->stays = true;
                }
            }
}

/// Replaces messages of pieces by sized messages.
SizedSteps make_sized(const Steps& plan, const std::vector<std::uint32_t>& bounds) {
    SizedSteps out;
    for (const Message& m : plan.messages) {
        const auto begin = static_cast<std::uint32_t>(out.blocks.size());
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            const Piece& piece = plan.pieces[i];
            for (std::int64_t at = piece.first; at < piece.first + piece.count; ++at)
                out.blocks.push_back({static_cast<std::int32_t>(at), piece.space == Space::temp});
        }
        const auto end = static_cast<std::uint32_t>(out.blocks.size());
        out.messages.push_back({m.direction,
                                end - begin == 1 && out.blocks[begin] == BlockRef{m.peer}, m.peer,
                                begin, end});
    }
    out.bounds = bounds;
    out.slots = plan.temp_slots;
    mark_stays(out);
    return out;
}

template <class F>
void each_step_of(const Schedule& schedule, int rank, F&& f) {
    Step now;
    for (int s = 0; s < schedule.steps(); ++s) {
        now.clear();
        schedule.moves(rank, s, now);
        f(now);
    }
}

/// Plans a gather or scatter on a rank other than the root: slots for blocks in transit.
void plan_passing(Steps& plan, const Schedule& schedule, int rank) {
    // Slots are whole blocks, even where only some parts pass through this rank: parts lie in a
    // slot as they do in a block.
    std::vector<Run> whole = {{rank, rank + 1}};
    each_step_of(schedule, rank, [&](const Step& now) {
        for (const Move& m : now)
            for (const Run& r : m.blocks.runs())
                whole.push_back({r.lo / plan.parts, (r.hi - 1) / plan.parts + 1});
    });
    Slots slots(BlockSet::of_runs(std::move(whole)), plan.parts);
    const bool only_own = slots.slots() == 1;
    plan.temp_slots = only_own ? 0 : slots.slots();
    plan.own_slot = only_own ? -1 : slots.of(Block{rank} * plan.parts).at / plan.parts;
    Builder build(plan, schedule, rank, slots);
    each_step_of(schedule, rank, [&](const Step& now) { build.step(now, false); });
    build.make_channels();
    // A leaf sends or receives its own block only, straight from or to the user's buffer.
    if (only_own)
        for (Piece& piece : plan.pieces) piece.space = Space::work;
}

/// Plans steps on the vector. Those that repeat another are not made.
void plan_vector(Steps& plan, const Schedule& schedule, int rank) {
    InVector vector;
    Builder build(plan, schedule, rank, vector);
    Step now;
    for (int s = 0, times = 1; s < schedule.steps(); s += times) {
        now.clear();
        schedule.moves(rank, s, now);
        build.step(now, false);
        const Repeat all = schedule.traits().repeat(s);
        const bool stands = all.first == s && build.can_stand(all.shift);
        times = stands ? all.times : 1;
        if (stands) build.repeat_last(all);
    }
    build.make_channels();
}

/// Plans with slots, for alltoall and blocks of unknown sizes. Slots are used again from step to
/// step, on any channel: one channel does all.
SizedSteps plan_slots(Steps& plan, const Schedule& schedule, const Problem& q, int rank,
                      bool sized_messages) {
    Passing passing(q, rank);
    Builder build(plan, schedule, rank, passing);
    each_step_of(schedule, rank, [&](const Step& now) { build.step(now, true); });
    plan.temp_slots = passing.slots();
    if (sized_messages) return make_sized(plan, build.bounds());
    build.make_one_channel();
    return {};
}

}  // namespace

StepView Steps::repeated(const ChannelStep& s, std::uint32_t turn, StepScratch& scratch) const {
    const StepView like = kept(s);
    const std::int64_t moved = turn * s.shift % circle;
    scratch.messages.assign(like.begin, like.end);
    scratch.pieces.clear();
    for (Message& m : scratch.messages) {
        const auto begin = static_cast<std::uint32_t>(scratch.pieces.size());
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            Piece& piece = scratch.pieces.emplace_back(like.pieces[i]);
            piece.first = (piece.first + moved + circle) % circle;
        }
        m.begin = begin;
        m.end = static_cast<std::uint32_t>(scratch.pieces.size());
    }
    return {scratch.messages.data(), scratch.messages.data() + scratch.messages.size(),
            scratch.pieces.data(), like.sends_first};
}

const Message& Steps::direct_contribution() const {
    const ChannelStep& first = channels[0].steps[0];
    return *std::find_if(messages.begin() + first.begin, messages.begin() + first.end,
                         [](const Message& m) { return m.direction == Direction::recv; });
}

std::uint64_t next_plan_number() {
    static std::atomic<std::uint64_t> made{0};  // of any order: numbers need but differ
    return ++made;
}

Plan make_plan(const Algorithm& a, const Problem& q, const Schedule& schedule, int rank,
               bool sized_messages) {
    const Traits& traits = schedule.traits();
    Plan plan{next_plan_number(), &a, rank};
    Steps steps;
    steps.parts = traits.parts;
    steps.circle = block_count(q.collective, q.p) * traits.parts;
    if (traits.layout) steps.positions = *traits.layout;
    // Channels progress on their own: there is no step in flight to copy beside.
    if (traits.layout && traits.copies_in_flight && traits.channels == 1) {
        steps.block_at.resize(steps.positions.size());
        for (std::size_t b = 0; b < steps.positions.size(); ++b)
            steps.block_at[static_cast<std::size_t>(steps.positions[b])] = static_cast<int>(b);
    }
    if (sized_messages) {
        SizedSteps sized = plan_slots(steps, schedule, q, rank, true);
        sized.wire = traits.wire;
        // With period 1 all ranks have equivalent messages: what holds for this rank
        // holds for all.
        sized.headers_reach_all = traits.period == 1 && sized.wire != Wire::padded &&
                                  std::ranges::none_of(sized.messages, &SizedMessage::bare);
        plan.moves = std::move(sized);
        return plan;
    }
    if (spec(q.collective).blocks == Blocks::ranks && rooted(q.collective) && rank != q.root)
        plan_passing(steps, schedule, rank);
    else if (pairs(q.collective))
        plan_slots(steps, schedule, q, rank, false);
    else
        plan_vector(steps, schedule, rank);
    if (spec(q.collective).send.at_root == Content::vector)
        steps.direct = begins_direct(steps, std::int64_t{q.p} * steps.parts);
    plan.moves = std::move(steps);
    return plan;
}

}  // namespace hopbine::mpi
