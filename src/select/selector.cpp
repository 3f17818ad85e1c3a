// Turns: what serves a call, which calls are timed, and when the ranks agree.
#include "select/selector.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace hopbine::select {

namespace {

/// The first calls are timed that are powers of two. Above kManyCalls two are while their number
/// doubles, where hopbine serves four. Few: to time one takes about 1 us, and with four of the
/// library's 300 short calls of many kinds on 2 ranks took 2 % longer (benchmarks/learning).
constexpr std::int64_t kManyCalls = 32;
/// Number of the first call that is timed where time_few() holds; the next one is kManyCalls. On 2
/// ranks a timed call took 0.13 us longer, of 0.12 us.
constexpr std::int32_t kFirstOfFew = 4;
/// Such calls are modelled to take less than this multiple of an agreement: their bytes take less
/// time than its latencies.
constexpr double kShort = 2;
/// Calls between timed ones are at most this many of hopbine's, and of the library's: a machine may
/// change.
constexpr std::int32_t kLongestGap = 64, kLongestOfLibrary = 256;
/// Calls that a claimed arm serves before one of the library shows whether the claim holds, and
/// where it is nearly certain: an earlier job has measured it, or it is by kClear deviations and
/// another claim has held in this job.
constexpr int kInsured = 2, kInsuredCertain = 16;
constexpr double kClear = 3;
/// The library serves again when the calls have become this multiple, and at least so many later.
constexpr int kInsuredAgain = 4, kInsuredApart = 64;
/// Calls that the library serves unquestioned where it was the fastest in an earlier job.
constexpr std::int64_t kTrusted = 256;
/// The part of the planned trials, by their worth, that has ended when the ranks agree on them.
constexpr double kMostTrials = 0.9;
/// Deviation of the logarithm of a call's time before it was measured.
constexpr double kNoise = 0.3;
/// Seconds that counting the candidates of a collective takes on few ranks that share cores
/// (benchmarks/first_calls.c).
constexpr double kCounting = 3e-4;
/// The part of the bytes' time that counting may be expected to gain.
constexpr double kCountGains = 0.25;
/// An agreement is worth while where it may gain this multiple of what it takes.
constexpr double kWorth = 4;

std::int32_t gap_after(std::int64_t calls, bool library, bool few) {
    if (few && library && calls < kManyCalls) return static_cast<std::int32_t>(kManyCalls - calls);
    const auto part = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(calls)));
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(calls < kManyCalls ? part : part / (library ? 2 : 4), 1,
                                 library ? kLongestOfLibrary : kLongestGap));
}

}  // namespace

Selector::Selector(Account& account, double agreement, double debt, const Selector* larger)
    : account_(account),
      larger_(larger),
      unit_(agreement),
      agreement_(agreement),
      setup_(2 * agreement),
      counting_(std::max(4 * agreement, kCounting)),
      noise_(kNoise),
      gap_((debt + funds()) / (account_.share() * agreement)),
      health_(gap_),
      agreed_at_(account.in_collectives()) {
    if (larger) take_over(*larger);
}

/// Takes prices and beliefs of a larger selector that has agreed on some.
void Selector::take_over(const Selector& known) {
    if (known.rate_ <= 0 || rate_ > 0) return;
    agreement_ = known.agreement_;
    setup_ = known.setup_;
    counting_ = known.counting_;
    barrier_ = known.barrier_;
    noise_ = known.noise_;
    pool_ = known.pool_;
    rate_ = income_ = known.rate_;
    priced_ = known.priced_;
    for (Kind& k : kinds_) price_claims(k);
    set_gap(0);
}

Selector::~Selector() { account_.reserve(-reserved_); }

Selector::Kind& Selector::kind(const KindKey& key, bool leaves, double weight,
                               const Belief& untried) {
    Kind*& known = by_key_[key];
    if (known) return *known;
    Kind& k = kinds_.emplace_back();
    k.key = key;
    k.leaves = leaves;
    k.weight = weight;
    k.untried = untried;
    k.doubt = unknown(k).gain(1);
    price_claims(k);
    return *(known = &k);
}

void Selector::time_few(Kind& k) {
    if (k.few || k.calls > 0 || k.arms.size() > 1 || k.claims > 0 || k.weight >= kShort) return;
    k.few = true;
    k.gap = kFirstOfFew;
    k.quiet = k.gap - 1;
}

void Selector::promise(Kind& k, const Offer& offer, double price, bool insured) {
    if (k.arms.size() > 1) return;
    Arm a;
    a.name = offer.name;
    a.claimed = {std::log(offer.ratio), offer.deviation};
    a.gain = offer.gain;
    k.arms.push_back(a);
    k.chosen = 1;
    ++serving_;
    k.from = k.calls + 1;
    if (offer.gain > 0) k.from = std::max(k.from, static_cast<std::int64_t>(price / offer.gain));
    k.now = k.from <= k.calls + 1 ? 1 : 0;
    if (k.now == 1) k.unready = k.gap - 1;  // calls since the last timed one
    k.insured = insured ? kInsured : kInsuredCertain;
}

bool Selector::promise_counted(Kind& k, std::uint64_t name, double seconds, double library,
                               double error) {
    const double gain = library / error - seconds;
    if (gain <= 0) return false;
    promise(k, {name, seconds / library, gain, std::log(error)}, setup_, true);
    return true;
}

bool Selector::counting_may_pay(const Kind& k, double weight_of_bytes) const {
    return kCountGains * weight_of_bytes * agreement_ * static_cast<double>(k.calls + 1) >=
           counting_;
}

void Selector::trust_library(Kind& k) {
    k.doubt = 0;
    k.asks = k.rests = kTrusted;
}

void Selector::undo(Kind& k) {
    k.calls -= k.gap;
    weight_ = before_;  // to the last bit, as on ranks where nothing was undone
    claims_ = claims_before_;
    calls_ -= k.gap;
    if (k.arm != k.now && !k.in_trial) --k.unready;
    k.met = k.after_barrier();
}

Selector::Turn Selector::turn(Kind& k, bool ready) {
    if (!ready && k.now != 0) ++k.unready;
    const int arm = next_arm(k, ready);
    if (k.quiet > 0) {
        --k.quiet;
        return {arm, false};
    }
    k.calls += k.gap;
    before_ = weight_;
    weight_ += k.weight * k.gap;
    claims_before_ = claims_;
    claims_ += k.claims * k.weight * k.gap;
    calls_ += k.gap;
    k.in_trial = ready && !k.queue.empty();
    k.arm = arm;
    return {k.arm, true, !std::exchange(k.met, false) && k.after_barrier()};
}

void Selector::note(Longest& longest, double seconds) {
    for (double& one : longest)
        if (seconds > one) std::swap(seconds, one);
}

/// Keeps the time of a call of an arm.
void Selector::note(Arm& a, double seconds) {
    if (a.last > 0 && seconds > 0) {
        // The mean difference of two normal numbers is 2 / sqrt(pi) of their deviation.
        constexpr double kPart = 0.8862, kFades = 1.0 / 32;
        scatter_ += kFades * (kPart * std::fabs(std::log(seconds / a.last)) - scatter_);
    }
    a.last = seconds;
    ++a.timed;
    a.sum += seconds;
    ++a.timed_here;
    a.seconds_here += seconds;
    note(a.longest, seconds);
}

void Selector::took(Kind& k, double seconds, Port& port) {
    account_.pass_time(seconds * k.gap, k.gap);
    time_ += seconds * k.gap;
    Arm& a = k.arms[static_cast<std::size_t>(k.arm)];
    // The library may have served calls before that were not timed.
    const bool first = a.cold && (k.arm != 0 || k.gap == 1);
    if (k.in_trial) {
        end_trial_call(k, a, seconds, port);
    } else {
        // What the first call saves is not known: it builds plans and connections.
        k.arms[static_cast<std::size_t>(k.now)].serve(k.gap - k.unready, first ? 0 : seconds);
        if (first) {
            a.first = seconds;
            if (k.arm != 0) begin_claimed(k);
        } else {
            note(a, seconds);
        }
        a.cold = false;
    }
    k.unready = 0;
    insure(k);
    k.now = k.calls + 1 >= k.from ? k.chosen : 0;
    const bool begins = k.arms[static_cast<std::size_t>(k.now)].cold;
    k.gap = k.queue.empty() && !begins ? gap_after(age(k), k.now == 0, k.few) : 1;
    if (k.now != k.chosen)
        k.gap = static_cast<std::int32_t>(std::min<std::int64_t>(k.gap, k.from - k.calls - 1));
    k.quiet = k.gap - 1;
    if (k.calls >= k.asks) look_again(k);
    see_whether_due();
}

/// Where ranks come late a barrier before each call of a trial keeps that out of its time. Where
/// they may leave early, and so run ahead of others, barriers are around each block, or each call,
/// and the wait at its end counts: else the next call would pay for what is left to do.
void Selector::end_trial_call(Kind& k, Arm& a, double seconds, Port& port) {
    k.queue.pop_back();
    const bool cold = a.cold, ends = ends_block(k);
    const int barriers = k.after_barrier() + ends;
    k.begins = k.leaves && !k.apart && cold;
    a.cold = false;
    if (cold) {
        a.first = seconds;
        const double more = std::max(0.0, seconds - this->seconds(k, 0));
        spend(k, more);
        constexpr double kPart = 0.25;
        if (k.arm != 0) told_setup_ += (told_setup_ > 0 ? kPart : 1) * (more - told_setup_);
    }
    const double begun = ends ? port.clock() : 0;
    if (ends) port.barrier();
    const double at_end = ends ? port.clock() - begun : 0;
    const double before = std::exchange(k.waited, 0);
    spend(k, barriers * barrier_price());
    if (!cold) {
        ++a.tried;
        if (k.apart || k.leaves) {
            ++a.in_block;
            a.block_sum += seconds + at_end;
            note(a.longest_in_block, seconds);
            if (k.arm == 0) note_barriers(a, before + seconds + at_end, barriers);
        } else {
            note(a, seconds);
        }
    }
    if (!k.queue.empty()) return;
    k.asked = true;
    tried_ += k.worth;
}

/// Keeps what barriers around a call of the library cost: by what it took longer, with the waits in
/// them, than calls without barriers. Ranks that wait in one have come early, and would wait in the
/// call.
void Selector::note_barriers(const Arm& library, double seconds, int barriers) {
    if (library.timed_here == 0) return;
    for_barriers_ += seconds - library.seconds_here / static_cast<double>(library.timed_here);
    barriers_ += barriers;
}

/// A claimed arm serves its first call: what is known of the kind's calls before does not tell how
/// soon to look at it.
void Selector::begin_claimed(Kind& k) {
    k.begun = k.calls - 1;
    k.asks = k.calls + 2 * kInsured;
}

/// Calls that the claimed arm of a kind serves before the library does.
int Selector::calls_before_library(const Kind& k) const {
    const Belief& claimed = k.arms[1].claimed;
    const bool clear = claimed.mean + kClear * claimed.deviation < 0;
    return claims_hold_ && clear ? kInsuredCertain : k.insured;
}

/// Lets the library serve a call, where an arm that was only claimed to be faster has served some
/// and the library none, and again later: a single one may be late.
void Selector::insure(Kind& k) {
    if (k.insures && k.calls + 1 >= k.from) {
        k.insures = false;
        ask_to_confirm(k);
    }
    if (k.insured == 0 || k.chosen != 1 || !k.queue.empty()) return;
    const bool first = k.insured_at == 0;
    if (first ? k.arms[1].served < calls_before_library(k) : k.calls < k.insured_at) return;
    k.insured_at = k.calls + std::max<std::int64_t>((kInsuredAgain - 1) * age(k), kInsuredApart);
    if (first && (k.arms[0].timed > 0 || known(k))) return ask_to_confirm(k);
    k.insures = true;
    k.from = k.calls + 2;
}

/// Looks at the kind in the next agreement. That comes soon where no call of the library has
/// confirmed a claim yet, or a single one that took longer than claimed.
void Selector::ask_to_confirm(Kind& k) {
    k.asked = true;
    if (k.chosen == 1 && (!compared(k, 1) || (k.arms[0].plain.calls == 1 && above_claim(k))))
        insured_ += k.arms[1].gain * static_cast<double>(age(k));
}

/// Looks at the kind in the next agreement, since its calls have doubled.
void Selector::look_again(Kind& k) {
    k.asks = k.calls + age(k);
    ask_to_confirm(k);
    pending_ += may_gain(k, age(k));
}

/// Whether a larger selector is to have the account for itself: the first that gains pays for the
/// others. Not where a claim is to be confirmed here. The same on all ranks: they make the calls of
/// both in one order.
bool Selector::waits_for_larger() {
    if (!larger_) return false;
    if (serving_ == 0 && Account::kReinvested * larger_->earned_ < funds() &&
        modelled_seconds() < larger_->modelled_seconds())
        return true;
    take_over(*std::exchange(larger_, nullptr));
    return false;
}

void Selector::see_whether_due() {
    if (stopped_ || waits_for_larger()) return;
    due_ = (planned_ > 0 && tried_ >= kMostTrials * planned_) || insured_ >= kWorth * agreement_ ||
           (weight_ + claims_ >= gap_ && pending_ >= kWorth * agreement_ && had_turns()) ||
           (serving_ > 0 && weight_ >= health_);
}

}  // namespace hopbine::select
