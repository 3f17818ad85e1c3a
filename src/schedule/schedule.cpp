#include "schedule/schedule.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace hopbine {

void Schedule::sizes(int rank, int s, Wire wire, MoveSizes& out) const {
    if (wire == Wire::per_run)
        count_runs(rank, s, out);
    else
        count(rank, s, out);
}

bool Schedule::totals(int rank, MoveSizes& out) const {
    return traits_.wire != Wire::per_run && count_all(rank, out);
}

void Schedule::count(int rank, int s, MoveSizes& out) const {
    count_moves(rank, s, Wire::packed, out);
}

void Schedule::count_runs(int rank, int s, MoveSizes& out) const {
    count_moves(rank, s, Wire::per_run, out);
}

void Schedule::common(int rank, int s, const BlockSet& some, std::vector<std::int64_t>& out) const {
    Step all;
    moves(rank, s, all);
    for (const Move& m : all) out.push_back(m.blocks.common(some).size());
}

void Schedule::count_moves(int rank, int s, Wire wire, MoveSizes& out) const {
    Step all;
    moves(rank, s, all);
    for (const Move& m : all)
        out.push_back({m.direction, m.op, m.peer, m.blocks.size(), messages_of(m, wire)});
}

void reverse(MoveSizes& all, std::size_t from, Op op) {
    for (std::size_t i = from; i < all.size(); ++i) {
        all[i].direction = all[i].direction == Direction::send ? Direction::recv : Direction::send;
        all[i].op = op;
    }
}

Traits common_traits(const char* combinator, const std::vector<SchedulePtr>& members) {
    const Traits& first = members.front()->traits();
    int period = 1;
    bool mirrored = true;
    for (const auto& member : members) {
        const Traits& t = member->traits();
        require_fit(combinator, first, t);
        period = std::lcm(period, t.period);  // 0 if a member claims no period
        mirrored &= t.mirrored;
    }
    return {.parts = first.parts,
            .parts_together = first.parts_together,
            .channels = first.channels,
            .wire = first.wire,
            .layout = first.layout,
            .copies_in_flight = first.copies_in_flight,
            .period = period,
            .mirrored = mirrored,
            .classes = {},
            .barriers = {}};
}

bool totals_of_all(const std::vector<SchedulePtr>& members, int rank, MoveSizes& out) {
    const std::size_t before = out.size();
    for (const SchedulePtr& member : members)
        if (!member->totals(rank, out)) {
            out.resize(before, {});
            return false;
        }
    return true;
}

std::function<bool(int)> barriers_of_any(std::vector<SchedulePtr> members) {
    return [members = std::move(members)](int s) {
        return std::ranges::any_of(members, [s](const SchedulePtr& one) {
            return s < one->steps() && one->traits().barrier(s);
        });
    };
}

std::function<int(int)> classes_by_key(int steps, const std::function<std::vector<int>(int)>& key) {
    std::map<std::vector<int>, int> known;
    std::vector<int> classes;
    for (int s = 0; s < steps; ++s) classes.push_back(known.emplace(key(s), s).first->second);
    return [classes = std::move(classes)](int s) { return classes[static_cast<std::size_t>(s)]; };
}

}  // namespace hopbine
