// The loop that runs plans, without MPI: over a network that delivers in any order, in mailboxes,
// and on data that arrives from a device meanwhile.
#include "runtime/run_plan.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <set>
#include <string>

#include "runtime/mailbox_transport.hpp"
#include "runtime/mirror.hpp"
#include "runtime/ranks.hpp"

namespace hopbine::mpi {
namespace {

/// f(algorithm, plans of its ranks) where all ranks work on one vector whose blocks are in order.
template <class F>
void each_algorithm(const F& f) {
    for (const Algorithm* a : algorithms()) {
        const Collective c = a->collective;
        if (c != Collective::bcast && c != Collective::reduce && c != Collective::allreduce &&
            c != Collective::allgather && c != Collective::reduce_scatter)
            continue;
        for (const std::vector<int>& shape :
             {std::vector{2}, {5}, {7}, {8}, {2, 4}, {4, 2}, {4, 4}, {3, 5}, {2, 3, 2}}) {
            const int p = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
            const Problem q{
                a->collective, p, 0, {}, nullptr, a->follows_shape ? shape : std::vector<int>{}};
            if (!fits(*a, p) || (a->refuses && !a->refuses(q).empty()) ||
                (shape.size() > 1 && !a->follows_shape))
                continue;
            const std::vector<Plan> plans = plans_of(*a, q);
            if (plans.front().steps().positions.empty()) f(*a, plans);
        }
    }
}

void expect_right(const Algorithm& a, const Vectors& vectors) {
    for (std::size_t r = 0; r < vectors.of.size(); ++r)
        EXPECT_TRUE(vectors.right(static_cast<int>(r)))
            << name(a.collective) << ' ' << a.name << " on " << vectors.of.size() << " ranks, rank "
            << r;
}

/// What a run keeps is right for the next one, of the same plan or of another, and of any size.
TEST(RunPlan, GivesTheRightAnswerAtAnyPace) {
    std::map<int, RunScratch> kept;  // by rank
    std::set<bool> channels;
    int tried = 0;
    each_algorithm([&](const Algorithm& a, const std::vector<Plan>& plans) {
        const int p = static_cast<int>(plans.size());
        for (unsigned seed = 0; seed < 4; ++seed) {
            Network network(p, seed);
            Vectors vectors(a.collective, plans, 1 + seed / 2, seed);
            const auto rank = [&](int r, Fiber& fiber) {
                NetworkTransport transport(network, r, fiber);
                RunScratch& scratch = kept[r];
                const PlanMemory memory = vectors.memory(r);
                EXPECT_EQ(PlanRunner(plans[static_cast<std::size_t>(r)], memory, {}, transport,
                                     Sums{}, scratch)
                              .run(),
                          0);
            };
            ASSERT_TRUE(run_ranks(p, rank, [&] { return network.deliver(); }))
                << a.name << " waits for ever";
            expect_right(a, vectors);
        }
        channels.insert(plans.front().steps().all_channels > 1);
        ++tried;
    });
    EXPECT_EQ(channels.size(), 2u);
    EXPECT_GT(tried, 200);
}

/// Values in mailboxes.
struct ValueBytes {
    std::int64_t bytes(std::int64_t n) const { return n * std::int64_t{sizeof(Value)}; }
    int write(const char* from, std::int64_t, char* to, std::int64_t bytes) const {
        std::memcpy(to, from, static_cast<std::size_t>(bytes));
        return 0;
    }
    int read(const char* from, std::int64_t bytes, char* to, std::int64_t n) const {
        std::memcpy(to, from, static_cast<std::size_t>(bytes));
        return bytes == this->bytes(n) ? 0 : 1;
    }
};

/// Mailboxes between all ranks.
class AllMailboxes {
public:
    explicit AllMailboxes(int p) {
        for (int r = 0; r < p; ++r) of.emplace_back(p);
        for (int a = 0; a < p; ++a)
            for (int b = 0; b < a; ++b) {
                Mailbox &up = add(), &down = add();
                of[static_cast<std::size_t>(a)].join(b, &down, &up);
                of[static_cast<std::size_t>(b)].join(a, &up, &down);
            }
    }
    std::deque<Mailboxes> of;  ///< [rank]

private:
    Mailbox& add() { return *memory_.emplace_back(std::make_unique<Mailbox>()); }
    std::vector<std::unique_ptr<Mailbox>> memory_;
};

/// Also several channels at once, whose messages share the mailbox of a pair of ranks. Long
/// messages fill it.
TEST(RunPlan, RunsInMailboxesOnAnyNumberOfChannels) {
    int with_channels = 0;
    each_algorithm([&](const Algorithm& a, const std::vector<Plan>& plans) {
        const int p = static_cast<int>(plans.size());
        const std::int64_t positions = p * plans.front().steps().parts;
        std::vector<int> ranks(static_cast<std::size_t>(p));
        std::iota(ranks.begin(), ranks.end(), 0);
        for (const std::int64_t values : {positions, Mailbox::kMostBytes / 8}) {
            AllMailboxes mailboxes(p);
            Vectors vectors(a.collective, plans, values / positions, 1);
            const auto rank = [&](int r, Fiber& fiber) {
                const Addresses at{ranks.data(), nullptr, 128, 0};
                RunScratch scratch;
                MailboxTransport transport(at, mailboxes.of[static_cast<std::size_t>(r)], fiber,
                                           ValueBytes{}, scratch.in_mailboxes);
                const PlanMemory memory = vectors.memory(r);
                EXPECT_EQ(PlanRunner(plans[static_cast<std::size_t>(r)], memory, {}, transport,
                                     Sums{}, scratch)
                              .run(),
                          0);
            };
            int rounds = 0;
            ASSERT_TRUE(run_ranks(p, rank, [&] { return ++rounds < 100'000; }))
                << a.name << " waits for ever";
            expect_right(a, vectors);
        }
        with_channels += plans.front().steps().channels.size() >= 4;
    });
    EXPECT_GT(with_channels, 20);
}

/// Copies of vectors on a device. A value is here once it was waited for, and on the device again
/// once it was stored.
class LateMirror final : public Mirror {
public:
    explicit LateMirror(std::vector<Value>& host)
        : host_(host), device_(host), here_(host.size()), left_(host.size()) {
        host_.assign(host_.size(), 0xdead);
    }
    void fetch(const char*, std::int64_t) override { ++fetches; }
    void fetch_all() override { ++fetches; }
    void wait_for(const char* at, std::int64_t bytes) override {
        each(at, bytes, [&](std::size_t i) {
            if (!here_[i]) host_[i] = device_[i];
            here_[i] = true;
        });
    }
    void wait_for_all() override { FAIL() << "waits for all data"; }
    void store(const char* at, std::int64_t bytes) override {
        each(at, bytes, [&](std::size_t i) {
            EXPECT_FALSE(left_[i]) << "twice";
            left_[i] = true;
            device_[i] = host_[i];
        });
    }
    bool redirect(const char*, char*, std::int64_t) override { return false; }
    std::ptrdiff_t here() const { return std::count(here_.begin(), here_.end(), true); }
    std::ptrdiff_t left() const { return std::count(left_.begin(), left_.end(), true); }
    const std::vector<Value>& device() const { return device_; }
    int fetches = 0;

private:
    template <class F>
    void each(const char* at, std::int64_t bytes, const F& f) {
        const auto first = reinterpret_cast<const Value*>(at) - host_.data();
        for (std::int64_t i = 0; i < bytes / std::int64_t{sizeof(Value)}; ++i)
            f(static_cast<std::size_t>(first + i));
    }
    std::vector<Value>& host_;
    std::vector<Value> device_;
    std::vector<bool> here_, left_;
};

/// How far the data has come when steps begin and end.
class Overlap final : public StepObserver {
public:
    explicit Overlap(const LateMirror& mirror) : mirror_(mirror) {}
    int in_flight(const ObservedStep&) override {
        if (arrived_at_first < 0) arrived_at_first = mirror_.here();
        left_before_last = mirror_.left();
        return 0;
    }
    std::ptrdiff_t arrived_at_first = -1, left_before_last = 0;

private:
    const LateMirror& mirror_;
};

/// The loop runs on data of a device: steps begin before all of it has arrived, and results leave
/// before the last step ends.
void expect_overlap(const char* algorithm, std::size_t channels) {
    const Algorithm& a = algorithm_named(Collective::allreduce, algorithm);
    const Problem q{a.collective, 16, 0, {}, nullptr, {4, 4}};
    const std::vector<Plan> plans = plans_of(a, q);
    ASSERT_EQ(plans.front().steps().channels.size(), channels) << algorithm;
    Network network(q.p, 3);
    Vectors vectors(a.collective, plans, 3, 5);
    const auto values = static_cast<std::ptrdiff_t>(vectors.of[0].size());
    const auto rank = [&](int r, Fiber& fiber) {
        NetworkTransport transport(network, r, fiber);
        RunScratch scratch;
        const PlanMemory memory = vectors.memory(r);
        LateMirror mirror(vectors.of[static_cast<std::size_t>(r)]);
        MirroredSteps steps(plans[static_cast<std::size_t>(r)].steps(), memory, mirror, true);
        Overlap overlap(mirror);
        PlanRunner(plans[static_cast<std::size_t>(r)], memory, {&steps, &overlap}, transport,
                   Sums{}, scratch)
            .run();
        EXPECT_GT(mirror.fetches, 1);
        EXPECT_GT(overlap.arrived_at_first, 0);
        EXPECT_LT(overlap.arrived_at_first, values) << "the first step waits for everything";
        EXPECT_GT(overlap.left_before_last, 0) << "nothing leaves before the last step";
        EXPECT_LT(overlap.left_before_last, values);
        vectors.of[static_cast<std::size_t>(r)] = mirror.device();
    };
    ASSERT_TRUE(run_ranks(q.p, rank, [&] { return network.deliver(); }));
    for (int r = 0; r < q.p; ++r) EXPECT_TRUE(vectors.right(r)) << algorithm << ", rank " << r;
}

TEST(RunPlan, DataArrivesAndLeavesBesideTheMessagesOfFourChannels) {
    expect_overlap("swing", 4);
    expect_overlap("bucket", 4);
    expect_overlap("ring", 1);
}

}  // namespace
}  // namespace hopbine::mpi
