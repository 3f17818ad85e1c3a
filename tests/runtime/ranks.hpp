/// All ranks of a communicator in one process, each in a fiber, and a network between them.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "runtime/fiber.hpp"
#include "runtime/run_plan.hpp"

namespace hopbine::mpi {

using Value = std::uint64_t;

/// Messages of values. The next one to be delivered is drawn. It has the values that the sender has
/// at delivery: the latest time at which MPI may read them.
class Network {
public:
    Network(int ranks, unsigned seed) : completed_(static_cast<std::size_t>(ranks)), draw_(seed) {}

    void send(int from, int to, int channel, MessageUse use, const char* at, std::int64_t n) {
        links_[{from, to, channel}].sent.push_back({use, const_cast<char*>(at), n});
    }
    void receive(int from, int to, int channel, MessageUse use, char* at, std::int64_t n) {
        links_[{from, to, channel}].awaited.push_back({use, at, n});
    }
    /// The messages of a rank that have completed since it asked last.
    std::vector<std::pair<MessageUse, int>> completed(int rank) {
        return std::exchange(completed_[static_cast<std::size_t>(rank)], {});
    }
    /// Delivers a message. False: none is sent and awaited.
    bool deliver() {
        std::vector<Links::iterator> ready;
        for (auto l = links_.begin(); l != links_.end(); ++l)
            if (!l->second.sent.empty() && !l->second.awaited.empty()) ready.push_back(l);
        if (ready.empty()) return false;
        auto& [ends, link] = *ready[draw_() % ready.size()];
        const End out = link.sent.front(), in = link.awaited.front();
        link.sent.pop_front();
        link.awaited.pop_front();
        const int error = out.n == in.n ? 0 : 1;
        std::copy_n(out.at, std::min(out.n, in.n) * std::int64_t{sizeof(Value)}, in.at);
        completed_[static_cast<std::size_t>(ends[0])].emplace_back(out.use, error);
        completed_[static_cast<std::size_t>(ends[1])].emplace_back(in.use, error);
        return true;
    }

private:
    struct End {
        MessageUse use;
        char* at;
        std::int64_t n;
    };
    struct Link {
        std::deque<End> sent, awaited;
    };
    using Links = std::map<std::array<int, 3>, Link>;  // from, to, channel
    Links links_;
    std::vector<std::vector<std::pair<MessageUse, int>>> completed_;  ///< by rank
    std::mt19937 draw_;
};

/// The messages of one rank.
class NetworkTransport {
public:
    static constexpr bool kCalls = false;
    NetworkTransport(Network& network, int rank, Fiber& fiber)
        : network_(network), rank_(rank), fiber_(fiber) {}
    Begun begin_send(MessageUse use, const Message& m, int channel, const char* from,
                     std::int64_t n) {
        network_.send(rank_, m.peer, channel, use, from, n);
        return {1, 0};
    }
    Begun begin_receive(MessageUse use, const Message& m, int channel, char* to, std::int64_t n) {
        network_.receive(m.peer, rank_, channel, use, to, n);
        return {1, 0};
    }
    template <class Done>
    void wait(Needed, const Done& done) {
        for (;; fiber_.suspend()) {
            const auto all = network_.completed(rank_);
            for (const auto& [use, error] : all) done(use, error);
            if (!all.empty()) return;
        }
    }

private:
    Network& network_;
    const int rank_;
    Fiber& fiber_;
};

/// Sums of values in host memory.
struct Sums {
    static constexpr bool kDevice = false;
    int copy(char* to, const char* from, std::int64_t n) const {
        std::copy_n(from, n * std::int64_t{sizeof(Value)}, to);
        return 0;
    }
    int add(char* from, char* to, std::int64_t n, bool) const {
        for (std::int64_t i = 0; i < n; ++i)
            reinterpret_cast<Value*>(to)[i] += reinterpret_cast<const Value*>(from)[i];
        return 0;
    }
    int settle() const { return 0; }
};

/// Runs rank(r, its fiber) for all ranks together. `idle` is called when all of them are suspended.
/// False: it returned false, for nothing will change any more.
inline bool run_ranks(int ranks, const std::function<void(int, Fiber&)>& rank,
                      const std::function<bool()>& idle) {
    struct One {
        const std::function<void(int, Fiber&)>* body;
        int rank;
        Fiber fiber;
        bool ended = false;
    };
    std::vector<std::unique_ptr<One>> all;
    for (int r = 0; r < ranks; ++r) {
        One& one = *all.emplace_back(std::make_unique<One>());
        one.body = &rank;
        one.rank = r;
        one.fiber.begin(
            [](void* a) {
                One& self = *static_cast<One*>(a);
                (*self.body)(self.rank, self.fiber);
            },
            &one);
    }
    for (;;) {
        bool over = true;
        for (const auto& one : all) {
            if (!one->ended) one->ended = one->fiber.resume();
            over &= one->ended;
        }
        if (over) return true;
        if (!idle()) return false;
    }
}

/// The plans of all ranks.
inline std::vector<Plan> plans_of(const Algorithm& a, const Problem& given) {
    const Problem q = resolve(a, given);
    const SchedulePtr s = a.make(q);
    std::vector<Plan> out;
    for (int r = 0; r < q.p; ++r) out.push_back(make_plan(a, q, *s, r, false));
    return out;
}

/// Vectors of all ranks, of `width` values in each position, and what the collective makes of them.
class Vectors {
public:
    Vectors(Collective c, const std::vector<Plan>& plans, std::int64_t width, unsigned seed)
        : collective_(c),
          parts_(plans.front().steps().parts),
          p_(static_cast<std::int64_t>(plans.size())),
          width_(width),
          wanted_(static_cast<std::size_t>(p_ * parts_ * width)) {
        std::mt19937_64 draw(seed);
        for (std::int64_t r = 0; r < p_; ++r) {
            std::vector<Value>& mine = of.emplace_back(wanted_.size());
            for (std::size_t i = 0; i < mine.size(); ++i)
                if (reduces(c) || (c == Collective::bcast ? 0 : block(i)) == r)
                    wanted_[i] += mine[i] = draw();
        }
    }
    PlanMemory memory(int rank) {
        PlanMemory out;
        out.base[0] = reinterpret_cast<char*>(of[static_cast<std::size_t>(rank)].data());
        out.layout.block = width_;
        out.width = sizeof(Value);
        return out;
    }
    /// Whether a rank has its result.
    bool right(int rank) const {
        const std::vector<Value>& mine = of[static_cast<std::size_t>(rank)];
        for (std::size_t i = 0; i < mine.size(); ++i) {
            if ((collective_ == Collective::reduce_scatter && block(i) != rank) ||
                (collective_ == Collective::reduce && rank != 0))
                continue;
            if (mine[i] != wanted_[i]) return false;
        }
        return true;
    }
    std::vector<std::vector<Value>> of;  ///< [rank]

private:
    std::int64_t block(std::size_t i) const {
        return static_cast<std::int64_t>(i) / (parts_ * width_);
    }
    Collective collective_;
    std::int64_t parts_, p_, width_;
    std::vector<Value> wanted_;
};

}  // namespace hopbine::mpi
