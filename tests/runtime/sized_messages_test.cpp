// Messages of blocks whose sizes only origin and destination know: both ends of each come to the
// same lengths by themselves.
#include "runtime/sized_messages.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "runtime/tag_spaces.hpp"

using namespace hopbine;
using namespace hopbine::mpi;

namespace {

/// The blocks of a buffer of plain bytes.
struct PlainBlocks {
    struct Type {
        bool plain = true;
    };
    std::vector<std::int64_t> sizes;
    std::int64_t bytes(int b) const { return sizes[static_cast<std::size_t>(b)]; }
    Type type() const { return {}; }
};

/// A rank of an alltoallv in which rank i sends sizes[i][j] bytes to rank j.
struct Rank {
    Rank(Plan made, const std::vector<std::vector<std::int64_t>>& sizes) : plan(std::move(made)) {
        const auto me = static_cast<std::size_t>(plan.rank);
        send.sizes = sizes[me];
        for (const auto& row : sizes) recv.sizes.push_back(row[me]);
        recalled.lengths.resize(plan.sized().messages.size());
    }
    SizedMessages<PlainBlocks> messages() { return {plan, send, recv, transit, recalled}; }
    Plan plan;
    PlainBlocks send, recv;
    TransitBuffer transit;
    Recalled recalled;
};

/// An end of a message.
struct End {
    Rank* rank;
    const SizedMessage* message;
};

/// The messages between each two ranks, in their order: what is sent, and what is received.
std::map<std::pair<int, int>, std::pair<std::vector<End>, std::vector<End>>> links(
    std::vector<Rank>& all) {
    std::map<std::pair<int, int>, std::pair<std::vector<End>, std::vector<End>>> out;
    for (Rank& r : all)
        for (const SizedMessage& l : r.plan.sized().messages)
            if (l.direction == Direction::send)
                out[{r.plan.rank, l.peer}].first.push_back({&r, &l});
            else
                out[{l.peer, r.plan.rank}].second.push_back({&r, &l});
    return out;
}

void expect_same_ends(const Algorithm& a, int p, std::mt19937& random) {
    const Problem q = resolve(a, {a.collective, p, 0});
    const SchedulePtr s = a.make(q);
    if (s->traits().parts > 1 || s->traits().wire == Wire::per_run) return;
    std::vector<std::vector<std::int64_t>> sizes(static_cast<std::size_t>(p));
    for (auto& row : sizes)
        for (int j = 0; j < p; ++j) row.push_back(random() % 3 ? random() % 20000 : 0);
    std::vector<Rank> all;
    all.reserve(sizes.size());
    for (int r = 0; r < p; ++r) all.emplace_back(make_plan(a, q, *s, r, true), sizes);
    const bool fixed = random() % 2;
    for (const auto& [ends, link] : links(all)) {
        const auto& [sent, received] = link;
        ASSERT_EQ(sent.size(), received.size()) << a.name << ' ' << p;
        for (std::size_t i = 0; i < sent.size(); ++i) {
            const std::int64_t length = random() % 30000;
            for (const End& end : {sent[i], received[i]}) {
                end.rank->recalled.fixed = fixed;
                end.rank->messages().length(*end.message) = length;
            }
            SizedMessages from = sent[i].rank->messages(), to = received[i].rank->messages();
            const SizedMessage &out = *sent[i].message, &in = *received[i].message;
            from.largest = to.largest = 20000;
            EXPECT_EQ(from.blocks(out), to.blocks(in));
            EXPECT_EQ(from.known(out), to.known(in));
            EXPECT_EQ(from.direct(out), to.direct(in));
            EXPECT_EQ(from.nothing(out), to.nothing(in)) << a.name << ' ' << p;
            EXPECT_EQ(from.most_header(out), to.most_header(in));
            EXPECT_EQ(from.room(out), to.room(in)) << a.name << ' ' << p;
            if (fixed && !from.known(out)) {
                EXPECT_EQ(from.room(out), length);
            }
        }
    }
}

TEST(SizedMessages, BothEndsKnowTheSame) {
    std::mt19937 random(11);
    int tried = 0;
    for (const Algorithm* a : algorithms())
        for (int p = 2; a->collective == Collective::alltoallv && p <= 9; ++p)
            if (fits(*a, p)) {
                expect_same_ends(*a, p, random);
                ++tried;
            }
    EXPECT_GT(tried, 30);
}

TEST(TagSpaces, TakesTheLowestFreeOnes) {
    TagSpaces all(8);
    EXPECT_EQ(all.take(1), 0);
    EXPECT_EQ(all.take(3), 1);
    EXPECT_EQ(all.take(2), 4);
    all.give_back(1, 3);
    EXPECT_EQ(all.take(4), TagSpaces::kNone);
    EXPECT_EQ(all.take(2), 1);
    EXPECT_EQ(all.take(2), 6);
    EXPECT_EQ(all.take(1), 3);
    EXPECT_EQ(all.take(1), TagSpaces::kNone);
    all.give_back(0, 1);
    EXPECT_EQ(all.take(1), 0);
}

}  // namespace
