/// Ranks with clocks of their own that make drawn calls, for tests of the choice.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "runtime/ranks.hpp"
#include "select/selector.hpp"

namespace hopbine::select {

/// What a call of a kind takes, in seconds.
using Seconds = std::function<double(int kind, int arm, std::int64_t call)>;

/// Kinds of 5 us to 640 us; arms 1 to 3 take these multiples of the library's time.
inline Seconds ratios(std::array<double, 3> of) {
    return [of](int kind, int arm, std::int64_t) {
        const double library = 5e-6 * std::pow(2.0, kind % 8);
        return arm == 0 ? library : library * of[static_cast<std::size_t>(arm - 1)];
    };
}

struct DrawnJob {
    int ranks = 3, kinds = 8;
    std::int64_t calls = 1000;  ///< of each kind, in turns
    double agreement = 1e-5;    ///< seconds of an agreement
    double counting = 1e-4, setup = 2e-5;
    double noise = 0.1;  ///< deviation of the logarithm of each call's time
    double rare = 0;     ///< part of the calls that take 20 times as long
    double skew = 0;     ///< ranks are late by up to this many calls
    bool leaves = false;
    /// If not 0: in no call rank 0, the root, waits for another, and the others, as the leaves of a
    /// reduce, take this part of the time.
    double ahead = 0;
    Belief untried = kUntried;  ///< about candidates, before any was tried
    double refused = 0;  ///< part of the timed calls that are refused on a rank, and made again
    unsigned seed = 1;
    Seconds seconds;
};

/// What the ranks made of it, those of rank 0 where they are not the same.
struct Played {
    double time = 0, library = 0;  ///< of the slowest rank, seconds; library: had it served all
    std::vector<std::vector<int>> arms;  ///< [rank] of all calls
    int agreements = 0;
    double worst_start = 0;  ///< least balance after planning, less what the agreement took
    bool stopped = false;
    double saved = 0, spent = 0;
};

/// Plays a job: a fiber for each rank, as threads would wait for one another most of their time.
class DrawnRanks {
public:
    explicit DrawnRanks(DrawnJob job)
        : job_(std::move(job)), clocks_(static_cast<std::size_t>(job_.ranks)) {
        out_.arms.resize(clocks_.size());
    }
    Played play() {
        EXPECT_TRUE(mpi::run_ranks(
            job_.ranks, [this](int rank, mpi::Fiber&) { run(rank); },
            [this] { return std::exchange(met_, false); }))
            << "ranks wait for others that are not to come";
        out_.time = *std::ranges::max_element(clocks_);
        return out_;
    }

private:
    struct RankPort : Port {
        DrawnRanks& all;
        std::size_t rank;
        RankPort(DrawnRanks& a, std::size_t r) : all(a), rank(r) {}
        void maxima(std::span<double> numbers) override {
            all.together(rank, all.job_.agreement);
            if (all.arrived_ == 0) all.most_.assign(numbers.size(), -1e300);
            for (std::size_t i = 0; i < numbers.size(); ++i)
                all.most_[i] = std::max(all.most_[i], numbers[i]);
            all.meet();
            std::ranges::copy(all.most_, numbers.begin());
        }
        void barrier() override { all.together(rank, all.job_.agreement); }
        double clock() override { return all.clocks_[rank]; }
    };
    struct ThreeOffers : Offers {
        DrawnRanks& all;
        std::size_t rank;
        std::vector<Collective> known;
        ThreeOffers(DrawnRanks& a, std::size_t r) : all(a), rank(r) {}
        bool ready(const KindKey& key) const override {
            return std::ranges::find(known, key.collective) != known.end();
        }
        std::vector<Offer> offers(const KindKey& key) override {
            if (!ready(key)) {
                known.push_back(key.collective);
                all.clocks_[rank] += all.job_.counting;
            }
            return {{.name = 1}, {.name = 2}, {.name = 3}};
        }
    };

    /// Waits until all ranks have come here.
    void meet() {
        const int before = meetings_;
        if (++arrived_ == job_.ranks) {
            ++meetings_;
            arrived_ = 0;
            met_ = true;
            last_ = *std::ranges::max_element(clocks_);
        }
        while (meetings_ == before) mpi::Fiber::current()->suspend();
    }
    /// All ranks go on together, so much after the last has come.
    void together(std::size_t rank, double seconds) {
        meet();
        clocks_[rank] = last_ + seconds;
    }

    void run(int r) {
        const auto rank = static_cast<std::size_t>(r);
        Account account;
        Selector selector(account, job_.agreement);
        RankPort port(*this, rank);
        ThreeOffers offers(*this, rank);
        std::mt19937_64 calls(job_.seed), own(job_.seed * 1000 + rank);
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> part;
        std::vector<Selector::Kind*> kinds;
        std::vector<std::array<bool, 4>> warm(static_cast<std::size_t>(job_.kinds));
        for (int k = 0; k < job_.kinds; ++k)
            kinds.push_back(&selector.kind({static_cast<Collective>(k % 4), k / 4, 0}, job_.leaves,
                                           job_.seconds(k, 0, 0) / job_.agreement, job_.untried));
        if (job_.seed % 2 == 1)
            for (Selector::Kind* const kind : kinds) Selector::time_few(*kind);
        for (std::int64_t n = 0; n < job_.calls; ++n)
            for (int k = 0; k < job_.kinds; ++k) {
                Selector::Kind& kind = *kinds[static_cast<std::size_t>(k)];
                // What a call takes once all have come: equal on all ranks.
                const double noise =
                    std::exp(job_.noise * normal(calls)) * (part(calls) < job_.rare ? 20 : 1);
                Selector::Turn turn{0, false};
                if (!kind.passes()) turn = selector.turn(kind, true);
                if (turn.timed && job_.refused > 0 && part(own) < job_.refused) {
                    if (turn.barrier) together(rank, job_.agreement);
                    selector.undo(kind);
                    turn = selector.turn(kind, true);
                }
                out_.arms[rank].push_back(turn.arm);
                double seconds = noise * job_.seconds(k, turn.arm, n);
                const double of_library = noise * job_.seconds(k, 0, n);
                bool& ran = warm[static_cast<std::size_t>(k)][static_cast<std::size_t>(turn.arm)];
                if (turn.arm != 0 && !ran) seconds += seconds + job_.setup;
                ran = true;
                clocks_[rank] += job_.skew * of_library * part(own);
                const double before = clocks_[rank];
                if (turn.barrier) together(rank, job_.agreement);
                const double came = clocks_[rank];
                if (turn.barrier) Selector::waited(kind, came - before);
                if (job_.ahead == 0)
                    together(rank, seconds);
                else
                    clocks_[rank] += rank == 0 ? seconds : job_.ahead * seconds;
                if (rank == 0) out_.library += of_library;
                if (!turn.timed) continue;
                selector.took(kind, clocks_[rank] - came, port);
                if (!selector.agreement_due()) continue;
                const double begun = clocks_[rank];
                selector.agree(port, offers);
                if (rank != 0) continue;
                ++out_.agreements;
                if (selector.reserved() > 0)
                    out_.worst_start =
                        std::min(out_.worst_start, account.balance() + clocks_[rank] - begun);
            }
        selector.settle_rest();
        if (rank != 0) return;
        out_.stopped = selector.stopped();
        out_.saved = account.saved();
        out_.spent = account.spent();
    }

    const DrawnJob job_;
    int arrived_ = 0, meetings_ = 0;
    bool met_ = false;  ///< since all were suspended last
    double last_ = 0;   ///< when the last rank came to the last meeting
    std::vector<double> clocks_, most_;
    Played out_;
};

}  // namespace hopbine::select
