/// Host memory whose contents come from a device, and go back to it, while a plan runs.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/plan_memory.hpp"
#include "runtime/step_observer.hpp"

namespace hopbine::mpi {

/// Copies of a call's buffers that are on a device. Ranges that are in none of them are ignored.
class Mirror {
public:
    virtual ~Mirror() = default;
    /// Begins to copy a range from the device.
    virtual void fetch(const char* at, std::int64_t bytes) = 0;
    virtual void fetch_all() = 0;
    /// Waits until a range may be read and written.
    virtual void wait_for(const char* at, std::int64_t bytes) = 0;
    virtual void wait_for_all() = 0;
    /// The range holds a result, and does not change any more: begins to copy it to the device.
    /// Each byte once at most.
    virtual void store(const char* at, std::int64_t bytes) = 0;
    /// Lets what the device has for `from` arrive at `to`, another of the copies. False: it cannot,
    /// or does already arrive.
    virtual bool redirect(const char* from, char* to, std::int64_t bytes) = 0;
};

/// The step of a plan that is the last to write at each position of its working memory.
class LastWrites {
public:
    explicit LastWrites(const Steps& plan)
        : channels_(static_cast<std::uint32_t>(plan.channels.size())) {
        StepScratch scratch;
        each_step(plan, scratch, [&](const ObservedStep& step) {
            each_result(step.view, [&](const Piece& p) {
                std::vector<std::uint32_t>& last = of(p.space);
                const auto end = static_cast<std::size_t>(p.first + p.count);
                if (last.size() < end) last.resize(end, kNever);
                std::fill_n(last.begin() + p.first, p.count, number(step));
            });
        });
    }
    /// f(piece) for what a step, which has ended, was the last to write. Each position once.
    template <class F>
    void ended(const ObservedStep& step, const F& f) {
        each_result(step.view, [&](const Piece& p) {
            std::vector<std::uint32_t>& last = of(p.space);
            const auto is_last = [&](std::int64_t at) {
                return last[static_cast<std::size_t>(at)] == number(step);
            };
            for (std::int64_t at = p.first, end = p.first + p.count; at < end;) {
                const std::int64_t begin = at;
                for (; at < end && is_last(at); ++at) last[static_cast<std::size_t>(at)] = kNever;
                if (at > begin) f(Piece{p.space, begin, at - begin});
                if (at < end && !is_last(at)) ++at;
            }
        });
    }

private:
    static constexpr std::uint32_t kNever = ~std::uint32_t{0};
    /// The step among those of all channels.
    std::uint32_t number(const ObservedStep& step) const {
        return step.number * channels_ + step.channel;
    }
    std::vector<std::uint32_t>& of(Space space) { return last_[static_cast<std::size_t>(space)]; }
    /// f(piece) for every piece that is received, but not into slots, which hold no results.
    template <class F>
    static void each_result(const StepView& step, const F& f) {
        each_piece(step, [&](const Message& m, const Piece& p) {
            if (m.direction == Direction::recv && p.space != Space::temp) f(p);
        });
    }

    const std::uint32_t channels_;
    std::array<std::vector<std::uint32_t>, 2> last_;  ///< [space][position]
};

/// Each step waits for what it reads and writes. Results leave as they become final.
class MirroredSteps final : public StepObserver {
public:
    /// Begins copies from the device, those first that the first steps read or write. `results`:
    /// what the plan writes last is a result in its place; otherwise nothing leaves.
    MirroredSteps(const Steps& plan, const PlanMemory& memory, Mirror& mirror, bool results)
        : memory_(memory), mirror_(mirror) {
        StepScratch scratch;
        if (!memory.own)
            each_step(plan, scratch, [&](const ObservedStep& step) {
                each_range(step.view,
                           [&](const char* at, std::int64_t bytes) { mirror_.fetch(at, bytes); });
            });
        mirror_.fetch_all();
        if (results) writes_.emplace(plan);
    }

    int before(const ObservedStep& step) override {
        each_range(step.view,
                   [&](const char* at, std::int64_t bytes) { mirror_.wait_for(at, bytes); });
        if (memory_.own && step.number == 0)
            each_piece(step.view, [&](const Message&, const Piece& p) {
                mirror_.wait_for(memory_.in(memory_.own, p), bytes(p));
            });
        return 0;
    }
    int after(const ObservedStep& step) override {
        if (writes_)
            writes_->ended(step,
                           [&](const Piece& p) { mirror_.store(memory_.address(p), bytes(p)); });
        return 0;
    }

private:
    std::int64_t bytes(const Piece& p) const { return memory_.elements(p) * memory_.width; }
    /// f(address, bytes) for what the step reads and writes.
    template <class F>
    void each_range(const StepView& step, const F& f) const {
        each_piece(step, [&](const Message&, const Piece& p) { f(memory_.address(p), bytes(p)); });
    }

    const PlanMemory& memory_;
    Mirror& mirror_;
    std::optional<LastWrites> writes_;
};

}  // namespace hopbine::mpi
