#include "mpi/state/learning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hopbine::mpi {

namespace {

std::string label(const Chosen& arm) {
    return arm.choice.algorithm ? select::text(arm.choice.algorithm->name, arm.choice.parameters)
                                : select::kLibrary;
}

/// Such as "12.3 us".
std::string microseconds(double seconds) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g us", seconds * 1e6);
    return text;
}

bool same(const Chosen& a, const Chosen& b) {
    return a.choice.algorithm == b.choice.algorithm && a.choice.parameters == b.choice.parameters &&
           a.numbering == b.numbering;
}

}  // namespace

Learning::Learning(Chosen guess, bool drained) : drained_(drained) {
    Chosen library;
    library.choice.why = guess.choice.why;
    arms_.push_back(std::move(library));
    if (!guess.choice.algorithm) return;
    guess_ = 1;
    arms_.push_back(std::move(guess));
}

void Learning::begin(std::vector<Chosen> candidates) {
    for (Chosen& c : candidates)
        if (std::ranges::none_of(arms_, [&](const Chosen& a) { return same(a, c); }))
            arms_.push_back(std::move(c));
    trials_.emplace(arms(), guess_, guess_seconds_, drained_);
    ++version_;
}

int Learning::turn(MPI_Comm comm) {
    if (!trials_) {
        ++calls_;
        return guess_;
    }
    if (trials_->agreement_due()) agree(comm);
    return trials_->turn();
}

void Learning::agree(MPI_Comm comm) {
    std::vector<double> slowest = trials_->report();
    PMPI_Allreduce(MPI_IN_PLACE, slowest.data(), static_cast<int>(slowest.size()), MPI_DOUBLE,
                   MPI_MAX, comm);
    const bool settled = trials_->settled();
    trials_->agree(slowest);
    if (settled == trials_->settled()) return;
    ++version_;
    if (settled) return;
    const int winner = trials_->winner();
    measured_ = "measured: " + microseconds(trials_->seconds(winner));
    for (int i = 0; i < arms(); ++i)
        if (i != winner && std::isfinite(trials_->seconds(i)))
            measured_ += "; " + label(arm(i)) + ' ' + microseconds(trials_->seconds(i));
}

void Learning::took(double seconds, MPI_Comm comm) {
    if (!trials_) {
        guess_seconds_ = seconds;
    } else if (trials_->drains()) {
        const double began = PMPI_Wtime();
        PMPI_Barrier(comm);
        trials_->took(seconds, PMPI_Wtime() - began);
    } else {
        trials_->took(seconds);
    }
}

std::string Learning::reason(int i) const {
    if (!trials_) return arm(i).choice.why;
    return trials_->settled() && i == trials_->winner() ? measured_ : "takes turns to be measured";
}

}  // namespace hopbine::mpi
