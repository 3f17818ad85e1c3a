// Agreements: the ranks exchange their times, settle the account, and decide what serves.
#include <algorithm>
#include <cmath>

#include "select/selector.hpp"

namespace hopbine::select {

namespace {

/// Kinds whose times are exchanged at once.
constexpr std::size_t kMostKinds = 128;
/// Numbers that are exchanged for an arm: the mean of timed calls, the same less than 0, for the
/// least of all ranks, and the two longest of them; the mean of a block, and its two longest.
constexpr std::size_t kNumbers = 7;
/// Older times of an arm count at most for this many calls, and for twice as many as the new ones:
/// the machine may have changed.
constexpr double kRemembered = 32;
/// An arm is chosen if it is faster than another by more than this.
constexpr double kTie = 0.02;
/// A call is an outlier that took longer than the others by more than this multiple of the
/// deviation: of normal ones one in 700.
constexpr double kOutlying = 3;
/// Ranks come late to calls in which the one that waits most takes more than this multiple of the
/// one that waits least, and run ahead where calls between barriers take that much more.
constexpr double kLate = 2;
/// The machine has changed where calls take more than this multiple of what they took.
constexpr double kChanged = 1.5;
/// The part of the time in collectives that may be overdrawn for a while.
constexpr double kOverdraft = 0.02;
/// It is to be repaid before that time has become this multiple: the allowance would do it.
constexpr double kRepaid = 4;
/// Where the library's first call took longer than claimed, it serves another so many calls later.
constexpr int kInsuredSoon = 16;

}  // namespace

/// The kinds whose times are exchanged: those that asked for it, and those that hopbine serves.
std::vector<Selector::Kind*> Selector::news() {
    std::vector<Kind*> out;
    for (Kind& k : kinds_)
        if ((k.asked || k.chosen != 0) && std::ranges::any_of(k.arms, &Arm::has_news))
            out.push_back(&k);
    if (out.size() > kMostKinds) {
        std::ranges::stable_sort(out, std::greater(), [this](const Kind* k) {
            return expected_seconds(*k) * static_cast<double>(k->calls);
        });
        out.resize(kMostKinds);
    }
    return out;
}

std::vector<double> Selector::tell(const std::vector<Kind*>& news) const {
    std::vector<double> out(kTold);
    out[balance] = -account_.balance();
    out[overdraft] = account_.overdraft();
    out[in_collectives] = -account_.in_collectives();
    out[noise] = scatter_;
    out[longest] = told_agreement_;
    out[shortest] = -told_agreement_;
    out[setup] = told_setup_;
    out[counting] = told_counting_;
    out[barrier] = barriers_ > 0 ? for_barriers_ / barriers_ : 0;
    out[rate] = weight_ > 0 ? -time_ / weight_ : 0;
    out[income] = weight_ > 0 ? (agreed_at_ - account_.in_collectives()) / weight_ : 0;
    for (const Kind* k : news)
        for (const Arm& a : k->arms) {
            const double first = a.plain.calls == 0 ? a.first : 0,
                         mean = a.timed > 0 ? a.sum / a.timed : first,
                         most = a.timed > 0 ? a.longest[0] : first,
                         block = a.in_block > 0 ? a.block_sum / a.in_block : 0;
            out.insert(out.end(), {mean, -mean, most, a.longest[1], block, a.longest_in_block[0],
                                   a.longest_in_block[1]});
        }
    return out;
}

void Selector::Times::add(double seconds, const Longest& longest, int timed, double noise) {
    constexpr double kTick = 1e-9;  // a clock may stand still
    seconds = std::max(seconds, kTick);
    const double old = std::min({calls, kRemembered, 2.0 * timed}), all = old + timed,
                 sum = mean * old + seconds * timed, outlying = std::exp(kOutlying * noise);
    Longest late{};  // by how much they were longer than the others
    // The only call so far may have been the outlier.
    if (calls == 1 && mean > seconds * outlying) late[0] = mean - seconds;
    for (const std::size_t outliers : {1, 2}) {
        const double rest = sum - longest[0] - (outliers > 1 ? longest[1] : 0),
                     count = all - static_cast<double>(outliers),
                     others = count > 0 ? std::max(rest, kTick) / count : longest[0],
                     least = others * outlying;
        if (longest[outliers - 1] <= least) break;
        for (std::size_t i = 0; i < outliers; ++i) late[i] = longest[i] - others;
    }
    for (double& one : excess) one *= calls > 0 ? old / calls : 0;
    for (double more : late)
        for (double& one : excess)
            if (more > one) std::swap(more, one);
    mean = sum / all;
    calls = all;
}

double Selector::Times::raised() const {
    constexpr double kLeast = 0.05;  // of usual(): mean and outliers may be of two ranks
    return -std::log(std::max(1 - excess[1] / (calls * usual()), kLeast));
}

void Selector::hear(const std::vector<Kind*>& news, const double* agreed) {
    for (Kind* k : news) {
        const bool ended = k->queue.empty(),  // the blocks of a trial are compared when all have
            confirms = !known(*k) && k->chosen == 1;
        for (Arm& a : k->arms) {
            if (a.timed > 0 || (!a.cold && a.plain.calls == 0 && a.in_block == 0)) {
                a.plain.add(agreed[0], {agreed[2], agreed[3]}, std::max(a.timed, 1), noise_);
                a.recent = agreed[0];
                a.least = -agreed[1];
            }
            if (ended && a.in_block > 0)
                a.block.add(agreed[4], {agreed[5], agreed[6]}, a.in_block, noise_);
            agreed += kNumbers;
            a.timed = 0;
            a.sum = 0;
            a.longest = {};
            if (!ended) continue;
            a.in_block = 0;
            a.block_sum = 0;
            a.longest_in_block = {};
        }
        if (confirms && above_claim(*k)) k->insured_at = k->calls + kInsuredSoon;
        look_at_ranks(*k);
        settle(*k);
        k->asked = false;
    }
}

/// Finds out whether ranks come late to calls of a kind, or run ahead in other calls between them.
/// Where they do, the time of a block contains much of the others'.
void Selector::look_at_ranks(Kind& k) {
    const Arm& library = k.arms[0];
    k.late = !k.leaves && library.plain.mean > kLate * library.least;
    if (!k.leaves || k.mixed || library.block.mean <= kLate * library.plain.mean) return;
    k.mixed = true;
    for (Arm& a : k.arms) a.block = {};
}

/// Seconds by which the calls that an arm has served took less on this rank than the library's, as
/// far as is sure. Times in which ranks wait for others do not shrink with the ratio: it holds for
/// the lesser of what these calls took and what as many of the library's take between barriers.
double Selector::saved_here(const Kind& k, int arm) const {
    const Arm &a = k.arms[static_cast<std::size_t>(arm)], &library = k.arms[0];
    const double x = told_ratio(k, arm), calls = static_cast<double>(a.served),
                 apart = library.block.calls > 0 ? library.block.usual() : seconds(k, 0);
    return std::max(0.0, std::min(a.serving * (1 / x - 1), calls * apart * (1 - x)));
}

/// Enters what calls of a kind have earned and cost since the last agreement, by agreed numbers: it
/// is the same on all ranks.
void Selector::settle(Kind& k) {
    const Arm& chosen = k.arms[static_cast<std::size_t>(k.chosen)];
    claim(k, known(k) ? 0 : chosen.gain * static_cast<double>(chosen.served));
    if (!known(k)) return;
    const double usual = seconds(k, 0);
    for (std::size_t i = 0; i < k.arms.size(); ++i) {
        Arm& a = k.arms[i];
        const double took = seconds(k, static_cast<int>(i));
        if (took <= 0) continue;  // it is not known yet
        if (i > 0)
            earn(k, (usual - took) * static_cast<double>(a.served),
                 saved_here(k, static_cast<int>(i)));
        // The library's calls in trials take the place of what serves.
        const double fair =
            i == 0 && compared(k, k.chosen) ? std::min(usual, seconds(k, k.chosen)) : usual;
        earn(k, std::min(0.0, fair - took) * a.tried, 0);
        a.served = 0;
        a.serving = 0;
        a.tried = 0;
    }
}

/// Enters seconds that calls took less than the library's, or more: as agreed, by which the ranks
/// decide, and as this rank tells it.
void Selector::earn(Kind& k, double agreed, double here) {
    account_.earn(agreed, here);
    earned_ += agreed;
    settled_ += agreed > 0 ? Account::kReinvested * agreed : agreed;
    (agreed > 0 ? k.saved : k.spent) += std::fabs(agreed > 0 ? here : agreed);
}

/// Enters what untried candidates are claimed to gain in the calls of a kind so far: as in such
/// calls of other jobs.
void Selector::claim_untried(Kind& k) {
    if (k.chosen == 0 && known(k))
        claim(k, claimed_part(k) * seconds(k, 0) * static_cast<double>(k.calls));
}

/// What is claimed for the calls of a kind so far.
void Selector::claim(Kind& k, double seconds) {
    account_.claim(seconds - k.claimed);
    settled_ += seconds - k.claimed;
    k.claimed = seconds;
}

/// What hopbine spent on a kind, as this rank has measured it.
void Selector::spend(Kind& k, double seconds) {
    account_.spend(seconds);
    k.spent += seconds;
}

/// Enters the calls since the last one that was timed, as if they had taken as long as that.
void Selector::catch_up(Kind& k) {
    const auto rest = k.gap - 1 - k.quiet;
    Arm& serves = k.arms[static_cast<std::size_t>(k.now)];
    account_.pass_time(serves.last * rest, rest);
    time_ += serves.last * rest;
    weight_ += k.weight * rest;
    claims_ += k.claims * k.weight * rest;
    calls_ += rest;
    serves.serve(rest - std::min(k.unready, rest), serves.last);
    k.unready = 0;
    k.calls += rest;
    k.gap = k.quiet + 1;
}

void Selector::settle_rest() {
    for (Kind& k : kinds_) {
        catch_up(k);
        settle(k);
    }
}

std::int64_t Selector::uncompared_calls() const {
    std::int64_t out = 0;
    for (const Kind& k : kinds_)
        for (std::size_t i = 1; i < k.arms.size(); ++i)
            if (!compared(k, static_cast<int>(i))) out += k.arms[i].served;
    return out;
}

/// Whether the arm that serves takes far longer than at first, in calls that are not compared with
/// the library's: the machine is another one.
bool Selector::changed(Kind& k) {
    const Arm& chosen = k.arms[static_cast<std::size_t>(k.chosen)];
    if (k.chosen == 0 || !(k.leaves || k.late) || chosen.recent == 0) return false;
    if (k.usual == 0) k.usual = chosen.recent;
    return chosen.recent > kChanged * k.usual;
}

/// Chooses the arm that is believed to be the fastest. Doubt is for the arm that serves, unless the
/// account is overdrawn.
void Selector::decide(Kind& k, bool overdrawn) {
    k.doubt = doubt(k);
    if (!known(k)) return;
    const int arms = static_cast<int>(k.arms.size());
    if (changed(k)) {
        for (Arm& a : k.arms) a.block = {};
        return choose(k, 0);
    }
    double now = k.chosen == 0 ? 0 : belief(k, k.chosen).mean;
    // What is overdrawn leaves nothing to spend on a claim that calls do not confirm.
    if (overdrawn && compared(k, k.chosen)) now = std::max(now, std::log(ratio(k, k.chosen)));
    int best = k.chosen != 0 && now > 0 ? 0 : k.chosen;
    double least = std::min(now, 0.0) - kTie;
    for (int i = 1; i < arms; ++i) {
        if (!compared(k, i)) continue;
        if (k.version == 0) k.version = 1;
        const Belief b = belief(k, i);
        if (i == k.chosen || b.mean + b.deviation >= least) continue;
        least = b.mean + b.deviation;
        best = i;
    }
    choose(k, best);
}

void Selector::choose(Kind& k, int arm) {
    if (arm == k.chosen) return;
    serving_ += (arm != 0) - (k.chosen != 0);
    k.chosen = k.now = arm;
    k.from = k.begun = 0;
    k.usual = 0;
    k.arms[static_cast<std::size_t>(arm)].recent = 0;
    ++k.version;
    k.doubt = doubt(k);
}

/// Lets the library serve for good where what was overdrawn is not repaid, although the time in
/// collectives has become a multiple.
void Selector::govern(double overdraft, double in_collectives) {
    if (overdraft <= kOverdraft * in_collectives) {
        overdrawn_ = 0;
    } else if (overdrawn_ == 0) {
        overdrawn_ = in_collectives;
    } else if (in_collectives > kRepaid * overdrawn_) {
        stopped_ = true;
        for (Kind& k : kinds_) {
            choose(k, 0);
            k.queue.clear();
        }
    }
}

/// Enters what the last agreement took. Ranks that came early to it have waited for the others, as
/// they would have in their next call. The last one has not: it takes part in half of the messages
/// at least. The first one that is measured takes the place of the modelled price.
void Selector::price_agreement(double longest, double shortest) {
    const double seconds = std::min((longest + shortest) / 2, 2 * shortest);
    agreement_ = priced_ ? (agreement_ + seconds) / 2 : seconds;
    priced_ = true;
    account_.spend(seconds);
}

void Selector::agree(Port& port, Offers& offers, std::span<const double> also) {
    const double begun = port.clock();
    account_.reserve(-reserved_);
    reserved_ = 0;
    for (Kind& k : kinds_) catch_up(k);
    const std::vector<Kind*> all = news();
    std::vector<double> told = tell(all);
    told.insert(told.end(), also.begin(), also.end());
    port.maxima(told);
    offers.hear(std::span<const double>(told).last(also.size()));
    settled_ = 0;
    hear(all, told.data() + kTold);
    for (Kind& k : kinds_)
        if (k.chosen != 0) settle(k);
    if (told[noise] > 0) noise_ = told[noise];
    if (told[longest] > 0) price_agreement(told[longest], -told[shortest]);
    // Before one was measured: what an agreement of that price would take twice, as at first.
    setup_ = told[setup] > 0 ? told[setup] : std::min(setup_, 2 * agreement_);
    if (told[counting] > 0) counting_ = told[counting];
    if (told[barrier] > 0) barrier_ = told[barrier];
    find_pool();
    for (Kind& k : kinds_) claim_untried(k);
    claims_hold_ = std::ranges::any_of(kinds_, [this](const Kind& k) { return held(k); });
    const double over = told[overdraft] - settled_;
    for (Kind* k : all) decide(*k, over > 0);
    govern(over, -told[in_collectives]);
    const double exchanged = port.clock();
    rate_ = -told[rate];
    income_ = -told[income];
    agreed_at_ = account_.in_collectives();
    const double left = plan(port, offers, settled_ - told[balance] - agreement_);
    told_agreement_ = exchanged - begun;
    account_.spend(port.clock() - exchanged);
    account_.reserve(reserved_);
    set_gap(left);
    due_ = false;
    made_ += weight_;
    for (Kind& k : kinds_) price_claims(k);
    weight_ = claims_ = time_ = pending_ = insured_ = 0;
    calls_ = 0;
}

}  // namespace hopbine::select
