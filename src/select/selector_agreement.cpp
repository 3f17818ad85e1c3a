// Agreements: the ranks exchange their times, settle the account, and decide what serves.
#include <algorithm>
#include <cmath>

#include "select/selector.hpp"

namespace hopbine::select {

namespace {

/// Kinds whose times are exchanged at once.
constexpr std::size_t kMostKinds = 128;
/// Numbers that are exchanged for an arm: the mean of timed calls, less than 0 the least, the mean
/// of a block.
constexpr std::size_t kNumbers = 3;
/// Older times of an arm count at most for this many calls, and for twice as many as the new ones:
/// the machine may have changed.
constexpr double kRemembered = 32;
/// An arm is chosen if it is faster than another by more than this.
constexpr double kTie = 0.02;
/// The part of the time in collectives that may be overdrawn for a while.
constexpr double kOverdraft = 0.02;

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
    const double in_collectives = std::max(account_.in_collectives(), 1e-9);
    out[balance] = -account_.balance();
    out[overdraft] = account_.overdraft() / in_collectives;
    out[noise] = scatter_;
    out[agreement] = told_agreement_;
    out[setup] = told_setup_;
    out[counting] = told_counting_;
    out[rate] = weight_ > 0 ? -time_ / weight_ : 0;
    for (const Kind* k : news)
        for (const Arm& a : k->arms) {
            const double mean = a.timed > 0 ? a.sum / a.timed : a.calls == 0 ? a.first : 0;
            out.insert(out.end(), {mean, a.timed > 0 ? -a.shortest : -a.first,
                                   a.in_block > 0 ? a.block / a.in_block : 0});
        }
    return out;
}

/// Adds agreed seconds of some calls to those of an arm.
static void learn(Selector::Arm& a, double mean, double least, int calls) {
    constexpr double kTick = 1e-9;  // a clock may stand still
    mean = std::max(mean, kTick);
    least = std::max(least, kTick);
    const double old = std::min({a.calls, kRemembered, 2.0 * calls});
    a.mean = (a.mean * old + mean * calls) / (old + calls);
    a.least = a.calls == 0 || calls > 2 ? least : std::min(a.least, least);
    a.calls = old + calls;
}

void Selector::hear(const std::vector<Kind*>& news, const double* agreed) {
    for (Kind* k : news) {
        const double* const library = agreed;
        for (Arm& a : k->arms) {
            const double mean = agreed[0], least = -agreed[1], block = agreed[2];
            if (a.timed > 0 || (!a.cold && a.calls == 0 && a.in_block == 0))
                learn(a, mean, least, std::max(a.timed, 1));
            // A block's barrier counts for both arms alike.
            if (&a != &k->arms[0] && a.in_block > 0 && block > 0 && library[2] > 0)
                learn(a, k->arms[0].mean * block / library[2], least, a.in_block);
            agreed += kNumbers;
        }
        settle(*k);
        for (Arm& a : k->arms) {
            a.timed = a.in_block = 0;
            a.sum = a.block = 0;
        }
        k->asked = false;
    }
}

/// Enters what calls of a kind have earned and cost since the last agreement.
void Selector::settle(Kind& k) {
    const Arm& library = k.arms[0];
    if (library.calls == 0) {
        const double gain = k.chosen ? k.arms[static_cast<std::size_t>(k.chosen)].gain : 0;
        const double claimed =
            gain * static_cast<double>(k.arms[static_cast<std::size_t>(k.chosen)].served);
        account_.claim(claimed - k.claimed);
        k.claimed = claimed;
        return;
    }
    account_.claim(-k.claimed);
    k.claimed = 0;
    const double usual = seconds(k, 0);
    for (std::size_t i = 0; i < k.arms.size(); ++i) {
        Arm& a = k.arms[i];
        if (i > 0 && a.served > 0 && a.calls > 0)
            account_.earn((usual - seconds(k, static_cast<int>(i))) *
                          static_cast<double>(a.served));
        const double fair =
            i == 0 && k.chosen != 0 && k.arms[static_cast<std::size_t>(k.chosen)].calls > 0
                ? std::min(usual, seconds(k, k.chosen))
                : usual;
        account_.spend(std::max(0.0, a.tried_seconds - fair * a.tried));
        a.served = 0;
        a.tried = 0;
        a.tried_seconds = 0;
    }
}

/// Chooses the arm that is believed to be the fastest. Doubt is for the arm that serves.
void Selector::decide(Kind& k) {
    k.doubt = doubt(k);
    if (k.arms[0].calls == 0) return;
    const double now = k.chosen == 0 ? 0 : belief(k, k.chosen).mean;
    int best = k.chosen != 0 && now > 0 ? 0 : k.chosen;
    double least = std::min(now, 0.0) - kTie;
    for (int i = 1; i < static_cast<int>(k.arms.size()); ++i) {
        if (i == k.chosen || k.arms[static_cast<std::size_t>(i)].calls == 0) continue;
        const Belief b = belief(k, i);
        if (b.mean + b.deviation >= least) continue;
        least = b.mean + b.deviation;
        best = i;
    }
    choose(k, best);
}

void Selector::choose(Kind& k, int arm) {
    if (arm == k.chosen) return;
    ++version_;
    k.chosen = k.now = arm;
    k.from = 0;
    k.doubt = doubt(k);
}

/// Lets the library serve for good where what was overdrawn is not repaid.
void Selector::govern(double overdraft) {
    const bool now = overdraft > kOverdraft;
    if (now && overdrawn_) {
        stopped_ = true;
        for (Kind& k : kinds_) {
            choose(k, 0);
            k.queue.clear();
        }
    }
    overdrawn_ = now;
}

void Selector::agree(Port& port, Offers& offers, std::span<double> also) {
    const double begun = port.clock();
    account_.reserve(-reserved_);
    reserved_ = 0;
    const std::vector<Kind*> all = news();
    std::vector<double> told = tell(all);
    told.insert(told.end(), also.begin(), also.end());
    port.maxima(told);
    std::ranges::copy(std::span(told).last(also.size()), also.begin());
    hear(all, told.data() + kTold);
    if (told[noise] > 0) noise_ = told[noise];
    if (told[agreement] > 0) agreement_ = told[agreement];
    if (told[setup] > 0) setup_ = told[setup];
    if (told[counting] > 0) counting_ = told[counting];
    find_pool();
    for (Kind* k : all) decide(*k);
    govern(told[overdraft]);
    const double exchanged = port.clock();
    rate_ = -told[rate];
    const double left = plan(port, offers, -told[balance] - agreement_);
    told_agreement_ = exchanged - begun;
    account_.spend(port.clock() - begun);
    account_.reserve(reserved_);
    set_gap(left);
    due_ = false;
    weight_ = time_ = pending_ = insured_ = 0;
}

}  // namespace hopbine::select
