// The choice of the runtime, played.
#include "regret/selector_policy.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "select/known_ratios.hpp"
#include "select/model_errors.hpp"
#include "select/selector.hpp"
#include "select/size_class.hpp"

namespace hopbine::regret {

namespace {

/// Seconds of hopbine's own in MPI_Init, and of the library in it: 4 ranks on two cores, one node,
/// Open MPI 5 and MPICH 5 (1.9 to 3.1 ms and 38 to 74 ms in 4 jobs).
constexpr double kStart = 2.4e-3, kLibraryStart = 0.06;

/// The recordings are of 2 to 16 ranks, which are of one class of error bars.
constexpr int kRanks = 16;

/// What a selector needs, by what a player has.
class SelectorPort : public select::Port {
public:
    explicit SelectorPort(regret::Port& port) : port_(port) {}
    void maxima(std::span<double> numbers) override { port_.maxima(numbers); }
    void barrier() override { port_.barrier(); }
    double clock() override { return port_.clock(); }

private:
    regret::Port& port_;
};

std::uint64_t name_of(const Arm& arm) { return std::hash<std::string>{}(arm.name); }

double model_error(const Kind& kind) {
    return select::error_bar(collective_named(kind.collective), static_cast<double>(kind.bytes),
                             kRanks, false)
        .apart;
}

/// The recorded arms of a kind as candidates. Counting takes as long as it was measured to.
class RecordedOffers : public select::Offers {
public:
    RecordedOffers(const std::map<select::KindKey, const Kind*>& kinds,
                   std::set<Collective>& counted, regret::Port& port)
        : kinds_(kinds), counted_(counted), port_(port) {}
    bool ready(const select::KindKey& key) const override {
        return counted_.contains(key.collective);
    }
    std::vector<select::Offer> offers(const select::KindKey& key) override {
        const Kind& kind = *kinds_.at(key);
        if (counted_.insert(key.collective).second) port_.work(kind.counting);
        std::vector<select::Offer> out;
        for (std::size_t a = 1; a < kind.arms.size(); ++a) {
            select::Offer& one = out.emplace_back();
            one.name = name_of(kind.arms[a]);
            if (kind.guess == 0) continue;
            one.ratio = kind.arms[a].modelled / kind.arms[0].modelled;
            one.deviation = std::log(model_error(kind));
        }
        return out;
    }

private:
    const std::map<select::KindKey, const Kind*>& kinds_;
    std::set<Collective>& counted_;
    regret::Port& port_;
};

select::KindKey key_of(const Kind& kind) {
    return {collective_named(kind.collective), select::size_class(kind.bytes), 0};
}

/// Communicators of the same ranks share a selector, all of a rank an account.
class SelectorPolicy : public Policy {
public:
    explicit SelectorPolicy(const Stage& stage)
        : machine_(stage.before), known_(machine_.library(), machine_.crowded()) {
        account_.start(kStart, kLibraryStart);
        for (const Kind& kind : machine_.kinds()) {
            kinds_[key_of(kind)] = &kind;
            if (kind.collective == "allreduce")
                agreement_ = std::min(agreement_, kind.arms[0].modelled);
            scarce_ |= kind.guess != 0;
        }
    }
    int begin(const Event& call, Port& port) override {
        Team& team = team_of(call.members);
        const Kind& kind = machine_.kinds()[static_cast<std::size_t>(call.kind)];
        kind_ = &team.selector.kind(key_of(kind), leaves(kind.collective) != Leaves::none,
                                    weight(kind), untried(kind));
        if (!scarce_) select::Selector::time_few(*kind_);
        consider(team, kind, port);
        turn_ = team.selector.turn(*kind_, ready(team.selector, call.communicator));
        const double came = port.clock();
        if (turn_.barrier) port.barrier();
        begun_ = port.clock();
        if (turn_.barrier) select::Selector::waited(*kind_, begun_ - came);
        return arm(call);
    }
    void end(const Event& call, Port& port) override {
        if (!turn_.timed) return;
        Team& team = team_of(call.members);
        SelectorPort by(port);
        team.selector.took(*kind_, port.clock() - begun_, by);
        if (!team.selector.agreement_due()) return;
        RecordedOffers offers(kinds_, team.counted, port);
        team.selector.agree(by, offers);
        may_gain_[call.communicator] = std::numeric_limits<double>::infinity();  // it is open now
    }
    void freed(int communicator) override { may_gain_.erase(communicator); }

private:
    struct Team {
        Team(select::Account& account, double agreement, const select::Selector* known)
            : selector(account, agreement, kStart, known) {}
        select::Selector selector;
        std::set<Collective> counted;
    };
    Team& team_of(Ranks members) {
        const auto found = teams_.find(members);
        if (found != teams_.end()) return found->second;
        const auto larger = std::ranges::find_if(
            teams_, [&](const auto& team) { return (team.first & members) == members; });
        const select::Selector* known = larger == teams_.end() ? nullptr : &larger->second.selector;
        return teams_.try_emplace(members, account_, machine_.mean_barrier(), known).first->second;
    }
    select::Belief untried(const Kind& kind) const {
        return known_.untried(collective_named(kind.collective), static_cast<double>(kind.bytes));
    }
    /// The modelled time of a call over that of an agreement.
    double weight(const Kind& kind) const { return kind.arms[0].modelled / agreement_; }
    /// Lets the counted choice serve, as the runtime does: counting is paid as soon as the bytes of
    /// the calls so far may have gained it.
    void consider(Team& team, const Kind& kind, Port& port) {
        if (!scarce_ || kind_->considered || kind_->quiet > 0 || kind_->arms[0].plain.calls > 0)
            return;
        const Collective collective = collective_named(kind.collective);
        if (!team.counted.contains(collective)) {
            if (!team.selector.counting_may_pay(*kind_, std::max(0.0, weight(kind) - 1))) return;
            team.counted.insert(collective);
            port.work(kind.counting);
            account_.spend(kind.counting);
        }
        kind_->considered = true;
        const Arm& guess = kind.arms[static_cast<std::size_t>(kind.guess)];
        if (kind.guess != 0)
            team.selector.promise_counted(*kind_, name_of(guess), guess.modelled,
                                          kind.arms[0].modelled, model_error(kind));
    }
    /// Whether algorithms can serve on a communicator. It is opened where its calls so far, if as
    /// many follow, gain what that takes.
    bool ready(const select::Selector& selector, int communicator) {
        if (kind_->now == 0 && kind_->queue.empty()) return false;
        double& may_gain = may_gain_[communicator];
        const double price = selector.agreement_price();
        if (may_gain < price)
            may_gain += std::max(selector.gain(*kind_), kind_->doubt * selector.seconds(*kind_, 0));
        return may_gain >= price;
    }
    /// The recorded arm of the selector's, whose arms may be in another order.
    int arm(const Event& call) const {
        if (turn_.arm == 0) return 0;
        const std::uint64_t name = kind_->arms[static_cast<std::size_t>(turn_.arm)].name;
        const auto& arms = machine_.kinds()[static_cast<std::size_t>(call.kind)].arms;
        return static_cast<int>(std::ranges::find(arms, name, name_of) - arms.begin());
    }

    const Machine& machine_;
    const select::KnownLibrary known_;
    std::map<select::KindKey, const Kind*> kinds_;
    select::Account account_;
    double agreement_ = 1;  ///< modelled seconds
    bool scarce_ = false;   ///< counting may take another arm than the library
    std::map<Ranks, Team> teams_;
    std::map<int, double> may_gain_;  ///< seconds that calls of a communicator may gain
    select::Selector::Kind* kind_ = nullptr;
    select::Selector::Turn turn_{};
    double begun_ = 0;
};

}  // namespace

std::unique_ptr<Policy> selector_policy(const Stage& stage, int) {
    return std::make_unique<SelectorPolicy>(stage);
}

}  // namespace hopbine::regret
