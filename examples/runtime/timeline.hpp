/// A step observer that draws a timeline: when each step of a rank's channels began and ended.
#pragma once
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "runtime/step_observer.hpp"

namespace hopbine::mpi {

/// A line for each channel: the number of the step that is under way at each tick.
class Timeline final : public StepObserver {
public:
    /// `now`: returns the number of ticks that have passed.
    Timeline(std::size_t channels, std::function<int()> now)
        : lines_(channels), now_(std::move(now)) {}
    int before(const ObservedStep& step) override {
        lines_[step.channel].resize(static_cast<std::size_t>(now_()), '.');
        return 0;
    }
    int after(const ObservedStep& step) override {
        lines_[step.channel].resize(static_cast<std::size_t>(now_()),
                                    static_cast<char>('0' + step.number % 10));
        return 0;
    }
    /// Prints the lines, whose ticks end at `end`.
    void draw(int rank, int end) {
        for (std::size_t c = 0; c < lines_.size(); ++c) {
            lines_[c].resize(static_cast<std::size_t>(end), '.');
            std::printf("rank %d, channel %zu |%s|\n", rank, c, lines_[c].c_str());
        }
    }

private:
    std::vector<std::string> lines_;
    std::function<int()> now_;
};

}  // namespace hopbine::mpi
