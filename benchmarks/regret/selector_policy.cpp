// The choice of the runtime, played.
#include "regret/selector_policy.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "select/selector.hpp"
#include "select/size_class.hpp"

namespace hopbine::regret {

namespace {

/// Modelled times are wrong by about this factor, as the runtime takes it.
constexpr double kModelError = 1.2;

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
        for (std::size_t a = 1; a < kind.arms.size(); ++a)
            out.push_back({.name = name_of(kind.arms[a])});
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
    explicit SelectorPolicy(const Stage& stage) : machine_(stage.before) {
        for (const Kind& kind : machine_.kinds()) {
            kinds_[key_of(kind)] = &kind;
            if (kind.collective == "allreduce")
                agreement_ = std::min(agreement_, kind.arms[0].modelled);
        }
    }
    int begin(const Event& call, Port& port) override {
        Team& team = team_of(call.members);
        kind_ = find(team, machine_.kinds()[static_cast<std::size_t>(call.kind)]);
        turn_ = team.selector.turn(*kind_, ready(team.selector, call.communicator));
        if (turn_.barrier) port.barrier();
        begun_ = port.clock();
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
    }

    void freed(int communicator) override { may_gain_.erase(communicator); }

private:
    struct Team {
        Team(select::Account& account, double agreement) : selector(account, agreement) {}
        select::Selector selector;
        std::set<Collective> counted;
    };
    Team& team_of(Ranks members) {
        return teams_.try_emplace(members, account_, agreement_).first->second;
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
    select::Selector::Kind* find(Team& team, const Kind& kind) {
        const std::size_t before = team.selector.kinds().size();
        const double library = kind.arms[0].modelled;
        select::Selector::Kind& k = team.selector.kind(
            key_of(kind), leaves(kind.collective) != Leaves::none, library / agreement_);
        if (team.selector.kinds().size() == before || kind.guess == 0) return &k;
        const Arm& guess = kind.arms[static_cast<std::size_t>(kind.guess)];
        const double gain = library / kModelError - guess.modelled;
        if (gain > 0)
            team.selector.promise(k,
                                  {.name = name_of(guess),
                                   .ratio = guess.modelled / library,
                                   .gain = gain,
                                   .deviation = std::log(kModelError)},
                                  team.selector.setup_price(), true);
        return &k;
    }
    /// The recorded arm of the selector's, whose arms may be in another order.
    int arm(const Event& call) const {
        if (turn_.arm == 0) return 0;
        const std::uint64_t name = kind_->arms[static_cast<std::size_t>(turn_.arm)].name;
        const auto& arms = machine_.kinds()[static_cast<std::size_t>(call.kind)].arms;
        return static_cast<int>(std::ranges::find(arms, name, name_of) - arms.begin());
    }

    const Machine& machine_;
    std::map<select::KindKey, const Kind*> kinds_;
    select::Account account_;
    double agreement_ = 1;  ///< modelled seconds
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
