// One property over everything that is registered: the schedule computes its collective.
#include <gtest/gtest.h>

#include <set>

#include "core/check.hpp"

using namespace hopbine;

namespace {

std::vector<int> roots(const Algorithm& a, int p) {
    if (!rooted(a.collective)) return {0};
    std::vector<int> all;
    for (int r = 0; r < p; ++r)
        if (p <= 16 || r == p - 1 || (p < 512 && (r <= 1 || r == p / 2))) all.push_back(r);
    return all;
}

void prove(const Algorithm& a, int p) {
    if (!fits(a, p)) return;
    for (int root : roots(a, p)) {
        const Verdict v = check(a, {a.collective, p, root, {}});
        ASSERT_TRUE(v.ok) << name(a.collective) << ' ' << a.name << " p=" << p << " root=" << root << ": " << v.why;
    }
}

class Registry : public testing::TestWithParam<const Algorithm*> {};

TEST_P(Registry, IsRightForEveryPTo64) {
    for (int p = 1; p <= 64; ++p) prove(*GetParam(), p);
}

TEST_P(Registry, IsRightForLargerP) {
    const bool pairs = GetParam()->collective == Collective::alltoall;  // p * p blocks
    for (int p : {96, 127, 128, 129}) prove(*GetParam(), p);
    if (!pairs)
        for (int p : {255, 256, 257}) prove(*GetParam(), p);
}

TEST_P(Registry, ClaimsStepsAndBlocks) { EXPECT_NE(GetParam()->claim, nullptr); }

TEST_P(Registry, SaysWhereItComesFrom) {
    for (const char* text : {GetParam()->name, GetParam()->summary, GetParam()->paper, GetParam()->section}) EXPECT_NE(*text, '\0');
}

std::string named(const testing::TestParamInfo<const Algorithm*>& info) {
    return std::string(name(info.param->collective)) + "_" + info.param->name;
}
INSTANTIATE_TEST_SUITE_P(All, Registry, testing::ValuesIn(algorithms()), named);

/// Those whose replay on a thousand ranks takes a second or so: a few steps with a few messages per rank.
std::vector<const Algorithm*> quick() {
    std::vector<const Algorithm*> out;
    for (const Algorithm* a : algorithms()) {
        const bool pairs = a->collective == Collective::alltoall, at_once = std::string(a->name) == "linear";
        if (!pairs && !at_once && a->claim(resolve(*a, {a->collective, 1024, 0, {}})).steps <= 32) out.push_back(a);
    }
    return out;
}

class LogarithmicSteps : public testing::TestWithParam<const Algorithm*> {};
TEST_P(LogarithmicSteps, AreRightForAThousandRanks) { prove(*GetParam(), fits(*GetParam(), 1000) ? 1000 : 1024); }
INSTANTIATE_TEST_SUITE_P(All, LogarithmicSteps, testing::ValuesIn(quick()), named);

TEST(Registry, NamesAreUnique) {
    std::set<std::string> seen;
    for (const Algorithm* a : algorithms()) EXPECT_TRUE(seen.insert(std::string(name(a->collective)) + a->name).second) << a->name;
}

TEST(Registry, BineServesEveryCollectiveOfThePaper) {
    for (Collective c : {Collective::bcast, Collective::reduce, Collective::allreduce, Collective::reduce_scatter, Collective::scatter,
                         Collective::gather, Collective::allgather, Collective::alltoall}) {
        bool any_p = false;
        for (const Algorithm* a : algorithms()) any_p |= a->collective == c && std::string(a->name).starts_with("bine") && a->ranks == Ranks::any;
        EXPECT_TRUE(any_p) << name(c);
    }
}

}  // namespace
