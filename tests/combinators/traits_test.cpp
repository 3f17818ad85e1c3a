// Traits of schedules against full walks. Checks every algorithm and random compositions of
// combinators, to find a trait that a combinator omits or keeps wrongly.
#include "schedule/traits.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "combinators/combinators.hpp"
#include "combinators/subset.hpp"
#include "combinators/symmetric.hpp"
#include "families/ring/ring.hpp"
#include "families/torus/torus.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"
#include "verify/check.hpp"

using namespace hopbine;

namespace {

/// Moves of a rank in a step: direction, op, peer, channel, number of parts.
using Moved = std::multiset<std::tuple<Direction, Op, int, int, std::int64_t>>;

Moved moved(const Schedule& s, int rank, int step, const std::function<int(int)>& peer_of) {
    Step now;
    s.moves(rank, step, now);
    Moved out;
    for (const Move& m : now)
        out.emplace(m.direction, m.op, peer_of(m.peer), m.channel, m.blocks.size());
    return out;
}

/// Whether the moves of a step are those of the first that it repeats, shifted.
bool repeats(const Schedule& s, int rank, int step, Block circle) {
    const Repeat all = s.traits().repeat(step);
    if (all.first < 0 || all.times < 1 || all.first + all.times > s.steps() || step < all.first ||
        step >= all.first + all.times)
        return false;
    Step now, first;
    s.moves(rank, step, now);
    s.moves(rank, all.first, first);
    return std::ranges::equal(now, first, [&](const Move& a, const Move& b) {
        return a.direction == b.direction && a.op == b.op && a.peer == b.peer &&
               a.channel == b.channel &&
               a.blocks == b.blocks.rotated((step - all.first) * all.shift, circle);
    });
}

/// The first trait that a walk of all p ranks contradicts; empty if all are true.
std::string contradicted(const Schedule& s, int p, std::int64_t blocks) {
    const Traits& t = s.traits();
    const auto same = [](int r) { return r; };
    std::map<Block, int> channel_of;
    for (int step = 0; step < s.steps(); ++step) {
        const int like = t.step_class(step);
        if (like < 0 || like >= s.steps() || t.step_class(like) != like)
            return "class of step " + std::to_string(step) + " is " + std::to_string(like);
        if (t.barrier(step) && step == 0) return "a barrier before the first step";
        for (int r = 0; r < p; ++r) {
            Step now;
            s.moves(r, step, now);
            for (const Move& m : now) {
                if (m.channel < 0 || m.channel >= t.channels) return "a channel outside";
                if (m.blocks.runs().back().hi > blocks * t.parts) return "a part outside";
                bool apart = true;
                m.blocks.each([&](Block b) {
                    apart &= channel_of.emplace(b, m.channel).first->second == m.channel;
                });
                if (!apart) return "a part on two channels";
            }
            MoveSizes sizes;
            s.sizes(r, step, sizes);
            if (!std::ranges::equal(sizes, now, [&](const MoveSize& size, const Move& m) {
                    return size == MoveSize{m.direction, m.op, m.peer, m.blocks.size(),
                                            messages_of(m, t.wire)};
                }))
                return "sizes are not those of the moves";
            if (!repeats(s, r, step, blocks * t.parts)) return "step repeats no other";
            const Moved here = moved(s, r, step, same);
            if (here != moved(s, r, like, same)) return "steps of one class differ";
            if (t.period > 0) {
                const auto on = [&](int q) { return (q + t.period) % p; };
                if (moved(s, r, step, on) != moved(s, on(r), step, same))
                    return "period " + std::to_string(t.period);
            }
            for (int m = 1; m < p && t.mirrored; ++m) {
                const auto across = [&](int q) { return q ^ m; };
                if (moved(s, r, step, across) != moved(s, r ^ m, step, same)) return "mirrored";
            }
        }
    }
    if (t.layout) {
        std::set<Block> places(t.layout->begin(), t.layout->end());
        if (static_cast<int>(places.size()) != p || *places.begin() != 0 ||
            *places.rbegin() != p - 1)
            return "layout is no permutation";
    }
    return "";
}

TEST(Traits, OfEveryAlgorithmHold) {
    for (const Algorithm* a : algorithms())
        for (int p : {1, 2, 3, 4, 5, 6, 8, 12, 13, 16})
            for (const std::vector<int>& shape : {std::vector{p}, std::vector{p / 4, 2, 2}}) {
                if (!fits(*a, p) || (shape.size() > 1 && (!a->follows_shape || p % 4))) continue;
                Problem q{a->collective, p, rooted(a->collective) ? p / 2 : 0, {}, nullptr, shape};
                if (a->refuses && !a->refuses(q).empty()) continue;
                EXPECT_EQ(contradicted(*schedule(*a, q), p, block_count(a->collective, p)), "")
                    << name(a->collective) << " " << a->name << " p " << p;
            }
}

/// Random compositions of schedules of p ranks that move blocks 0..p-1.
class Composer {
public:
    explicit Composer(unsigned seed) : random_(seed) {}

    SchedulePtr compose(int p, int depth) {
        if (depth == 0) return base(p);
        const SchedulePtr inner = compose(p, depth - 1);
        switch (below(9)) {
        case 0: return reversed(inner, below(2) ? Op::copy : Op::reduce);
        case 1: return rotated(inner, p, below(2 * p), below(2) && !inner->traits().parts_together);
        case 2: return relabelled(inner, of_blocks(*inner), order(p));
        case 3: return wired(inner, below(2) ? Wire::per_run : Wire::packed);
        case 4: return with_a_second(inner, p, depth);
        case 5: return skipping(inner, [](int rank) { return BlockSet::single(rank); });
        case 6: return on_subset(inner, order(p), p);
        case 7:
            return inner->traits().parts * inner->traits().channels == 1 ? block_by_block(inner)
                                                                         : inner;
        default: return on_two_channels(inner, p);
        }
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    std::vector<int> order(int p) {
        std::vector<int> out;
        for (int r = 0; r < p; ++r) out.push_back(r);
        std::shuffle(out.begin(), out.end(), random_);
        return out;
    }
    SchedulePtr base(int p) {
        switch (below(5)) {
        case 0: return ring_allgather(p);
        case 1: return ring_reduce_scatter(p);
        case 2: return tree_scatter(knomial(p, 2 + below(3)), 0);
        case 3: return permuted(ring_allgather(p), positions(p), below(2) == 0);
        default: return all_to_all_at_once(p, [](int source, int) { return source; });
        }
    }
    /// A collective whose blocks follow the ranks, if the schedule permits.
    static Collective of_blocks(const Schedule& s) {
        return s.traits().parts_together ? Collective::allreduce : Collective::allgather;
    }
    std::vector<Block> positions(int p) {
        const std::vector<int> some = order(p);
        return {some.begin(), some.end()};
    }
    /// Adds a second member. Members that do not fit are refused, with both values, and the
    /// schedule stays the same.
    SchedulePtr with_a_second(const SchedulePtr& inner, int p, int depth) {
        const SchedulePtr other = compose(p, depth - 1);
        const Traits &a = inner->traits(), &b = other->traits();
        const bool fit = a.parts == b.parts && a.parts_together == b.parts_together &&
                         a.channels == b.channels && a.wire == b.wire &&
                         a.copies_in_flight == b.copies_in_flight &&
                         (a.layout == b.layout || (a.layout && b.layout && *a.layout == *b.layout));
        if (fit) return sequence({inner, other});
        EXPECT_THROW(sequence({inner, other}), Error);
        return inner;
    }
    SchedulePtr on_two_channels(const SchedulePtr& inner, int p) {
        if (inner->traits().parts > 1 || inner->traits().layout) {
            EXPECT_THROW(torus::on_channel(inner, p, 0, 2, false), Error);
            return inner;
        }
        const bool apart = below(2) == 0;
        const SchedulePtr other = rotated(inner, p, 1, true);
        return torus::at_once(
            {torus::on_channel(inner, p, 0, 2, apart), torus::on_channel(other, p, 1, 2, apart)});
    }

    std::mt19937 random_;
};

TEST(Traits, OfRandomCompositionsHold) {
    for (unsigned seed = 0; seed < 3000; ++seed) {
        Composer c(seed);
        const int p = 2 + static_cast<int>(seed % 8), depth = 1 + static_cast<int>(seed / 8 % 5);
        EXPECT_EQ(contradicted(*c.compose(p, depth), p, p), "") << "seed " << seed;
    }
}

/// A scatter in two parts, each down its own tree on its own channel.
SchedulePtr two_part_scatter(int p) {
    return torus::at_once({torus::on_channel(tree_scatter(knomial(p, 2), 0), p, 0, 2, false),
                           torus::on_channel(tree_scatter(knomial(p, 3), 0), p, 1, 2, false)});
}

SchedulePtr made;
std::string replayed(Collective c, SchedulePtr s, int p, int root) {
    made = std::move(s);
    Algorithm a{.collective = c, .name = "made here", .summary = "", .paper = "", .section = ""};
    a.make = [](const Problem&) { return made; };
    const Verdict v = check(a, {c, p, root, {}});
    return v.ok ? "right" : v.why;
}

TEST(Parts, KeepTheirBlocksWhenRanksAreRotated) {
    for (int p : {2, 3, 5, 8})
        for (int root = 0; root < p; ++root)
            EXPECT_EQ(
                replayed(Collective::scatter, rotated(two_part_scatter(p), p, root, true), p, root),
                "right")
                << p << " ranks, root " << root;
}

TEST(Parts, ThatDifferAreNoSequence) {
    try {
        sequence({two_part_scatter(4), ring_allgather(4)});
        FAIL() << "accepted";
    } catch (const Error& e) {
        EXPECT_STREQ(e.what(), "sequence: members have parts 2 and 1");
    }
}

TEST(Channels, OfTeamsSideBySideAreKept) {
    const SchedulePtr both = side_by_side(
        {{two_part_scatter(3), {0, 1, 2}, {}}, {two_part_scatter(3), {5, 4, 3}, {}}}, 6);
    EXPECT_EQ(both->traits().channels, 2);
    EXPECT_EQ(both->traits().parts, 2);
}

TEST(Wire, OfTeamsIsKept) {
    EXPECT_EQ(on_subset(per_run(ring_allgather(3)), {0, 2, 4}, 5)->traits().wire, Wire::per_run);
}

}  // namespace
