#include "select/trials.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hopbine::select {

namespace {

/// The library stays where a call takes it at most this: too short to gain. Seconds.
constexpr double kShort = 3e-6;
/// But not where a call of a long block, less the barrier, takes it more than this: ranks that
/// share cores run the calls of a block one rank after the other, each in no time. Seconds.
constexpr double kInTurns = 2e-5;
/// The library is not out before this round where that costs at most so much a call: ranks that
/// share cores make a first impression of little worth. Seconds.
constexpr int kFirstImpressions = 3;
constexpr double kAffordable = 6e-5;
/// The library stays unless a candidate is faster by more than this. Where blocks end with a
/// barrier a short block shows less of a long loop: ranks that are not waited for flood those that
/// are. Least of all of calls below kFlooding seconds.
constexpr double kTie = 1.02, kTieWithBarriers = 1.15, kTieFlooding = 1.25, kFlooding = 1e-3;
/// A candidate has won short calls by little where it takes less than kLoop seconds, and the
/// library less than kLittle times that; or kLittleWithBarriers times.
constexpr double kLoop = 2e-5, kLittle = 1.3, kLittleWithBarriers = 2;
/// Barriers and agreements of a check take at most this part of the calls up to the next one.
constexpr double kOverhead = 1.0 / 400;
/// Calls between checks of an arm: they double with every check that changes nothing.
constexpr int kShortestPause = 256;
constexpr std::int64_t kLongestPause = 1 << 20;
/// Calls that a candidate serves because it won in an earlier job, before the first check.
constexpr int kSoon = 16;
/// What was slower than this multiple of the winner is checked less often.
constexpr double kFar = 6;

/// Noise is a small part of calls that take longer, in seconds, and few of them fit into a job: the
/// slower arms are out sooner. The limits of the rounds come nearer to 1 by this factor.
constexpr double kLong = 0.05, kTighter = 5;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// The lower median: noise only adds time, so that of two the shorter is nearer to the truth.
double median(std::vector<double> x) {
    const auto half = static_cast<std::ptrdiff_t>((x.size() - 1) / 2);
    std::nth_element(x.begin(), x.begin() + half, x.end());
    return x[static_cast<std::size_t>(half)];
}

/// Seconds of a call of a block. The first two calls build plans and connections: the shorter
/// counts. Later all do: a loop pays for each, and where ranks share cores a few take most of it.
double seconds_of(const std::vector<double>& block, bool barriers) {
    if (block.empty()) return 0;
    if (block.size() <= 2 && !barriers) return std::ranges::min(block);
    return std::reduce(block.begin(), block.end()) / static_cast<double>(block.size());
}

}  // namespace

const TrialBlocks& Trials::blocks() const {
    return long_ ? kLongBlocks : barriers_ ? kBarrierBlocks : kPlainBlocks;
}

const Round& Trials::round() const { return blocks().rounds[static_cast<std::size_t>(round_)]; }

Trials::Trials(int arms, bool barriers)
    : barriers_(barriers),
      in_(static_cast<std::size_t>(arms), true),
      far_(static_cast<std::size_t>(arms)),
      cold_(static_cast<std::size_t>(arms)),
      times_(static_cast<std::size_t>(arms)),
      rounds_(static_cast<std::size_t>(arms)),
      next_(static_cast<std::size_t>(arms)),
      pause_(static_cast<std::size_t>(arms)) {}

Trials::Trials(int arms, int warm, double warm_seconds, bool barriers) : Trials(arms, barriers) {
    warm_ = warm;
    begin_round();
    if (!barriers) times_[static_cast<std::size_t>(warm)].push_back(warm_seconds);
}

int Trials::learned_calls(int winner) { return winner == 0 ? kShortestPause : kSoon; }

Trials Trials::learned(int arms, int winner, bool barriers) {
    Trials out(arms, barriers);
    out.winner_ = winner;
    for (int arm = 0; arm < arms; ++arm) {
        const auto i = static_cast<std::size_t>(arm);
        const bool now = winner == 0 || arm == 0;
        out.cold_[i] = arm != winner;
        out.next_[i] = now ? 0 : kShortestPause;
        out.pause_[i] = now && winner != 0 ? kShortestPause / 2 : kShortestPause;
    }
    out.wait();
    return out;
}

void Trials::add_block(int arm, const Block& b) {
    if (arm == 0) library_calls_ = b.calls();
    queue_.insert(queue_.end(), static_cast<std::size_t>(b.skipped), {arm, barriers_});
    queue_.insert(queue_.end(), static_cast<std::size_t>(b.measured), {arm, true});
}

/// Forgets the turns of the last round and their times.
void Trials::empty_queue() {
    queue_.clear();
    at_ = 0;
    for (auto& t : times_) t.clear();
    library_.clear();
    overhead_ = 0;
}

/// Another arm begins in every round: none always follows the same one.
void Trials::begin_round() {
    empty_queue();
    const int arms = static_cast<int>(in_.size());
    for (int i = 0; i < arms; ++i) {
        const int arm = (i + round_) % arms;
        if (in_[static_cast<std::size_t>(arm)])
            add_block(arm, far_[static_cast<std::size_t>(arm)] ? kOneCall : round().block);
    }
}

std::vector<double> Trials::report() const {
    std::vector<double> out;
    for (const auto& t : times_) out.push_back(seconds_of(t, barriers_));
    out.push_back(library_.empty() ? 0 : median(library_));
    out.push_back(-overhead_);
    return out;
}

double Trials::seconds(int arm) const {
    const auto& all = rounds_[static_cast<std::size_t>(arm)];
    return all.empty() ? kNever : median(all);
}

int Trials::fastest() const {
    int best = -1;
    for (int arm = 0; arm < static_cast<int>(in_.size()); ++arm)
        if (in_[static_cast<std::size_t>(arm)] && (best < 0 || seconds(arm) < seconds(best)))
            best = arm;
    return best;
}

void Trials::agree(const std::vector<double>& slowest) {
    forget_first_rounds();
    // Not by this rank's times: a call that failed here alone has none.
    for (std::size_t arm = 0; arm < rounds_.size(); ++arm)
        if (slowest[arm] > 0) rounds_[arm].push_back(slowest[arm]);
    const bool in_rounds = phase_ == Phase::rounds;
    const double overhead = -slowest.back();  // of the rank that waited least for others
    const auto count = in_rounds ? std::ranges::count(in_, true) : 2;
    const double barrier = barriers_ ? overhead / static_cast<double>(count + 1) : 0;
    if (in_rounds && barriers_ && round_ == kFirstLong - 1) long_ = barrier > seconds(fastest());
    const double shortest = period(slowest, barrier);
    if (in_rounds)
        end_round(shortest);
    else
        end_check(shortest);
    if (phase_ == Phase::settled) keep_apart(overhead, shortest, in_rounds ? 1 : 0);
}

/// Forgets rounds that are now outweighed: cold ones, and those of short blocks.
void Trials::forget_first_rounds() {
    if (phase_ != Phase::rounds) return;
    for (auto& all : rounds_) {
        if (barriers_ && round_ == kFirstLong) all.clear();
        if (round_ == 2 && all.size() == 2) all.erase(all.begin());
    }
}

/// Agreed seconds of the library's periods; infinite where they are not known, or say nothing.
double Trials::period(const std::vector<double>& slowest, double barrier) const {
    const double agreed = slowest[rounds_.size()];
    const bool in_turns = long_ && slowest[0] - barrier / library_calls_ > kInTurns;
    return agreed > 0 && !in_turns ? agreed : kNever;
}

/// Keeps the checks of the arms from `first` on far apart: their overhead is to be little of the
/// calls between. The library is the way back from a choice that was wrong: its first check comes
/// soon. `shortest`: agreed seconds of the library's periods.
void Trials::keep_apart(double overhead, double shortest, std::size_t first) {
    const double each = winner_ == 0 ? std::min(seconds(0), shortest) : seconds(winner_);
    const auto calls = static_cast<std::int64_t>(
        std::min(overhead / (kOverhead * each), static_cast<double>(kLongestPause)));
    for (std::size_t arm = first; arm < pause_.size(); ++arm) {
        pause_[arm] = std::max(pause_[arm], calls);
        next_[arm] = std::max(next_[arm], calls_ + calls);
    }
    wait();
}

double Trials::tie() const {
    if (!barriers_) return kTie;
    return seconds(0) < kFlooding ? kTieFlooding : kTieWithBarriers;
}

bool Trials::too_slow(int arm, double least) const {
    if (arm == 0 && round_ < kFirstImpressions && seconds(arm) - least <= kAffordable) return false;
    const double more = round().limit - 1, limit = 1 + (least < kLong ? more : more / kTighter);
    return seconds(arm) > least * (arm == 0 ? std::max(limit, tie()) : limit);
}

/// The arms that are too slow take no part in the next round. `keep_library`: it stays.
void Trials::leave_out_slow(bool keep_library) {
    const double least = seconds(fastest());
    for (int arm = 0; arm < static_cast<int>(in_.size()); ++arm) {
        const bool slow = too_slow(arm, least) && !(arm == 0 && keep_library);
        far_[static_cast<std::size_t>(arm)] = slow;
        if (slow && (round_ > 0 || (arm == warm_ && !barriers_)))
            in_[static_cast<std::size_t>(arm)] = false;
    }
}

/// `shortest`: agreed seconds of the library's periods, without barriers.
void Trials::end_round(double shortest) {
    const bool is_short = shortest <= kShort, shown = !barriers_ || round_ >= kFirstLong;
    if (is_short && shown) return settle(0);
    if (in_loops_) return decide();
    leave_out_slow(is_short);
    const bool over =
        ++round_ >= static_cast<int>(blocks().rounds.size()) || std::ranges::count(in_, true) == 1;
    if (over && close_to_library())
        compare_in_loops();
    else if (over)
        decide();
    else
        begin_round();
}

void Trials::decide() {
    const int best = fastest();
    settle(in_[0] && seconds(0) <= tie() * seconds(best) ? 0 : best);
}

/// Whether a candidate is ahead of the library by little, in short calls.
bool Trials::close_to_library() const {
    const int best = fastest();
    const double ahead = seconds(0) / seconds(best);
    return best != 0 && seconds(best) < kLoop && ahead > tie() &&
           ahead < (barriers_ ? kLittleWithBarriers : kLittle);
}

/// Begins a last round of the library and the fastest candidate, which alone counts.
void Trials::compare_in_loops() {
    const int best = fastest();
    in_loops_ = true;
    in_.assign(in_.size(), false);
    empty_queue();
    for (const int arm : {0, best}) {
        rounds_[static_cast<std::size_t>(arm)].clear();
        in_[static_cast<std::size_t>(arm)] = true;
        add_block(arm, blocks().loop);
    }
}

void Trials::settle(int winner) {
    winner_ = winner;
    calls_ = 0;
    for (std::size_t arm = 0; arm < in_.size(); ++arm) {
        const double loss = seconds(static_cast<int>(arm)) / seconds(winner);
        next_[arm] = pause_[arm] = loss < kFar ? kShortestPause : 3 * kShortestPause;
    }
    wait();
}

/// Lets the winner serve until the next check.
void Trials::wait() {
    phase_ = Phase::settled;
    empty_queue();
    soonest_ = std::numeric_limits<std::int64_t>::max();
    for (std::size_t arm = 0; arm < next_.size(); ++arm)
        if (static_cast<int>(arm) != winner_) soonest_ = std::min(soonest_, next_[arm]);
}

const Check& Trials::check() const { return confirming_ ? blocks().confirm : blocks().glance; }

void Trials::begin_check(int arm) {
    phase_ = Phase::check;
    checked_ = arm;
    empty_queue();
    add_block(winner_, check().winner);
    // Builds its plan and connections.
    if (cold_[static_cast<std::size_t>(arm)]) queue_.push_back({arm, false});
    cold_[static_cast<std::size_t>(arm)] = false;
    add_block(arm, check().other);
}

void Trials::end_check(double shortest) {
    const auto arm = static_cast<std::size_t>(checked_);
    const auto last = [&](std::size_t i) {
        return rounds_[i].empty() ? kNever : rounds_[i].back();
    };
    const double now = last(static_cast<std::size_t>(winner_));
    const bool stays = winner_ == 0 && shortest <= kShort,
               faster = !stays && last(arm) < check().limit * now;
    if (faster && !confirming_) {
        confirming_ = true;
        return begin_check(checked_);
    }
    confirming_ = false;
    if (faster) {
        // The load has changed: all arms take turns again, and have run before.
        std::fill(in_.begin(), in_.end(), true);
        for (auto& all : rounds_) all.clear();
        phase_ = Phase::rounds;
        round_ = 2;
        in_loops_ = false;
        far_.assign(far_.size(), false);
        return begin_round();
    }
    pause_[arm] = std::min(2 * pause_[arm], kLongestPause);
    next_[arm] = calls_ + pause_[arm];
    wait();
}

/// The arm whose check is due first.
int Trials::due() const {
    int arm = winner_ == 0 ? 1 : 0;
    for (int other = arm + 1; other < static_cast<int>(next_.size()); ++other)
        if (other != winner_ &&
            next_[static_cast<std::size_t>(other)] < next_[static_cast<std::size_t>(arm)])
            arm = other;
    return arm;
}

int Trials::turn() {
    measures_ = false;
    if (winner_serves()) return winner_;
    if (phase_ == Phase::settled) begin_check(due());
    const Turn t = queue_[at_++];
    arm_ = t.arm;
    measures_ = t.measured;
    return arm_;
}

}  // namespace hopbine::select
