#include "simulation/sharing.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace hopbine::simulation {

Sharing::Sharing(const network::Topology& t, double bandwidth) : links_(t.links().size()) {
    for (std::size_t l = 0; l < links_.size(); ++l)
        links_[l].capacity = t.links()[l].capacity * bandwidth;
}

int Sharing::add(const std::vector<network::Hop>& hops) {
    if (unused_.empty()) {
        unused_.push_back(static_cast<int>(flows_.size()));
        flows_.emplace_back();
    }
    const int id = unused_.back();
    unused_.pop_back();
    Flow& f = flows_[static_cast<std::size_t>(id)];
    f.rate = 0;
    f.uses.clear();
    for (const network::Hop& h : hops) {
        Shared& l = links_[static_cast<std::size_t>(h.link)];
        f.uses.push_back({h.link, h.share, static_cast<int>(l.flows.size())});
        l.flows.emplace_back(id, static_cast<int>(f.uses.size()) - 1);
        if (!l.changed) l.changed = true, changed_.push_back(h.link);
    }
    return id;
}

void Sharing::remove(int id) {
    Flow& f = flows_[static_cast<std::size_t>(id)];
    for (const Use& u : f.uses) {
        Shared& l = links_[static_cast<std::size_t>(u.link)];
        const auto [moved, use] = l.flows.back();
        l.flows[static_cast<std::size_t>(u.at)] = l.flows.back();
        flows_[static_cast<std::size_t>(moved)].uses[static_cast<std::size_t>(use)].at = u.at;
        l.flows.pop_back();
        if (!l.changed) l.changed = true, changed_.push_back(u.link);
    }
    unused_.push_back(id);
}

/// Collects all links and flows that a change of this link can affect.
void Sharing::reach(int first) {
    if (links_[static_cast<std::size_t>(first)].seen == round_) return;
    links_[static_cast<std::size_t>(first)].seen = round_;
    reached_links_.push_back(first);
    for (std::size_t i = reached_links_.size() - 1; i < reached_links_.size(); ++i) {
        Shared& l = links_[static_cast<std::size_t>(reached_links_[i])];
        l.free = l.capacity;
        l.weight = 0;
        for (const auto& [flow, use] : l.flows) {
            Flow& f = flows_[static_cast<std::size_t>(flow)];
            l.weight += f.uses[static_cast<std::size_t>(use)].share;
            if (f.seen == round_) continue;
            f.seen = round_;
            f.fixed = false;
            reached_flows_.push_back(flow);
            for (const Use& u : f.uses) {
                Shared& next = links_[static_cast<std::size_t>(u.link)];
                if (next.seen == round_) continue;
                next.seen = round_;
                reached_links_.push_back(u.link);
            }
        }
    }
}

/// Progressive filling. The link with the least room per flow fixes the rates of its flows, then
/// the next.
void Sharing::fill() {
    using Room = std::pair<double, int>;
    std::priority_queue<Room, std::vector<Room>, std::greater<>> rooms;
    const auto room = [&](const Shared& l) { return std::max(l.free, 0.0) / l.weight; };
    for (int i : reached_links_)
        if (!links_[static_cast<std::size_t>(i)].flows.empty())
            rooms.emplace(room(links_[static_cast<std::size_t>(i)]), i);
    std::size_t fixed = 0;
    while (fixed < reached_flows_.size() && !rooms.empty()) {
        const auto [level, i] = rooms.top();
        rooms.pop();
        Shared& l = links_[static_cast<std::size_t>(i)];
        if (l.weight <= 1e-9) continue;  // all its flows have fixed rates
        const double now = room(l);
        if (now > level * (1 + 1e-12)) {
            rooms.emplace(now, i);
            continue;
        }
        for (const auto& [flow, use] : l.flows) {
            Flow& f = flows_[static_cast<std::size_t>(flow)];
            if (f.fixed) continue;
            f.fixed = true;
            ++fixed;
            f.rate = now;
            for (const Use& u : f.uses) {
                Shared& other = links_[static_cast<std::size_t>(u.link)];
                other.free -= now * u.share;
                other.weight -= u.share;
            }
        }
    }
}

const std::vector<int>& Sharing::share() {
    ++round_;
    reached_links_.clear();
    reached_flows_.clear();
    renewed_.clear();
    for (int l : changed_) {
        links_[static_cast<std::size_t>(l)].changed = false;
        reach(l);
    }
    changed_.clear();
    before_.clear();
    for (int f : reached_flows_) before_.push_back(flows_[static_cast<std::size_t>(f)].rate);
    fill();
    for (std::size_t i = 0; i < reached_flows_.size(); ++i) {
        const double now = flows_[static_cast<std::size_t>(reached_flows_[i])].rate;
        if (std::abs(now - before_[i]) > 1e-12 * now) renewed_.push_back(reached_flows_[i]);
    }
    return renewed_;
}

}  // namespace hopbine::simulation
