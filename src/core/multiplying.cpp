#include "core/multiplying.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "core/numbers.hpp"
#include "core/tree.hpp"

namespace hopbine {

namespace {

/// Ranks lo..hi-1.
struct Part {
    int lo, hi;
    int size() const { return hi - lo; }
};

int rounded_up(std::int64_t a, std::int64_t b) { return static_cast<int>((a + b - 1) / b); }

/// Into how many parts of at most `most` ranks, at most `limit` parts, n ranks are divided: equal ones where that can be, else as few as possible.
int parts_of(int n, int most, int limit) {
    const int fewest = rounded_up(n, most);
    for (int g = fewest; g <= std::min(limit, n); ++g)
        if (n % g == 0) return g;
    return fewest;
}

/// The part of `parts` of a part that holds `rank`, and the i-th.
int index(const Part& all, int parts, int rank) { return static_cast<int>((std::int64_t{rank - all.lo + 1} * parts - 1) / all.size()); }
Part child(const Part& all, int parts, int i) {
    const auto bound = [&](std::int64_t j) { return all.lo + static_cast<int>(j * all.size() / parts); };
    return {bound(i), bound(i + 1)};
}
Part child_with(const Part& all, int parts, int rank) { return child(all, parts, index(all, parts, rank)); }

class Multiplying : public Schedule {
public:
    Multiplying(const Division& d, int blocks) : d_(d), blocks_(blocks), whole_(blocks > 0), steps_(d.steps()) {}
    int steps() const override { return steps_; }

    void moves(int rank, int s, Step& out) const override {
        Part all{0, d_.p};
        for (int level = steps_ - 1; level > s; --level) all = child(all, parts(all, level), index(all, parts(all, level), rank));
        const int g = parts(all, s), mine = index(all, g, rank);
        const Part home = child(all, g, mine);
        for (int there = 0; there < g; ++there) {
            if (there == mine) continue;
            const Part other = child(all, g, there);
            // Ranks i of `other` whose position is that of this rank: i * home / other, rounded down.
            for (int i = rounded_up(std::int64_t{rank - home.lo} * other.size(), home.size());
                 i < rounded_up(std::int64_t{rank - home.lo + 1} * other.size(), home.size()); ++i)
                out.push_back({Way::send, mode(), other.lo + i, carried(home)});
        }
        for (int there = 0; there < g; ++there) {
            if (there == mine) continue;
            const Part other = child(all, g, there);
            out.push_back({Way::recv, mode(), other.lo + static_cast<int>(std::int64_t{rank - home.lo} * other.size() / home.size()), carried(other)});
        }
    }

private:
    Mode mode() const { return whole_ ? Mode::reduce : Mode::copy; }
    BlockSet carried(const Part& from) const { return whole_ ? BlockSet::range(0, blocks_) : BlockSet::range(from.lo, from.hi); }

    int parts(const Part& all, int level) const { return d_.parts(all.size(), level); }

    Division d_;
    int blocks_;
    bool whole_;
    int steps_;
};

/// Before step s the part A of a rank has summed up every block, each with one member; after it the part P that A is of has. Where block b is then: with rank b inside the part
/// that rank b is in, elsewhere with the member at the same relative position.
class NearFirst : public Schedule {
public:
    explicit NearFirst(const Division& d) : d_(d), steps_(d.steps()), label_(static_cast<std::size_t>(d.p)) {
        // Sorted by the last digit of the way down the parts, then by the one before: what a rank still has to do with lies together.
        std::vector<std::vector<int>> digits;
        for (int b = 0; b < d.p; ++b) {
            std::vector<int>& way = digits.emplace_back();
            Part all{0, d.p};
            for (int level = steps_ - 1; level >= 0; --level) {
                const int g = d.parts(all.size(), level);
                way.insert(way.begin(), index(all, g, b));
                all = child_with(all, g, b);
            }
        }
        std::vector<int> order(label_.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return digits[static_cast<std::size_t>(a)] < digits[static_cast<std::size_t>(b)]; });
        for (std::size_t i = 0; i < order.size(); ++i) label_[static_cast<std::size_t>(order[i])] = static_cast<Block>(i);
    }
    int steps() const override { return steps_; }

    void moves(int rank, int s, Step& out) const override {
        const std::vector<Part> parts = parts_of_rank(rank);
        std::map<int, std::vector<Block>> to, from;
        for (int b = 0; b < d_.p; ++b) {
            const int after = holder(parts, b, s + 1), before = handed_down(parts[at(s + 1)], parts[at(s)], s, after);
            if (after != rank && before == rank) to[after].push_back(label_[static_cast<std::size_t>(b)]);
            if (after != rank) continue;
            const int g = d_.parts(parts[at(s + 1)].size(), s);
            for (int i = 0; i < g; ++i) {
                const int peer = handed_down(parts[at(s + 1)], child(parts[at(s + 1)], g, i), s, rank);
                if (peer != rank) from[peer].push_back(label_[static_cast<std::size_t>(b)]);
            }
        }
        for (auto& [peer, blocks] : to) out.push_back({Way::send, Mode::reduce, peer, BlockSet::of(std::move(blocks))});
        for (auto& [peer, blocks] : from) out.push_back({Way::recv, Mode::reduce, peer, BlockSet::of(std::move(blocks))});
    }

private:
    static std::size_t at(int level) { return static_cast<std::size_t>(level); }
    /// The parts that a rank is in: [s] before step s, [steps] all ranks.
    std::vector<Part> parts_of_rank(int rank) const {
        std::vector<Part> out(at(steps_) + 1, Part{0, d_.p});
        for (int level = steps_ - 1; level >= 0; --level) out[at(level)] = child_with(out[at(level + 1)], d_.parts(out[at(level + 1)].size(), level), rank);
        return out;
    }
    /// Which member of `part`, one of those of `all`, has what `holder` is to have in `all`.
    int handed_down(const Part& all, const Part& part, int level, int holder) const {
        if (part.lo <= holder && holder < part.hi) return holder;
        const Part other = child_with(all, d_.parts(all.size(), level), holder);
        return part.lo + static_cast<int>(std::int64_t{holder - other.lo} * part.size() / other.size());
    }
    /// Who has block b in the part of `level`.
    int holder(const std::vector<Part>& parts, int b, int level) const {
        int with = b;
        for (int l = steps_ - 1; l >= level; --l) with = handed_down(parts[at(l + 1)], parts[at(l)], l, with);
        return with;
    }

    Division d_;
    int steps_;
    std::vector<Block> label_;  ///< of the block that ends with a rank
};

}  // namespace

int Division::steps() const { return p <= 1 ? 0 : far <= 1 ? ceil_log(k, p) : 1 + ceil_log(k, rounded_up(p, far)); }

int Division::parts(int n, int step) const {
    std::int64_t most = 1;
    for (int s = 0; s < step && most < n; ++s) most *= k;
    if (step + 1 == steps() && far > 1) return std::min(far, n);
    return parts_of(n, static_cast<int>(std::min<std::int64_t>(most, n)), k);
}

std::int64_t Division::messages() const {
    // How many parts of a level there are of each size.
    std::map<int, std::int64_t> sizes = {{p, 1}};
    std::int64_t all = 0;
    for (int level = steps() - 1; level >= 0; --level) {
        std::map<int, std::int64_t> below;
        for (const auto& [size, times] : sizes) {
            const int g = parts(size, level);
            all += times * size * (g - 1);
            below[size / g] += times * (g - size % g);
            below[size / g + 1] += times * (size % g);
        }
        sizes = std::move(below);
    }
    return all;
}

Division Division::of(const Problem& q) { return {q.p, static_cast<int>(q.get("k")), static_cast<int>(q.get("far"))}; }

SchedulePtr multiplying_allgather(const Division& d) { return std::make_shared<Multiplying>(d, 0); }

SchedulePtr multiplying_near_first(const Division& d) { return std::make_shared<NearFirst>(d); }

SchedulePtr multiplying_allreduce(const Division& d, int blocks) { return std::make_shared<Multiplying>(d, blocks); }

}  // namespace hopbine
