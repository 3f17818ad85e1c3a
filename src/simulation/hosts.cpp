#include "simulation/hosts.hpp"

#include <algorithm>

#include "schedule/bounds.hpp"
#include "schedule/near_names.hpp"
#include "schedule/problem.hpp"

namespace hopbine::simulation {

namespace {

struct Key {
    const char* name;
    double MessageCosts::* value;
};

constexpr Key kKeys[] = {{"send", &MessageCosts::send},
                         {"receive", &MessageCosts::receive},
                         {"latency", &MessageCosts::latency},
                         {"eager", &MessageCosts::eager},
                         {"inside_latency", &MessageCosts::inside_latency},
                         {"inside", &MessageCosts::inside},
                         {"unexpected", &MessageCosts::unexpected},
                         {"reduce", &MessageCosts::reduce},
                         {"block", &MessageCosts::block},
                         {"copy", &MessageCosts::copy}};

}  // namespace

std::map<std::string, double> values(const MessageCosts& costs) {
    std::map<std::string, double> out;
    for (const Key& key : kKeys) out[key.name] = costs.*key.value;
    return out;
}

MessageCosts message_costs(const std::map<std::string, double>& values) {
    MessageCosts out;
    std::vector<std::string> names;
    for (const Key& key : kKeys) names.emplace_back(key.name);
    for (const auto& [name, value] : values) {
        const auto* const key = std::find_if(std::begin(kKeys), std::end(kKeys),
                                             [&](const Key& k) { return k.name == name; });
        if (key == std::end(kKeys))
            throw Error("a message has no cost '" + shown(name) + "'" + is_meant(name, names));
        if (!(value >= 0)) throw Error("the cost '" + name + "' of a message is below 0");
        out.*key->value = value;
    }
    return out;
}

Hosts::Hosts(const std::vector<int>& node, int cards, const network::Topology& t) : cards_(cards) {
    if (cards < 1 || t.nodes() % cards != 0)
        throw Error(std::to_string(cards) + " network cards on a node do not divide the " +
                    std::to_string(t.nodes()) + " end points of " + t.name());
    if (cards > 1 && t.switches() == 0)
        throw Error("the end points of " + t.name() +
                    " are nodes with routers, not network cards: a node has one");
    std::vector<int> on(static_cast<std::size_t>(t.nodes() / cards), 0);
    for (int n : node) {
        if (n < 0 || n >= t.nodes() / cards)
            throw Error("node " + std::to_string(n) + " is outside 0.." +
                        std::to_string(t.nodes() / cards - 1) + " of " + t.name());
        ++on[static_cast<std::size_t>(n)];
    }
    plain_ = cards == 1 && std::ranges::all_of(on, [](int ranks) { return ranks <= 1; });
    std::vector<int> seen(on.size(), 0);
    for (int n : node) {
        const int of = on[static_cast<std::size_t>(n)], nth = seen[static_cast<std::size_t>(n)]++;
        const int own = std::max(1, cards / of), first = of < cards ? nth * own : nth * cards / of;
        ranks_.push_back({n, n * cards + first, static_cast<unsigned>(own)});
    }
}

}  // namespace hopbine::simulation
