/// What ranks copy between the user's order of blocks and that of a permuted schedule.
#pragma once
#include <utility>
#include <vector>

#include "simulation/hosts.hpp"
#include "simulation/program.hpp"

namespace hopbine::simulation {

/// A rank copies its vector once a call, block by block (Bine SC'25, Sec. 4.3.1), all at one end;
/// or in flight (App. B): before the first step it copies what it sends there, and the rest beside
/// that step; or what has arrived beside the next step. Times are seconds of one rank's processor.
class Permuting {
public:
    /// `bytes` of the vector; `first`: the messages of the first step.
    Permuting(const Program& p, const MessageCosts& costs, double bytes, const Messages& first);
    /// Before the first step.
    double before(int rank) const;
    /// A message has arrived.
    void received(int rank, double bytes) {
        if (later_) waiting_[static_cast<std::size_t>(rank)] += all_ * bytes / bytes_;
    }
    /// Beside the step that begins now. What is told is not told again.
    double beside(int rank) { return in_flight_ ? take(rank) : 0; }
    /// After the last step.
    double after(int rank) { return in_flight_ ? take(rank) : at_the_end_; }
    /// Between a call and the next one.
    double between(int rank) {
        const double out = after(rank) + before(rank);
        if (in_flight_)
            waiting_[static_cast<std::size_t>(rank)] = rest_[static_cast<std::size_t>(rank)];
        return out;
    }

private:
    double take(int rank) { return std::exchange(waiting_[static_cast<std::size_t>(rank)], 0); }

    double bytes_, all_;  ///< `all_`: seconds of the whole vector
    double at_the_end_ = 0;
    bool in_flight_ = false, later_ = false;  ///< `later_`: in flight, after each step
    std::vector<double> before_;              ///< by rank
    std::vector<double> rest_;                ///< by rank, in flight: beside the first step
    std::vector<double> waiting_;             ///< by rank, in flight: beside the next one
};

}  // namespace hopbine::simulation
