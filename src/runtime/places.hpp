/// Places of blocks in the memory of one rank, as a plan refers to them.
#pragma once
#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/plan.hpp"
#include "schedule/problem.hpp"

namespace hopbine::mpi {

struct Place {
    Space space;
    std::int64_t at;
};

/// Maps each block to its place on one rank.
class Places {
public:
    virtual ~Places() = default;
    virtual Place of(Block b) = 0;
    /// Called when all messages of a step are bound, with the blocks sent in it.
    virtual void left(const std::vector<Block>&) {}
    /// Whether a run of blocks is a run of places.
    virtual bool whole_runs() const { return false; }
};

class InVector : public Places {
public:
    Place of(Block b) override { return {Space::work, b}; }
    bool whole_runs() const override { return true; }
};

/// Gather and scatter on a rank other than the root: slots for blocks in transit, in block order.
/// Positions are those of parts, `parts` to a slot.
class Slots : public Places {
public:
    Slots(const BlockSet& held, int parts) : parts_(parts) {
        for (const Run& r : held.runs()) {
            runs_.push_back({r, slots_});
            slots_ += r.hi - r.lo;
        }
    }
    Place of(Block part) override {
        for (const auto& [run, slot] : runs_)
            if (part < run.hi * parts_)
                return {Space::temp, slot * parts_ + part - run.lo * parts_};
        return {Space::temp, -1};
    }
    std::int64_t slots() const { return slots_; }

private:
    int parts_;
    std::vector<std::pair<Run, std::int64_t>> runs_;
    std::int64_t slots_ = 0;
};

/// Blocks with one origin and one destination each.
///
/// - A block from this rank lies in the send buffer, a block for this rank in the receive buffer,
///   at the position of the rank at the other end.
/// - A block in transit lies in a slot, which is used again once the block has been sent.
class Passing : public Places {
public:
    Passing(const Problem& q, int rank) : q_(q), rank_(rank) {}
    Place of(Block b) override {
        const int from = origin(q_, b), to = destination(q_, b);
        if (to == rank_) return {Space::recv, from};
        if (from == rank_) return {Space::work, to};
        auto [it, fresh] = slot_.try_emplace(b, 0);
        if (fresh) {
            if (free_.empty())
                it->second = slots_++;
            else {
                it->second = free_.back();
                free_.pop_back();
            }
        }
        return {Space::temp, it->second};
    }
    void left(const std::vector<Block>& blocks) override {
        for (Block b : blocks) {
            const auto it = slot_.find(b);
            if (it == slot_.end()) continue;
            free_.push_back(it->second);
            slot_.erase(it);
        }
        std::sort(free_.rbegin(),
                  free_.rend());  // lowest slot first, so that adjacent blocks stay adjacent
    }
    std::int64_t slots() const { return slots_; }

private:
    const Problem& q_;
    int rank_;
    std::unordered_map<Block, std::int64_t> slot_;
    std::vector<std::int64_t> free_;
    std::int64_t slots_ = 0;
};

}  // namespace hopbine::mpi
