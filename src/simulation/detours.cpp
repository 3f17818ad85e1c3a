#include "simulation/detours.hpp"

#include "schedule/problem.hpp"

namespace hopbine::simulation {

Detours::Detours(const network::Topology& t) : t_(t), grouped_(t.group_nodes() < t.nodes()) {
    const std::string kind = t.name().substr(0, t.name().find(':'));
    if (kind != "hyperx" && kind != "dragonfly" && kind != "dragonfly_plus")
        throw Error("routing on " + t.name() +
                    " is minimal; hyperx, dragonfly and dragonfly_plus have valiant and ugal");
}

bool Detours::draw(int from, int to, std::mt19937_64& random, std::vector<network::Hop>& there,
                   std::vector<network::Hop>& on) const {
    const int each = grouped_ ? t_.group_nodes() : 1, groups = t_.nodes() / each;
    const int a = from / each, b = to / each;
    if (a == b || groups < 3) return false;
    int group = static_cast<int>(random() % static_cast<unsigned>(groups - 2));
    if (group >= std::min(a, b)) ++group;
    if (group >= std::max(a, b)) ++group;
    const int by = group * each + static_cast<int>(random() % static_cast<unsigned>(each));
    network::Route route;
    t_.route(from, by, route);
    there = std::move(route.hops);
    t_.route(by, to, route);
    on = std::move(route.hops);
    if (t_.switches() > 0) {  // turn at the router of the node
        there.pop_back();
        on.erase(on.begin());
    }
    return true;
}

}  // namespace hopbine::simulation
