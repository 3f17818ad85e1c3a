/// Copies between a user's buffer and a permuted working buffer, made while messages are in flight
/// (Bine SC'25, App. B). Steps::block_at tells which block lies at a position.
#pragma once
#include <algorithm>
#include <vector>

#include "runtime/step_observer.hpp"

namespace hopbine::mpi {

/// Copies what arrived in a step out of the working buffer while the messages of the next step are
/// in flight. `copy(block)` copies one block, and returns an MPI error code.
template <class Copy>
class CopiesOut final : public StepObserver {
public:
    CopiesOut(const Steps& plan, std::vector<Piece>& arrived, Copy copy)
        : plan_(plan), arrived_(arrived), copy_(copy) {
        arrived_.clear();
    }
    int in_flight(const ObservedStep&) override { return rest(); }
    int after(const ObservedStep& step) override {
        each_piece(step.view, [&](const Message& m, const Piece& p) {
            if (m.direction == Direction::recv) arrived_.push_back(p);
        });
        return 0;
    }
    /// Copies what arrived last.
    int rest() {
        int error = 0;
        for (const Piece& p : arrived_)
            for (std::int64_t at = p.first; at < p.first + p.count && error == 0; ++at)
                error = copy_(plan_.block_at[static_cast<std::size_t>(at)]);
        arrived_.clear();
        return error;
    }

private:
    const Steps& plan_;
    std::vector<Piece>& arrived_;
    Copy copy_;
};

/// Copies into the working buffer what the first step sends, then all other blocks while its
/// messages are in flight. What arrives is added to them later. `copy(wanted)` copies the blocks at
/// the positions for which `wanted` says so, and returns an MPI error code.
template <class Copy>
class CopiesIn final : public StepObserver {
public:
    CopiesIn(const Steps& plan, std::vector<bool>& copied, Copy copy)
        : plan_(plan), copied_(copied), copy_(copy) {}
    int before(const ObservedStep& step) override {
        if (begun_) return 0;
        copied_.assign(plan_.positions.size(), false);
        each_piece(step.view, [&](const Message& m, const Piece& p) {
            if (m.direction == Direction::send)
                std::fill_n(copied_.begin() + p.first, p.count, true);
        });
        return copy_([this](std::int64_t at) { return copied_[static_cast<std::size_t>(at)]; });
    }
    int in_flight(const ObservedStep&) override {
        if (begun_) return 0;
        begun_ = true;
        return copy_([this](std::int64_t at) { return !copied_[static_cast<std::size_t>(at)]; });
    }
    /// Copies all blocks if there was no step.
    int rest() {
        return begun_ ? 0 : copy_([](std::int64_t) { return true; });
    }

private:
    const Steps& plan_;
    std::vector<bool>& copied_;
    Copy copy_;
    bool begun_ = false;
};

}  // namespace hopbine::mpi
