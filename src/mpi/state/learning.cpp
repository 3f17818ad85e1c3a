#include "mpi/state/learning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <set>

namespace hopbine::mpi {

namespace {

std::string label(const Chosen& arm) {
    return arm.choice.algorithm ? select::text(arm.choice.algorithm->name, arm.choice.parameters)
                                : select::kLibrary;
}

/// Such as "12.3 us" or "4.56 ms".
std::string shown(double seconds) {
    char text[40];
    const bool short_call = seconds < 9.995e-4;
    std::snprintf(text, sizeof text, "%.3g %s", seconds * (short_call ? 1e6 : 1e3),
                  short_call ? "us" : "ms");
    return text;
}

bool same(const Chosen& a, const Chosen& b) {
    return a.choice.algorithm == b.choice.algorithm && a.choice.parameters == b.choice.parameters &&
           a.numbering == b.numbering;
}

/// Of kinds that are still known, and of those whose communicator is freed. Never destroyed:
/// communicators may be freed when the process ends.
struct Known {
    std::mutex lock;
    std::set<const Learning*> kinds;
    MeasuredCalls past;
};
Known& known() {
    static Known& all = *new Known;
    return all;
}

void add(MeasuredCalls& to, const MeasuredCalls& more) {
    to.calls += more.calls;
    to.by_library += more.by_library;
    to.seconds += more.seconds;
    to.library_seconds += more.library_seconds;
}

}  // namespace

Learning::Learning(Chosen guess, bool barriers) : learned_(guess.learned), barriers_(barriers) {
    Chosen library;
    library.choice.why = guess.choice.why;
    arms_.push_back(std::move(library));
    guess_ = guess.choice.algorithm ? 1 : 0;
    if (learned_) guess_calls_ = select::Trials::learned_calls(guess_);
    if (guess_) arms_.push_back(std::move(guess));
    const std::lock_guard hold(known().lock);
    known().kinds.insert(this);
}

Learning::~Learning() {
    const std::lock_guard hold(known().lock);
    known().kinds.erase(this);
    add(known().past, measured_calls());
}

MeasuredCalls Learning::measured_calls() const {
    if (!trials_ || !trials_->settled()) return {};
    const int winner = trials_->winner();
    const double each = trials_->seconds(winner), library = trials_->seconds(0);
    const std::int64_t calls = trials_->standing_calls();
    if (!calls || !std::isfinite(each) || !std::isfinite(library)) return {};
    const auto n = static_cast<double>(calls);
    return {calls, winner == 0 ? calls : 0, n * each, n * library};
}

MeasuredCalls measured_calls() {
    const std::lock_guard hold(known().lock);
    MeasuredCalls out = known().past;
    for (const Learning* kind : known().kinds) add(out, kind->measured_calls());
    return out;
}

void Learning::begin(std::vector<Chosen> candidates) {
    for (Chosen& c : candidates)
        if (std::ranges::none_of(arms_, [&](const Chosen& a) { return same(a, c); }))
            arms_.push_back(std::move(c));
    if (learned_)
        trials_ = select::Trials::learned(arms(), guess_, barriers_);
    else
        trials_.emplace(arms(), guess_, guess_seconds_, barriers_);
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
    const double begun = PMPI_Wtime();
    PMPI_Allreduce(MPI_IN_PLACE, slowest.data(), static_cast<int>(slowest.size()), MPI_DOUBLE,
                   MPI_MAX, comm);
    const bool settled = trials_->settled();
    trials_->agree(slowest);
    trials_->agreement_took(PMPI_Wtime() - begun);
    if (settled == trials_->settled()) return;
    ++version_;
    if (settled) return;
    const int winner = trials_->winner();
    measured_ = shown(trials_->seconds(winner));
    for (int i = 0; i < arms(); ++i)
        if (i != winner && std::isfinite(trials_->seconds(i)))
            measured_ += "; " + label(arm(i)) + ' ' + shown(trials_->seconds(i));
}

void Learning::took(double seconds, MPI_Comm comm) {
    if (!trials_) {
        guess_seconds_ = seconds;
    } else if (!barriers_) {
        trials_->took(seconds);
    } else {
        const double ended = PMPI_Wtime(), period = trials_->first() ? 0 : ended - last_ended_;
        if (trials_->barrier_follows()) PMPI_Barrier(comm);
        last_ended_ = PMPI_Wtime();
        trials_->took(seconds, trials_->barrier_follows() ? last_ended_ - ended : 0, period);
    }
}

bool Learning::stands_as(const Learning& other) const {
    const auto serving = [](const Learning& l) -> const Chosen* {
        if (!l.trials_) return l.learned_ ? &l.arm(l.guess_) : nullptr;
        return l.trials_->settled() ? &l.arm(l.trials_->winner()) : nullptr;
    };
    const Chosen *const mine = serving(*this), *const theirs = serving(other);
    return this == &other || (mine && theirs && same(*mine, *theirs));
}

const Chosen* Learning::fastest_candidate() const {
    if (!measured_winner()) return nullptr;
    int best = 0;
    for (int i = 1; i < arms(); ++i)
        if (std::isfinite(trials_->seconds(i)) &&
            (best == 0 || trials_->seconds(i) < trials_->seconds(best)))
            best = i;
    return best ? &arm(best) : nullptr;
}

std::string Learning::measured_arms() const {
    return label(arm(trials_->winner())) + ' ' + measured_;
}

std::string Learning::reason(int i) const {
    if (!trials_) return arm(i).choice.why;
    if (!trials_->settled() || i != trials_->winner()) return "takes turns to be measured";
    return measured_.empty() ? arm(i).choice.why : "measured: " + measured_;
}

}  // namespace hopbine::mpi
