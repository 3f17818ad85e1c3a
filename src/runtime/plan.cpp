#include "runtime/plan.hpp"

#include <algorithm>
#include <atomic>
#include <set>

#include "runtime/places.hpp"
#include "schedule/posting_order.hpp"

namespace hopbine::mpi {

namespace {

/// Whether two messages share a block of the working buffer. Their pieces are in ascending order.
bool meet(const Plan& plan, const Message& a, const Message& b) {
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
bool adds_to_sent(const Plan& plan, std::uint32_t begin, std::uint32_t end) {
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

class Builder {
public:
    Builder(Plan& plan, const Schedule& schedule, Places& places)
        : plan_(plan), schedule_(schedule), places_(places) {}

    void step(const Step& moves, bool follow_departures) {
        each_message(moves, plan_.rank, schedule_.traits(),
                     [&](const OrderedMove& m, const BlockSet& blocks) { message(m, blocks); });
        if (follow_departures) {
            std::vector<Block> departed;
            for (const Move& m : moves)
                if (m.direction == Direction::send)
                    m.blocks.each([&](Block b) { departed.push_back(b); });
            places_.left(departed);
        }
        const auto end = static_cast<std::uint32_t>(plan_.messages.size());
        plan_.sends_first.push_back(adds_to_sent(plan_, plan_.steps.back(), end));
        plan_.steps.push_back(end);
    }

    /// Sorts the messages by channel where there are several channels, after the last step.
    void split_by_channel() {
        if (schedule_.traits().channels == 1) return;
        const std::vector<Message> all = std::move(plan_.messages);
        plan_.messages.clear();
        for (const int number : std::set<int>(channels_.begin(), channels_.end())) {
            Channel& channel = plan_.channels.emplace_back(Channel{number, {}});
            plan_.phases = 1;
            for (std::size_t s = 0; s + 1 < plan_.steps.size(); ++s) {
                plan_.phases += schedule_.traits().barrier(static_cast<int>(s));
                const auto begin = static_cast<std::uint32_t>(plan_.messages.size());
                for (std::size_t m = plan_.steps[s]; m < plan_.steps[s + 1]; ++m)
                    if (channels_[m] == number) plan_.messages.push_back(all[m]);
                const auto end = static_cast<std::uint32_t>(plan_.messages.size());
                if (end > begin)
                    channel.steps.push_back(
                        {begin, end, adds_to_sent(plan_, begin, end), plan_.phases - 1});
            }
        }
        plan_.steps.clear();
        plan_.sends_first.clear();
    }

private:
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
            const std::int64_t count =
                place.space == Space::work && dynamic_cast<InVector*>(&places_) ? r.hi - b : 1;
            if (plan_.pieces.size() > begin && plan_.pieces.back().space == place.space &&
                plan_.pieces.back().first + plan_.pieces.back().count == place.at)
                plan_.pieces.back().count += count;
            else
                plan_.pieces.push_back({place.space, place.at, count});
            b += count;
        }
    }

    Plan& plan_;
    const Schedule& schedule_;
    Places& places_;
    std::vector<int> channels_;  // of each message
};

/// Plan::direct_step for a vector of `parts` parts.
int find_direct_step(const Plan& plan, std::int64_t parts) {
    std::size_t s = 0;
    while (s + 1 < plan.steps.size() && plan.steps[s] == plan.steps[s + 1]) ++s;
    if (s + 1 >= plan.steps.size() || !plan.positions.empty() || !plan.stretches.empty()) return -1;
    int contributions = 0;
    for (std::uint32_t m = plan.steps[s]; m < plan.steps[s + 1]; ++m) {
        const Message& message = plan.messages[m];
        const Piece& piece = plan.pieces[message.begin];
        if (message.end - message.begin > 1 || piece.space != Space::work) return -1;
        if (message.direction == Direction::send) continue;
        if (message.op != Op::reduce || message.keeps || piece.first != 0 || piece.count != parts)
            return -1;
        ++contributions;
    }
    return contributions == 1 ? static_cast<int>(s) : -1;
}

/// Marks the received blocks that are sent on in the next step.
void mark_stays(Plan& plan) {
    struct Arrival {
        std::size_t step = 0;
        BlockRef* ref = nullptr;
    };
    std::vector<Arrival> last(static_cast<std::size_t>(plan.temp_slots));
    for (std::size_t s = 0; s + 1 < plan.steps.size(); ++s)
        for (const Direction direction : {Direction::send, Direction::recv})
            for (std::uint32_t i = plan.steps[s]; i < plan.steps[s + 1]; ++i)
                for (std::uint32_t h = plan.sized_messages[i].begin;
                     plan.sized_messages[i].direction == direction &&
                     h < plan.sized_messages[i].end;
                     ++h) {
                    if (plan.block_refs[h] >= 0) continue;
                    Arrival& arrival = last[slot(plan.block_refs[h])];
                    if (direction == Direction::recv)
                        arrival = {s, &plan.block_refs[h]};
                    else if (arrival.step + 1 == s)
                        *arrival.ref = ~(~*arrival.ref | kStays);
                }
}

/// Replaces the messages of a plan by sized messages.
void make_sized(Plan& plan) {
    for (const Message& m : plan.messages) {
        const auto begin = static_cast<std::uint32_t>(plan.block_refs.size());
        for (std::uint32_t i = m.begin; i < m.end; ++i)
            for (std::int64_t at = plan.pieces[i].first;
                 at < plan.pieces[i].first + plan.pieces[i].count; ++at)
                plan.block_refs.push_back(
                    static_cast<BlockRef>(plan.pieces[i].space == Space::temp ? ~at : at));
        const auto end = static_cast<std::uint32_t>(plan.block_refs.size());
        plan.sized_messages.push_back({m.direction,
                                       end - begin == 1 && plan.block_refs[begin] == m.peer, m.peer,
                                       begin, end});
    }
    plan.messages = {};
    plan.pieces = {};
    mark_stays(plan);
}

}  // namespace

StepView Plan::expanded(std::size_t s, StepScratch& scratch) const {
    const auto after = std::ranges::upper_bound(stretches, s, {}, &Stretch::first);
    const StepView like = kept(static_cast<std::size_t>(after - stretches.begin()) - 1);
    const Stretch& stretch = after[-1];
    const auto turn = static_cast<std::int64_t>(s - stretch.first) * stretch.shift % circle;
    scratch.messages.assign(like.begin, like.end);
    scratch.pieces.clear();
    for (Message& m : scratch.messages) {
        const auto begin = static_cast<std::uint32_t>(scratch.pieces.size());
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            Piece& piece = scratch.pieces.emplace_back(like.pieces[i]);
            piece.first = (piece.first + turn + circle) % circle;
        }
        m.begin = begin;
        m.end = static_cast<std::uint32_t>(scratch.pieces.size());
    }
    return {scratch.messages.data(), scratch.messages.data() + scratch.messages.size(),
            scratch.pieces.data(), like.sends_first};
}

const Message& direct_contribution(const Plan& plan) {
    const auto step = static_cast<std::size_t>(plan.direct_step);
    return *std::find_if(plan.messages.begin() + plan.steps[step],
                         plan.messages.begin() + plan.steps[step + 1],
                         [](const Message& m) { return m.direction == Direction::recv; });
}

namespace {

/// Whether the kept step may stand for those that repeat it: no message of it is cut at the end of
/// the vector, however far its blocks move on.
bool can_stand(const Plan& plan, const Schedule& schedule, Block shift) {
    const Traits& t = schedule.traits();
    if (t.channels > 1 || t.layout || t.wire == Wire::per_run) return false;
    const auto uncut = [&](const Message& m) {
        const Piece& piece = plan.pieces[m.begin];
        return m.end - m.begin == 1 && piece.first % piece.count == 0 && shift % piece.count == 0 &&
               plan.circle % piece.count == 0;
    };
    const auto first = plan.messages.begin() + plan.steps[plan.steps.size() - 2];
    return std::all_of(first, plan.messages.end(), uncut);
}

template <class F>
void each_step(const Schedule& schedule, int rank, F&& f) {
    Step now;
    for (int s = 0; s < schedule.steps(); ++s) {
        now.clear();
        schedule.moves(rank, s, now);
        f(now);
    }
}

/// Plans a gather or scatter on a rank other than the root: slots for blocks in transit.
void plan_passing(Plan& plan, const Schedule& schedule, int rank) {
    // Slots are whole blocks, even where only some parts pass through this rank: parts lie in a
    // slot as they do in a block.
    std::vector<Run> whole = {{rank, rank + 1}};
    each_step(schedule, rank, [&](const Step& now) {
        for (const Move& m : now)
            for (const Run& r : m.blocks.runs())
                whole.push_back({r.lo / plan.parts, (r.hi - 1) / plan.parts + 1});
    });
    Slots slots(BlockSet::of_runs(std::move(whole)), plan.parts);
    const bool only_own = slots.slots() == 1;
    plan.temp_slots = only_own ? 0 : slots.slots();
    plan.own_slot = only_own ? -1 : slots.of(Block{rank} * plan.parts).at / plan.parts;
    Builder build(plan, schedule, slots);
    each_step(schedule, rank, [&](const Step& now) { build.step(now, false); });
    build.split_by_channel();
    // A leaf sends or receives its own block only, straight from or to the user's buffer.
    if (only_own)
        for (Piece& piece : plan.pieces) piece.space = Space::work;
}

/// Plans steps on the vector. Those that repeat another are not made.
void plan_vector(Plan& plan, const Schedule& schedule, Builder& build) {
    Step now;
    for (int s = 0, times = 1; s < schedule.steps(); s += times) {
        now.clear();
        schedule.moves(plan.rank, s, now);
        build.step(now, false);
        const Repeat all = schedule.traits().repeat(s);
        times = all.first == s && can_stand(plan, schedule, all.shift) ? all.times : 1;
        plan.stretches.push_back(
            {static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(times), all.shift});
    }
    if (plan.stretches.size() == static_cast<std::size_t>(schedule.steps())) plan.stretches.clear();
    build.split_by_channel();
}

/// Plans with the whole buffer, or with slots for alltoall and blocks of unknown sizes. Slots are
/// used again from step to step, on any channel.
void plan_whole(Plan& plan, const Schedule& schedule, const Problem& q, bool sized_messages) {
    InVector vector;
    Passing passing(q, plan.rank);
    const bool through_slots = sized_messages || pairs(q.collective);
    Builder build(plan, schedule, through_slots ? static_cast<Places&>(passing) : vector);
    if (through_slots)
        each_step(schedule, plan.rank, [&](const Step& now) { build.step(now, true); });
    else
        plan_vector(plan, schedule, build);
    plan.temp_slots = passing.slots();
}

}  // namespace

std::uint64_t next_plan_number() {
    static std::atomic<std::uint64_t> made{0};
    return ++made;
}

Plan make_plan(const Algorithm& a, const Problem& q, const Schedule& schedule, int rank,
               bool sized_messages) {
    const Traits& traits = schedule.traits();
    Plan plan;
    plan.number = next_plan_number();
    plan.algorithm = &a;
    plan.rank = rank;
    plan.parts = traits.parts;
    plan.wire = traits.wire;
    plan.circle = block_count(q.collective, q.p) * traits.parts;
    plan.steps.push_back(0);
    if (traits.layout) plan.positions = *traits.layout;
    // Channels progress on their own: there is no step in flight to copy beside.
    if (traits.layout && traits.copies_in_flight && traits.channels == 1) {
        plan.block_at.resize(plan.positions.size());
        for (std::size_t b = 0; b < plan.positions.size(); ++b)
            plan.block_at[static_cast<std::size_t>(plan.positions[b])] = static_cast<int>(b);
    }
    if (!sized_messages && spec(q.collective).blocks == Blocks::ranks && rooted(q.collective) &&
        rank != q.root) {
        plan_passing(plan, schedule, rank);
        return plan;
    }
    plan_whole(plan, schedule, q, sized_messages);
    if (sized_messages) {
        make_sized(plan);
        // With period 1 all ranks have equivalent messages: what holds for this rank
        // holds for all.
        plan.headers_reach_all = traits.period == 1 && plan.wire != Wire::padded &&
                                 std::ranges::none_of(plan.sized_messages, &SizedMessage::bare);
    }
    if (spec(q.collective).send.at_root == Content::vector)
        plan.direct_step = find_direct_step(plan, std::int64_t{q.p} * plan.parts);
    return plan;
}

}  // namespace hopbine::mpi
