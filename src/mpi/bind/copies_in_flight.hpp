/// Copies between a user's buffer and a permuted working buffer, made while messages are in flight
/// (Bine SC'25, App. B). Plan::block_at tells which block lies at a position.
#pragma once
#include <algorithm>
#include <vector>

#include "mpi/execute/buffers.hpp"
#include "mpi/execute/try.hpp"

namespace hopbine::mpi {

/// Copies what arrived in a step out of the working buffer while the messages of the next step are
/// in flight. `copy(block)` copies one block.
template <class Copy>
class CopiesOut : public Copies {
public:
    CopiesOut(const Plan& plan, std::vector<Piece>& arrived, Copy copy)
        : plan_(plan), arrived_(arrived), copy_(copy) {
        arrived_.clear();
    }
    int before(const StepView&) override { return MPI_SUCCESS; }
    int in_flight(const StepView& step) override {
        HOPBINE_TRY(rest());
        for (const Message* m = step.begin; m != step.end; ++m)
            if (m->direction == Direction::recv)
                arrived_.insert(arrived_.end(), step.pieces + m->begin, step.pieces + m->end);
        return MPI_SUCCESS;
    }
    /// Copies what arrived last.
    int rest() {
        for (const Piece& p : arrived_)
            for (std::int64_t at = p.first; at < p.first + p.count; ++at)
                HOPBINE_TRY(copy_(plan_.block_at[static_cast<std::size_t>(at)]));
        arrived_.clear();
        return MPI_SUCCESS;
    }

private:
    const Plan& plan_;
    std::vector<Piece>& arrived_;
    Copy copy_;
};

/// Copies into the working buffer what the first step sends, then all other blocks while its
/// messages are in flight. What arrives is added to them later. `copy(wanted)` copies the blocks at
/// the positions for which `wanted` says so.
template <class Copy>
class CopiesIn : public Copies {
public:
    CopiesIn(const Plan& plan, std::vector<bool>& copied, Copy copy)
        : plan_(plan), copied_(copied), copy_(copy) {}
    int before(const StepView& step) override {
        if (begun_) return MPI_SUCCESS;
        copied_.assign(plan_.positions.size(), false);
        for (const Message* m = step.begin; m != step.end; ++m)
            for (std::uint32_t i = m->begin; m->direction == Direction::send && i < m->end; ++i)
                std::fill_n(copied_.begin() + step.pieces[i].first, step.pieces[i].count, true);
        return copy_([this](std::int64_t at) { return copied_[static_cast<std::size_t>(at)]; });
    }
    int in_flight(const StepView&) override {
        if (begun_) return MPI_SUCCESS;
        begun_ = true;
        return copy_([this](std::int64_t at) { return !copied_[static_cast<std::size_t>(at)]; });
    }
    /// Copies all blocks if there was no step.
    int rest() {
        return begun_ ? MPI_SUCCESS : copy_([](std::int64_t) { return true; });
    }

private:
    const Plan& plan_;
    std::vector<bool>& copied_;
    Copy copy_;
    bool begun_ = false;
};

}  // namespace hopbine::mpi
