// Every registered algorithm: its schedule computes its collective.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <random>
#include <set>

#include "verify/check.hpp"

using namespace hopbine;

namespace {

// Sanitizers and emulators are many times slower, so fewer p are tested, and of these fewer roots,
// shapes and values. `hopbine check` has the others without placements (scripts/test), and
// scripts/release-checks has all.
#if defined(__SANITIZE_ADDRESS__) || defined(HOPBINE_EMULATED)
constexpr bool kSlow = true;
#else
constexpr bool kSlow = false;
#endif

std::vector<int> roots(const Algorithm& a, int p) {
    if (!rooted(a.collective)) return {0};
    std::vector<int> all;
    for (int r = 0; r < p; ++r)
        if (p <= (kSlow ? 9 : 16) || r == p - 1 || (p < 512 && (r <= 1 || r == p / 2)))
            all.push_back(r);
    return all;
}

using Place = std::shared_ptr<const Placement>;

/// Placements for algorithms that follow them.
/// - none; one unit; one rank per unit; even and uneven units in order, cyclic, and scattered
/// - nodes of unequal size in groups of unequal size
///
/// Large p use only the last, since the replay costs p * p * steps.
std::vector<Place> placements(const Algorithm& a, int p) {
    if (!a.follows_placement) return {nullptr};
    std::mt19937 random(static_cast<unsigned>(p));
    std::vector<std::function<std::pair<int, int>(int)>> group_and_node = {
        [](int) { return std::pair(0, 0); },
        [](int r) { return std::pair(r, r); },
        [](int r) { return std::pair(0, r / 3); },
        [](int r) { return std::pair(r / 4, r); },
        [](int r) { return std::pair(r / 8, r / 2); },
        [p](int r) {
            return std::pair(r < p / 3   ? 0
                             : r < p - 2 ? 1
                                         : 2,
                             r < p / 3 ? r / 4 : 100 + r / 3 % 7 + (r < p - 2 ? 0 : 1000));
        },
        [](int r) { return std::pair(r % 3, r % 6); },
        [&random](int) {
            const int node = static_cast<int>(random() % 9);
            return std::pair(node / 2, node);
        },
        [&random](int) {
            const int node = static_cast<int>(random() % 64);
            return std::pair(node * node % 5, node);
        }};
    std::vector<Place> out = {nullptr};
    for (const auto& where : group_and_node) {
        Placement place;
        for (int r = 0; r < p; ++r) {
            const auto [group, node] = where(r);
            place.group.push_back(group);
            place.node.push_back(node);
        }
        out.push_back(std::make_shared<const Placement>(std::move(place)));
    }
    return p > 64 ? std::vector{out[6]} : out;
}

/// Shapes for algorithms that follow them. One dimension, and all ordered factorisations of p into
/// two and three factors. For larger p only a middle one of each kind.
std::vector<std::vector<int>> shapes(const Algorithm& a, int p) {
    if (!a.follows_shape) return {{}};
    std::vector<std::vector<int>> two, three;
    for (int x = 1; x <= p; ++x)
        if (p % x == 0) {
            two.push_back({x, p / x});
            for (int y = 2; y < p / x; ++y)
                if (p / x % y == 0) three.push_back({y, x, p / x / y});
        }
    std::vector<std::vector<int>> out = {{}};
    for (const auto& kind : {two, three}) {
        if (p <= (kSlow ? 9 : 20))
            out.insert(out.end(), kind.begin(), kind.end());
        else if (!kind.empty())
            out.push_back(kind[kind.size() / 2]);
    }
    return p <= 64 ? out : std::vector<std::vector<int>>{out.back()};
}

/// Default parameters, but few segments for many ranks. Blocks times segments times ranks are
/// replayed.
Parameters usual(const Algorithm& a, int p) {
    for (const Parameter& q : a.parameters)
        if (q.kind == Kind::segments && p > 16) return {{q.name, 2}};
    return {};
}

/// All values of parameters that change the schedule.
std::vector<Parameters> settings(const Algorithm& a, int p) {
    std::vector<Parameters> out = {usual(a, p)};
    if (p > (a.follows_placement && hopbine::pairs(a.collective) ? 32 : 64))
        return out;  // p * p blocks in ten placements
    std::vector<const char*> radices;
    for (const Parameter& q : a.parameters) {
        if (q.kind == Kind::bytes || (q.kind == Kind::segments && p > 16)) continue;
        const std::vector<std::int64_t> probes = q.probes();
        for (std::size_t i = 1; i < probes.size(); ++i) out.push_back({{q.name, probes[i]}});
        if (q.kind == Kind::radix) radices.push_back(q.name);
    }
    if (radices.size() > 1 && p <= 32)
        for (std::int64_t one : {2, 4})
            for (std::int64_t other : {2, 3, 7, 64})
                out.push_back({{radices[0], one}, {radices[1], other}});
    return out;
}

std::string text(const Place& place) {
    std::string out;
    if (place)
        for (std::size_t r = 0; r < place->group.size(); ++r)
            out += ' ' + std::to_string(place->group[r]) + ':' + std::to_string(place->node[r]);
    return out.empty() ? "" : " placed" + out;
}

bool refused(const Algorithm& a, Problem q) {
    if (q.shape.empty()) q.shape = {q.p};
    return a.refuses && !a.refuses(q).empty();
}

void prove(const Algorithm& a, int p) {
    if (!fits(a, p)) return;
    const std::vector<Place> places = placements(a, p);
    for (const Place& place : places)
        for (const Parameters& given : settings(a, p)) {
            // Beyond a few ranks every p and placement is tested with the defaults. Other values
            // are tested at some p, without a placement and with the nested uneven one.
            if (p > 24 && given != usual(a, p) && p % 8 && p % 9) continue;
            if (p > (kSlow ? 6 : 12) && given != usual(a, p) && place &&
                place != places[std::min<std::size_t>(6, places.size() - 1)])
                continue;
            for (const auto& shape : shapes(a, p))
                for (int root : roots(a, p)) {
                    if (refused(a, {a.collective, p, root, given, place, shape})) continue;
                    const Verdict v = check(a, {a.collective, p, root, given, place, shape});
                    ASSERT_TRUE(v.ok)
                        << name(a.collective) << ' ' << a.name << " p=" << p << " root=" << root
                        << text(place) << testing::PrintToString(shape) << ": " << v.why;
                }
        }
}

class Registry : public testing::TestWithParam<const Algorithm*> {};

TEST_P(Registry, IsRightForPTo64) {
    for (int p = 1; p <= 64; ++p)
        if (!kSlow || p <= 9 || p == 12 || p == 16 || p == 17) prove(*GetParam(), p);
}

/// Algorithms whose replay on a thousand ranks takes about a second. They have few steps, few
/// messages per rank, and whole blocks.
bool quick(const Algorithm* a) {
    const bool pairs = hopbine::pairs(a->collective), at_once = std::string(a->name) == "linear";
    return !pairs && !at_once && !a->follows_shape &&
           a->claim(resolve(*a, {a->collective, 1024, 0, {}})).steps <= 32;
}

TEST_P(Registry, IsRightForLargerP) {
    if (kSlow && quick(GetParam())) return;  // LogarithmicSteps has them, for a larger p still
    const bool pairs = hopbine::pairs(GetParam()->collective);
    for (int p : kSlow ? std::vector{127} : std::vector{96, 127, 128, 129}) prove(*GetParam(), p);
    for (int p : pairs || kSlow ? std::vector<int>{} : std::vector{255, 256, 257})
        prove(*GetParam(), p);
}

TEST_P(Registry, ParametersInBytesDivideVectorsOfKnownSize) {
    const Algorithm& a = *GetParam();
    for (const Parameter& q : a.parameters) {
        if (q.kind != Kind::bytes) continue;
        for (int p = 2; p <= 24; ++p) {
            if (kSlow && p > 12 && p % 8 > 1) continue;
            for (std::int64_t segment : {0, 1, 64, 256}) {
                const Problem of{a.collective, p, 0, {{q.name, segment}}, nullptr, {}, 200};
                const std::int64_t want = segment == 1 ? 256 : segment == 64 ? 4 : 1;
                EXPECT_EQ(schedule(a, of)->traits().parts, want) << "segment " << segment;
                if (p > 8 && segment == 1) continue;
                const Verdict v = check(a, of);
                EXPECT_TRUE(v.ok) << a.name << " p=" << p << ": " << v.why;
            }
        }
    }
}

/// What the runtime needs: blocks in transit lie whole in slots that all messages share. It refuses
/// those in parts, on the ports of a torus.
TEST_P(Registry, PairsMoveWholeBlocksOnOneChannel) {
    const Algorithm& a = *GetParam();
    if (!hopbine::pairs(a.collective)) return;
    for (const Parameters& given : settings(a, 8))
        for (const auto& shape : shapes(a, 8)) {
            const Problem q{a.collective, 8, 0, given, nullptr, shape};
            const bool in_parts = std::ranges::any_of(
                given, [](const auto& g) { return g.first == "ports" && g.second != 0; });
            if (!fits(a, 8) || refused(a, q) || in_parts) continue;
            EXPECT_EQ(schedule(a, q)->traits().parts, 1);
            EXPECT_EQ(schedule(a, q)->traits().channels, 1);
        }
}

TEST_P(Registry, ClaimsStepsAndBlocks) { EXPECT_NE(GetParam()->claim, nullptr); }

TEST_P(Registry, SaysWhereItComesFrom) {
    for (const char* text :
         {GetParam()->name, GetParam()->summary, GetParam()->paper, GetParam()->section})
        EXPECT_NE(*text, '\0');
}

std::string named(const testing::TestParamInfo<const Algorithm*>& info) {
    return std::string(name(info.param->collective)) + "_" + info.param->name;
}
INSTANTIATE_TEST_SUITE_P(All, Registry, testing::ValuesIn(algorithms()), named);

std::vector<const Algorithm*> quick_ones() {
    std::vector<const Algorithm*> out;
    std::ranges::copy_if(algorithms(), std::back_inserter(out), quick);
    return out;
}

class LogarithmicSteps : public testing::TestWithParam<const Algorithm*> {};
TEST_P(LogarithmicSteps, AreRightForManyRanks) {
    const int p = kSlow ? 300 : 1000;
    prove(*GetParam(),
          fits(*GetParam(), p) ? p : static_cast<int>(std::bit_ceil(static_cast<unsigned>(p))));
}
INSTANTIATE_TEST_SUITE_P(All, LogarithmicSteps, testing::ValuesIn(quick_ones()), named);

TEST(Registry, NamesAreUnique) {
    std::set<std::string> seen;
    for (const Algorithm* a : algorithms())
        EXPECT_TRUE(seen.insert(std::string(name(a->collective)) + a->name).second) << a->name;
}

TEST(Registry,
     DualsAreOfAlgorithmsThatHaveNone) {  // they would be completed in no particular order
    for (const Algorithm* a : algorithms())
        if (a->dual) {
            EXPECT_EQ(a->dual->original->dual, nullptr) << name(a->collective) << ' ' << a->name;
            EXPECT_EQ(find(a->dual->original->collective, a->dual->original->name),
                      a->dual->original);
        }
}

TEST(Registry, BineServesEveryCollectiveOfThePaper) {
    for (Collective c :
         {Collective::bcast, Collective::reduce, Collective::allreduce, Collective::reduce_scatter,
          Collective::scatter, Collective::gather, Collective::allgather, Collective::alltoall}) {
        bool any_p = false;
        for (const Algorithm* a : algorithms())
            any_p |= a->collective == c && std::string(a->name).starts_with("bine") &&
                     a->ranks == Ranks::any;
        EXPECT_TRUE(any_p) << name(c);
    }
}

}  // namespace
