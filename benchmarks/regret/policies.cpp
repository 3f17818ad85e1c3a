#include "regret/policies.hpp"

#include <algorithm>
#include <map>

#include "regret/selector_policy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::regret {

namespace {

/// One that needs nothing but the call to choose.
class Fixed : public Policy {
public:
    explicit Fixed(const Stage& stage) : stage_(stage) {}
    void end(const Event&, Port&) override {}

protected:
    const Kind& kind(const Event& call) const {
        return stage_.before.kinds()[static_cast<std::size_t>(call.kind)];
    }
    const Stage stage_;
};

class Library : public Fixed {
public:
    using Fixed::Fixed;
    int begin(const Event&, Port&) override { return 0; }
};

class Count : public Fixed {
public:
    using Fixed::Fixed;
    int begin(const Event& call, Port&) override { return kind(call).guess; }
};

/// Serves each kind by its fastest arm, for calls in a loop and for others apart.
class Best : public Fixed {
public:
    using Fixed::Fixed;
    int begin(const Event& call, Port&) override {
        const bool again = call.communicator == communicator_ && call.kind == kind_;
        communicator_ = call.communicator, kind_ = call.kind;
        const Moment moment = again ? Moment::loop : Moment::apart;
        int& arm = known_.try_emplace({call.kind, again, call.changed}, -1).first->second;
        if (arm >= 0) return arm;
        arm = 0;
        const Machine& machine = stage_.of(call);
        for (int a = 1; a < static_cast<int>(kind(call).arms.size()); ++a)
            if (machine.mean(call.kind, a, moment) < machine.mean(call.kind, arm, moment)) arm = a;
        return arm;
    }

private:
    int communicator_ = -1, kind_ = -1;
    std::map<std::tuple<int, bool, bool>, int> known_;
};

/// Explores, then commits itself.
class Turns : public Fixed {
public:
    using Fixed::Fixed;
    int begin(const Event& call, Port& port) override {
        Kept& k = kept_[{call.communicator, call.kind}];
        if (k.seconds.empty()) k.seconds.resize(kind(call).arms.size());
        begin_ = port.clock();
        return k.winner >= 0 ? k.winner : arm(k);
    }
    void end(const Event& call, Port& port) override {
        Kept& k = kept_[{call.communicator, call.kind}];
        if (k.winner >= 0) return;
        k.seconds[static_cast<std::size_t>(arm(k))] += port.clock() - begin_;
        if (++k.calls < kRounds * kBlock * static_cast<int>(k.seconds.size())) return;
        port.maxima(k.seconds);
        k.winner = static_cast<int>(std::ranges::min_element(k.seconds) - k.seconds.begin());
    }
    void freed(int communicator) override {
        std::erase_if(kept_, [&](const auto& k) { return k.first.first == communicator; });
    }

private:
    static constexpr int kBlock = 4, kRounds = 4;
    struct Kept {
        int calls = 0, winner = -1;
        std::vector<double> seconds;  ///< of each arm
    };
    static int arm(const Kept& k) { return k.calls / kBlock % static_cast<int>(k.seconds.size()); }
    std::map<std::pair<int, int>, Kept> kept_;
    double begin_ = 0;
};

template <class P>
std::unique_ptr<Policy> make(const Stage& stage, int) {
    return std::make_unique<P>(stage);
}

const std::vector<std::pair<std::string, MakePolicy>>& all() {
    static const std::vector<std::pair<std::string, MakePolicy>> known = {
        {"library", make<Library>},
        {"best", make<Best>},
        {"count", make<Count>},
        {"turns", make<Turns>},
        {"selector", selector_policy}};
    return known;
}

}  // namespace

std::vector<std::string> policy_names() {
    std::vector<std::string> out;
    for (const auto& [name, make] : all()) out.push_back(name);
    return out;
}

MakePolicy policy_named(const std::string& name) {
    std::string names;
    for (const auto& [known, make] : all()) {
        if (known == name) return make;
        names += (names.empty() ? "" : ", ") + known;
    }
    throw Error("policy '" + name + "' is not one of " + names);
}

}  // namespace hopbine::regret
