// Broken schedules, which the check must refuse, with a message that says where.
#include "verify/check.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "combinators/combinators.hpp"

using namespace hopbine;

namespace {

using Tamper = std::function<void(int rank, int step, Step& moves)>;

/// A valid schedule with altered moves.
class Tampered : public Schedule {
public:
    Tampered(SchedulePtr inner, Tamper tamper)
        : Schedule({.channels = 2}), inner_(std::move(inner)), tamper_(std::move(tamper)) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        inner_->moves(rank, s, out);
        tamper_(rank, s, out);
    }

private:
    SchedulePtr inner_;
    Tamper tamper_;
};

Tamper tamper;
const Algorithm* good;
SchedulePtr make_tampered(const Problem& q) {
    return std::make_shared<Tampered>(good->make(q), tamper);
}

std::string verdict(Collective c, const char* algorithm, int p, Tamper how) {
    good = &algorithm_named(c, algorithm);
    tamper = std::move(how);
    Algorithm bad = *good;
    bad.make = make_tampered;
    const Verdict v = check(bad, {c, p, 0, {}});
    return v.ok ? "accepted" : v.why;
}

TEST(Check, AcceptsWhatIsLeftAlone) {
    EXPECT_EQ(verdict(Collective::allreduce, "ring", 5, [](int, int, Step&) {}), "accepted");
}

TEST(Check, RefusesASumThatCountsARankTwice) {
    const auto why = verdict(Collective::reduce, "bine_small", 3, [](int rank, int s, Step& m) {
        const BlockSet whole = BlockSet::range(0, 3);
        if (s == 0 && rank == 1) m.push_back({Direction::send, Op::reduce, 2, whole});
        if (s == 0 && rank == 2) m.push_back({Direction::recv, Op::reduce, 1, whole});
    });
    EXPECT_NE(why.find("counted twice"), std::string::npos) << why;
    EXPECT_NE(why.find("rank 0, block 0"), std::string::npos) << why;
}

TEST(Check, RefusesAMissingReceive) {
    const auto why = verdict(Collective::bcast, "bine_small", 4, [](int rank, int, Step& m) {
        if (rank == 2)
            std::erase_if(m, [](const Move& x) { return x.direction == Direction::recv; });
    });
    EXPECT_NE(why.find("sent but not awaited"), std::string::npos) << why;
    EXPECT_NE(why.find("to 2"), std::string::npos) << why;
}

TEST(Check, RefusesAMissingSend) {
    const auto why = verdict(Collective::bcast, "bine_small", 4, [](int rank, int, Step& m) {
        if (rank == 0)
            std::erase_if(m, [](const Move& x) { return x.direction == Direction::send; });
    });
    EXPECT_NE(why.find("awaited but not sent"), std::string::npos) << why;
}

TEST(Check, RefusesModesThatDisagree) {
    const auto why =
        verdict(Collective::allreduce, "recursive_doubling", 4, [](int rank, int, Step& m) {
            if (rank == 1 && !m.empty()) m[0].op = Op::copy;
        });
    EXPECT_NE(why.find("one side copies"), std::string::npos) << why;
}

TEST(Check, RefusesBlocksThatDisagree) {
    const auto why = verdict(Collective::allgather, "ring", 4, [](int rank, int s, Step& m) {
        if (rank == 0 && s == 1) m[0].blocks = BlockSet::single(0);
    });
    EXPECT_NE(why.find("sends blocks 0, awaits 3"), std::string::npos) << why;
}

TEST(Check, RefusesDataThatTheSenderDoesNotHave) {
    const auto why = verdict(Collective::allgather, "ring", 4, [](int rank, int s, Step& m) {
        if (s == 0)
            for (Move& x : m)
                x.blocks = BlockSet::single((x.direction == Direction::send ? rank : x.peer) ^ 1);
    });
    EXPECT_NE(why.find("before the sender has it"), std::string::npos) << why;
}

TEST(Check, RefusesOrderThatIsPromisedAndBroken) {
    good = &algorithm_named(Collective::allreduce, "bine_small");
    Algorithm boasting = *good;
    boasting.needs_commutative = false;
    const Verdict v = check(boasting, {Collective::allreduce, 8, 0, {}});
    EXPECT_NE(v.why.find("out of rank order"), std::string::npos) << v.why;
}

TEST(Check, SwingDoesNotKeepTheOrderOfRanks) {
    // Swing NSDI'24, Sec. 3.1.1: with contiguous data it "works with non-commutative reduction
    // operators". On 8 ranks rank 0 has the sum of 0 and 1 and receives that of 6 and
    // 7, with 2 to 5 between them.
    for (const char* name : {"swing", "swing_small"}) {
        Algorithm boasting = algorithm_named(Collective::allreduce, name);
        boasting.needs_commutative = false;
        const auto verdict_on = [&](int p) {
            return check(boasting, {Collective::allreduce, p, 0, {{"ports", 0}}});
        };
        EXPECT_NE(verdict_on(8).why.find("out of rank order"), std::string::npos);
    }
}

TEST(Check, RefusesClaimsThatAreNotMet) {
    Algorithm boasting = algorithm_named(Collective::alltoall, "pairwise");
    boasting.claim = [](const Problem& q) { return Claim{1, q.p}; };
    EXPECT_NE(check(boasting, {Collective::alltoall, 8, 0, {}}).why.find("claims 1 steps, takes 7"),
              std::string::npos);
    boasting.claim = [](const Problem& q) { return Claim{q.p - 1, 3}; };
    EXPECT_NE(check(boasting, {Collective::alltoall, 8, 0, {}})
                  .why.find("claims 3 blocks in all, sends 56"),
              std::string::npos);
}

TEST(Check, RefusesAPartThatTwoChannelsMove) {
    const auto why = verdict(Collective::allgather, "ring", 4, [](int rank, int s, Step& moves) {
        for (Move& m : moves) m.channel = static_cast<int>(m.blocks.runs().front().lo % 2);
        // Block 2 travels from rank 3 to rank 0 in step 1.
        for (Move& m : moves)
            if (s == 1 && rank == (m.direction == Direction::send ? 3 : 0) &&
                m.blocks == BlockSet::single(2))
                m.channel = 1;
    });
    EXPECT_EQ(why, "step 1, rank 3 to 0: part 2 is moved by channels 0 and 1");
    EXPECT_EQ(verdict(Collective::allgather, "ring", 4,
                      [](int, int, Step& moves) {
                          for (Move& m : moves)
                              m.channel = static_cast<int>(m.blocks.runs().front().lo % 2);
                      }),
              "accepted");
}

TEST(Check, RefusesChannelsThatAreNotThere) {
    for (const int channel : {-1, 2}) {
        const auto why = verdict(Collective::bcast, "linear", 2, [&](int, int, Step& moves) {
            for (Move& m : moves) m.channel = channel;
        });
        EXPECT_EQ(why, "step 0, rank 0 to 1: channel " + std::to_string(channel) + " outside 0-1");
    }
}

TEST(Check, SeesTheSameAbove64) {
    const auto why = verdict(Collective::reduce_scatter, "ring", 70, [](int rank, int s, Step& m) {
        if (s == 3 && rank == 5)
            std::erase_if(m, [](const Move& x) { return x.direction == Direction::send; });
        if (s == 3 && rank == 4)
            std::erase_if(m, [](const Move& x) { return x.direction == Direction::recv; });
    });
    EXPECT_NE(why.find("missing or counted twice"), std::string::npos) << why;
}

/// Leaves out the messages of one step.
Tamper without_step(int gone) {
    return [gone](int, int s, Step& m) {
        if (s == gone) m.clear();
    };
}

TEST(Check, RefusesABarrierThatARankLeavesEarly) {
    for (const int p : {5, 70})  // a step of a dissemination is missing, whichever
        for (int s = 0; s < (p == 5 ? 3 : 7); ++s) {
            const auto why = verdict(Collective::barrier, "dissemination", p, without_step(s));
            EXPECT_NE(why.find("leaves before it knows"), std::string::npos) << p << ' ' << why;
        }
    // The root of a tree tells its children before it has heard from all of them.
    const auto why = verdict(Collective::barrier, "bine", 4, without_step(1));
    EXPECT_NE(why.find("leaves before it knows"), std::string::npos) << why;
}

TEST(Check, RefusesABarrierWhoseSignalComesTooSoon) {
    // Ranks 0 and 1, 2 and 3 signal each other, then 0 and 2, 1 and 3. Rank 3 tells rank 1 in the
    // first step already, before it has heard from rank 2.
    const auto why =
        verdict(Collective::barrier, "recursive_doubling", 4, [](int rank, int s, Step& m) {
            const BlockSet signal = BlockSet::single(0);
            const auto early = [&](Direction way, int peer) {
                if (s == 0) m.push_back({way, Op::reduce, peer, signal});
                if (s == 1) std::erase_if(m, [&](const Move& x) { return x.direction == way; });
            };
            if (rank == 3) early(Direction::send, 1);
            if (rank == 1) early(Direction::recv, 3);
        });
    EXPECT_EQ(why,
              "at the end, rank 1, block 0: leaves before it knows that every rank has arrived");
}

TEST(Check, RefusesPrefixSumsOfOtherRanks) {
    for (const int p : {6, 70}) {
        const auto short_of = verdict(Collective::scan, "recursive_doubling", p, without_step(1));
        EXPECT_NE(short_of.find("missing or counted twice"), std::string::npos) << short_of;
        const auto none = verdict(Collective::exscan, "recursive_doubling", p, without_step(0));
        EXPECT_NE(none.find("sent before the sender has it"), std::string::npos) << none;
    }
    // Rank 0 of an exclusive sum has no result, whatever its buffer gets.
    const auto why =
        verdict(Collective::exscan, "recursive_doubling", 2, [](int rank, int, Step& m) {
            const BlockSet whole = BlockSet::range(0, 2);
            if (rank == 0) m.push_back({Direction::recv, Op::copy, 1, whole});
            if (rank == 1) m.push_back({Direction::send, Op::copy, 0, whole, 0, Source::own});
        });
    EXPECT_EQ(why, "at the end, rank 0, block 0: a result where there is none");
}

TEST(Check, RefusesPrefixSumsOutOfOrder) {
    // Rank 2 hears from rank 0 in the first step and from rank 1 in the second.
    const auto why =
        verdict(Collective::scan, "recursive_doubling", 3, [](int rank, int s, Step& m) {
            const BlockSet whole = BlockSet::range(0, 3);
            const int from = s == 0 ? 0 : 1;
            m.clear();
            if (s == 1 && rank == 0) m.push_back({Direction::send, Op::reduce, 1, whole});
            if (s == 1 && rank == 1) m.push_back({Direction::recv, Op::reduce, 0, whole});
            if (rank == from) m.push_back({Direction::send, Op::reduce, 2, whole});
            if (rank == 2) m.push_back({Direction::recv, Op::reduce, from, whole});
        });
    EXPECT_NE(why.find("combined out of rank order"), std::string::npos) << why;
}

TEST(Check, RefusesKeptValuesElsewhere) {
    const auto why =
        verdict(Collective::allreduce, "recursive_doubling", 2, [](int, int, Step& moves) {
            for (Move& m : moves) m.keeps = m.direction == Direction::recv;
        });
    EXPECT_NE(why.find("only prefix sums have"), std::string::npos) << why;
}

TEST(Limits, AreSaidInWords) {
    const auto message = [](auto&& f) -> std::string {
        try {
            f();
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    const Algorithm& a = algorithm_named(Collective::allreduce, "bine_large");
    EXPECT_NE(message([&] {
                  resolve(a, {Collective::allreduce, 4, 1, {}});
              }).find("allreduce has no root"),
              std::string::npos);
    EXPECT_NE(message([&] {
                  resolve(a, {Collective::allreduce, 4, 0, {{"k", 2}}});
              }).find("it has: segment"),
              std::string::npos);
    EXPECT_NE(message([&] { resolve(a, {Collective::allreduce, 0, 0, {}}); }).find("at least 1"),
              std::string::npos);
    EXPECT_NE(message([&] { algorithm_named(Collective::gather, "ring"); }).find("known: bine"),
              std::string::npos);
}

}  // namespace
