#include "analysis/count.hpp"

#include "analysis/walk.hpp"

namespace hopbine {

namespace {

/// Group-to-group volumes of the whole schedule and of the current step.
class PairTable {
public:
    explicit PairTable(int groups)
        : k_(static_cast<std::size_t>(groups)),
          all_(groups <= kMostPairedGroups ? k_ * k_ : 0),
          now_(all_.size()) {}
    bool kept() const { return k_ <= kMostPairedGroups; }
    void add(int from, int to, std::int64_t blocks, std::int64_t messages, std::int64_t times) {
        if (!kept()) return;
        const std::size_t at = static_cast<std::size_t>(from) * k_ + static_cast<std::size_t>(to);
        all_[at].add(blocks * times, messages * times);
        if (now_[at] == 0) touched_.push_back(at);
        now_[at] += blocks;
    }
    /// Returns the largest volume of this step, and resets it for the next.
    std::int64_t end_step() {
        std::int64_t worst = 0;
        for (std::size_t at : touched_) {
            worst = std::max(worst, now_[at]);
            now_[at] = 0;
        }
        touched_.clear();
        return worst;
    }
    std::vector<Pair> list() const {
        std::vector<Pair> out;
        for (std::size_t at = 0; at < all_.size(); ++at)
            if (all_[at].messages)
                out.push_back({static_cast<int>(at / k_), static_cast<int>(at % k_), all_[at]});
        return out;
    }

private:
    std::size_t k_;
    std::vector<Volume> all_;
    std::vector<std::int64_t> now_;
    std::vector<std::size_t> touched_;
};

std::int64_t largest(const std::vector<std::int64_t>& x) {
    return x.empty() ? 0 : *std::max_element(x.begin(), x.end());
}

}  // namespace

Traffic count(const Algorithm& a, const Problem& given, const Placement& place) {
    const Problem q = resolve(a, given);
    validate(place, q.p);
    const Units groups(place.group), nodes(place.node);
    const SchedulePtr s = a.make(q);
    Traffic out;
    out.steps = s->steps();
    out.parts = s->traits().parts;
    out.groups = groups.count();
    out.nodes = nodes.count();
    const auto k = static_cast<std::size_t>(out.groups), n = static_cast<std::size_t>(out.nodes);
    out.group_out.resize(k);
    out.group_in.resize(k);
    out.node_out.resize(n);
    out.node_in.resize(n);
    PairTable pairs(out.groups);
    std::vector<std::int64_t> leaving(k), entering(k);
    for (const Pattern& now : patterns(*s)) {
        StepTraffic step{now.step, now.times, {}};
        std::fill(leaving.begin(), leaving.end(), 0);
        std::fill(entering.begin(), entering.end(), 0);
        walk(*s, q.p, now.step,
             [&](int from, int to, std::int64_t blocks, std::int64_t messages, Op) {
                 const int node_from = nodes.of(from), node_to = nodes.of(to),
                           group_from = groups.of(from), group_to = groups.of(to);
                 if (node_from == node_to)
                     return out.inside.add(blocks * now.times, messages * now.times);
                 out.node_out[static_cast<std::size_t>(node_from)].add(blocks * now.times,
                                                                       messages * now.times);
                 out.node_in[static_cast<std::size_t>(node_to)].add(blocks * now.times,
                                                                    messages * now.times);
                 if (group_from == group_to)
                     return out.local.add(blocks * now.times, messages * now.times);
                 step.global.add(blocks, messages);
                 out.group_out[static_cast<std::size_t>(group_from)].add(blocks * now.times,
                                                                         messages * now.times);
                 out.group_in[static_cast<std::size_t>(group_to)].add(blocks * now.times,
                                                                      messages * now.times);
                 leaving[static_cast<std::size_t>(group_from)] += blocks;
                 entering[static_cast<std::size_t>(group_to)] += blocks;
                 pairs.add(group_from, group_to, blocks, messages, now.times);
             });
        step.worst_uplink = std::max(largest(leaving), largest(entering));
        step.worst_pair = pairs.end_step();
        out.global.add(step.global.blocks * now.times, step.global.messages * now.times);
        out.by_step.push_back(step);
    }
    out.pairs = pairs.list();
    out.pairs_kept = pairs.kept();
    return out;
}

std::int64_t lower_bound(const Problem& q, const Placement& place) {
    const Units groups(place.group);
    const std::int64_t p = q.p, others = groups.count() - 1;
    const CollectiveSpec& c = spec(q.collective);
    if (!c.has_data()) return 0;
    if (c.prefix()) return others * p;  // each group but one needs a sum of those before it
    // Contributions leave all groups but one; results enter all groups but one.
    const int crossings = int{c.reduces()} + int{c.after == Owner::every};
    if (crossings > 0) return others * p * crossings;
    if (c.rooted()) return p - groups.size(groups.of(q.root));
    std::int64_t inside = 0;
    for (int g = 0; g < groups.count(); ++g)
        inside += std::int64_t{groups.size(g)} * groups.size(g);
    return p * p - inside;
}

}  // namespace hopbine
