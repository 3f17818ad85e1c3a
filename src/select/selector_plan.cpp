// Plans: the trial calls that are worth what they cost, and what the account allows of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "select/selector.hpp"

namespace hopbine::select {

namespace {

/// The part of the balance that several trials may cost at once, and the first alone. With 1 for
/// the first, a drawn job without a faster candidate lost 4.7 %; with 0.35, 300 calls of many kinds
/// on MPICH 5 took 0.78 in the mean, with 0.7 they take 0.66 (benchmarks/regret).
constexpr double kAtOnce = 0.35, kFirst = 0.7;
/// An agreement may take this part of the balance: it alone would be of no use.
constexpr double kOfFunds = 0.1;

}  // namespace

/// Whether a trial may be made beside those that cost `others`.
bool Selector::pays(const Trial& t, double others, const Balance& b) {
    const double affordable = others > 0 ? kAtOnce * (b.left - b.claimed) : kFirst * b.left;
    return t.kind && others + t.cost <= affordable;
}

/// What may be spent, and the part of it that is claimed of untried candidates. That pays for one
/// thing at a time before the first has gained.
Selector::Balance Selector::balance_of(double left) const {
    Balance out{left, 0};
    if (earned_ <= 0)
        for (const Kind& k : kinds_)
            if (k.chosen == 0) out.claimed += k.claimed;
    return out;
}

/// Seconds that another arm may gain in calls of a kind.
double Selector::may_gain(const Kind& k, std::int64_t calls) const {
    return expected_seconds(k) * static_cast<double>(calls) * k.doubt;
}

/// Counts the candidates of collectives, those first that may gain most, where that is more than
/// counting costs. Returns what it cost.
double Selector::count(Port& port, Offers& offers, const Balance& balance) {
    std::map<Collective, Kind*> first;
    std::map<Collective, double> worth;
    for (Kind& k : kinds_) {
        if (!is_open(k) || offers.ready(k.key)) continue;
        first.try_emplace(k.key.collective, &k);
        worth[k.key.collective] += may_gain(k, k.calls);
    }
    std::vector<Collective> order;
    for (const auto& [collective, kind] : first) order.push_back(collective);
    std::ranges::stable_sort(order, std::greater(), [&](Collective c) { return worth[c]; });
    double spent = 0;
    for (const Collective c : order) {
        const double left = spent > 0 ? balance.left - balance.claimed - spent : balance.left;
        if (worth[c] <= counting_ || counting_ > left) break;
        const double begun = port.clock();
        find_arms(*first[c], offers);
        told_counting_ = std::max(told_counting_, port.clock() - begun);
        spent += counting_;
        // What it takes is seen once, and then planned.
        if (!std::exchange(counted_, true)) break;
    }
    return spent;
}

void Selector::find_arms(Kind& k, Offers& offers) {
    k.offered = true;
    for (const Offer& o : offers.offers(k.key)) add_arm(k, o);
    k.doubt = doubt(k);
}

void Selector::offer(Kind& k, const Offer& offer) {
    add_arm(k, offer);
    k.doubt = doubt(k);
    k.asks = k.calls + 1;
}

void Selector::add_arm(Kind& k, const Offer& offer) {
    if (std::ranges::any_of(k.arms, [&](const Arm& a) { return a.name == offer.name; })) return;
    Arm& a = k.arms.emplace_back();
    a.name = offer.name;
    if (offer.ratio > 0) a.claimed = {std::log(offer.ratio), offer.deviation};
}

/// The trial of a kind that is worth most beyond its cost. No kind: none is. Of the library, where
/// another arm serves, it tells whether that is right. `more`: the kind may have candidates that
/// were not asked for.
Selector::Trial Selector::best_trial(Kind& k, bool more) const {
    Trial best;
    const double now = now_over_library(k);
    for (int i = 0; i < static_cast<int>(k.arms.size()); ++i)
        if (i != k.chosen) take_better(best, k, i, belief(k, i == 0 ? k.chosen : i), now);
    if (more) take_better(best, k, kNotFound, not_found(k), now);
    return best;
}

/// Takes a trial of an arm, of which this is believed, if it is better than `best`. `now`: the time
/// of what serves over the library's.
void Selector::take_better(Trial& best, Kind& k, int arm, const Belief& b, double now) const {
    const double library = expected_seconds(k), calls = static_cast<double>(k.calls),
                 loss = library * (arm == 0 ? b.gain(1) : b.loss(now));  // of a call
    const bool cold = arm == kNotFound || k.arms[static_cast<std::size_t>(arm)].cold;
    for (const int n : {3, 6, 12, 24}) {
        // What n calls may change of the belief.
        const double before = b.deviation * b.deviation, of_calls = noise_ * noise_ / n;
        const Belief after{b.mean, std::sqrt(before * before / (before + of_calls))};
        Trial t{calls * library * (arm == 0 ? after.loss(1) : after.gain(now)), n * loss, &k, arm,
                n};
        // Its first call takes more by a number of seconds, whatever the size: in the recorded
        // times of benchmarks/regret the median is 5 us to 40 us on a node.
        if (cold) t.cost += setup_ + loss;
        if (k.leaves || k.late) {  // the library serves n calls, too
            const int barriers = k.late ? 2 * n : k.mixed ? 4 * n : 3 + cold;
            t.cost += barriers * barrier_price() + n * library * std::max(0.0, 1 - now);
        }
        if (t.worth > t.cost && (!best.kind || t.worth - t.cost > best.worth - best.cost)) best = t;
    }
}

void Selector::queue(const Trial& t) {
    Kind& k = *t.kind;
    k.worth = t.worth;
    planned_ += t.worth;
    k.calls += k.gap - 1 - k.quiet;
    k.gap = 1;
    k.quiet = 0;
    const auto calls = static_cast<std::size_t>(t.calls);
    const bool blocks = k.leaves || k.late;
    const int arm = blocks && t.arm == 0 ? k.chosen : t.arm;
    k.queue.clear();
    k.apart = k.late || k.mixed;
    k.begins = k.leaves && !k.apart;
    if (blocks) k.queue.assign(calls, 0);
    const bool cold = k.arms[static_cast<std::size_t>(arm)].cold;
    k.queue.insert(k.queue.end(), calls + (cold ? 1 : 0), arm);
}

/// Plans trials, those first that are worth most for their cost. Together they may cost a part of
/// the balance: what they teach makes the next ones cheaper. The first alone may take more of it: a
/// kind of long calls costs most and gains most. To find candidates takes time too, so a kind gets
/// them when a trial of one can be made. Returns what is left, after the agreement that ends them.
double Selector::plan(Port& port, Offers& offers, double balance) {
    planned_ = tried_ = 0;
    if (stopped_) return balance;
    balance -= count(port, offers, balance_of(balance - agreement_));
    std::vector<Trial> all;
    for (Kind& k : kinds_)
        if (k.queue.empty() && known(k) && k.calls >= k.rests)
            if (const Trial t = best_trial(k, is_open(k) && offers.ready(k.key)); t.kind)
                all.push_back(t);
    std::ranges::stable_sort(all, std::greater(),
                             [](const Trial& t) { return t.worth / (t.cost + 1e-12); });
    const Balance affordable = balance_of(balance - agreement_);
    double worth = 0, cost = 0;
    std::vector<Trial> taken;
    for (Trial t : all) {
        if (!pays(t, cost, affordable)) continue;
        if (t.arm == kNotFound) {
            find_arms(*t.kind, offers);
            t = best_trial(*t.kind, false);
            if (!pays(t, cost, affordable)) continue;
        }
        cost += t.cost;
        worth += t.worth - t.cost;
        taken.push_back(t);
    }
    if (worth <= agreement_) return balance;
    for (const Trial& t : taken) queue(t);
    reserved_ = cost + agreement_;
    return balance - reserved_;
}

/// What is to be there when an agreement is made that no trials have paid.
double Selector::funds() const { return std::max(agreement_ / kOfFunds, setup_ / kAtOnce); }

/// Finds what is claimed for calls of a kind over what they add to the allowance.
void Selector::price_claims(Kind& k) const {
    const double own = income_ > 0 ? rate_ / income_ : 1;
    k.claims = account_.share() > 0 ? claimed_part(k) * own / account_.share() : 0;
}

double Selector::barrier_price() const {
    const double known = barrier_ > 0 ? barrier_ : rate_;
    return known > 0 ? std::min(agreement_, known) : agreement_;
}

/// Sets after how many calls the next agreement can be paid: by the time in collectives until then.
void Selector::set_gap(double left) {
    const double unit = account_.share() * income_, missing = std::max(0.0, funds() - left);
    if (unit <= 0) return;
    gap_ = missing / unit;
    health_ = funds() / unit;
}

}  // namespace hopbine::select
