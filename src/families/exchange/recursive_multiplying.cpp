#include "families/exchange/recursive_multiplying.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "families/radix.hpp"
#include "families/tree/tree.hpp"
#include "schedule/integers.hpp"

namespace hopbine {

namespace {

/// Ranks lo..hi-1.
struct Part {
    int lo, hi;
    int size() const { return hi - lo; }
};

/// Number of parts into which n ranks are divided, of at most `most` ranks each. Parts are equal if
/// that takes at most `limit` of them, otherwise they are as few as possible.
int parts_of(int n, int most, int limit) {
    const int fewest = ceil_div(n, most);
    for (int g = fewest; g <= std::min(limit, n); ++g)
        if (n % g == 0) return g;
    return fewest;
}

/// The i-th of `parts` parts of `all`.
Part child(const Part& all, int parts, int i) {
    const auto bound = [&](int j) {
        return all.lo + static_cast<int>(proportional(j, parts, all.size()));
    };
    return {bound(i), bound(i + 1)};
}
/// Index of the part that contains a rank: the one before the first that begins after the rank.
int index(const Part& all, int parts, int rank) {
    return static_cast<int>(proportional_from(rank + 1 - all.lo, all.size(), parts)) - 1;
}
/// The rank of `other` at the relative position of `rank` in `home`, rounded down.
int like(const Part& home, const Part& other, int rank) {
    return other.lo + static_cast<int>(proportional(rank - home.lo, home.size(), other.size()));
}
/// The first rank of `other` whose counterpart in `home` is `rank` or later.
int first_like(const Part& home, const Part& other, int rank) {
    return other.lo +
           static_cast<int>(proportional_from(rank - home.lo, home.size(), other.size()));
}

/// Descends to the part that contains a rank before step s. Calls f(part, parts, i) for every part
/// on the way: the number of its parts, and the index of the one with the rank.
template <class F>
Part descend(const Division& d, int rank, int s, F&& f) {
    Part all{0, d.p};
    for (int level = d.steps() - 1; level >= s; --level) {
        const int parts = d.parts(all.size(), level), i = index(all, parts, rank);
        f(all, parts, i);
        all = child(all, parts, i);
    }
    return all;
}
Part part_before(const Division& d, int rank, int s) {
    return descend(d, rank, s, [](const Part&, int, int) {});
}

/// Peers of a rank in a step, in the other parts that its own part merges with.
class Partners {
public:
    Partners(const Division& d, int rank, int s)
        : rank_(rank),
          all_(part_before(d, rank, s + 1)),
          parts_(d.parts(all_.size(), s)),
          mine_(index(all_, parts_, rank)),
          home_(child(all_, parts_, mine_)) {}
    /// The rank's own part.
    const Part& home() const { return home_; }
    /// Calls f(q) for every rank q that receives from this one.
    template <class F>
    void each_served(F&& f) const {
        each_other([&](const Part& other) {
            for (int q = first_like(home_, other, rank_); q < first_like(home_, other, rank_ + 1);
                 ++q)
                f(q);
        });
    }
    /// Calls f(q, part of q) for the rank q of every other part that this one receives from.
    template <class F>
    void each_serving(F&& f) const {
        each_other([&](const Part& other) { f(like(home_, other, rank_), other); });
    }

private:
    template <class F>
    void each_other(F&& f) const {
        for (int there = 0; there < parts_; ++there)
            if (there != mine_) f(child(all_, parts_, there));
    }
    int rank_;
    Part all_;
    int parts_, mine_;
    Part home_;
};

class Multiplying : public Schedule {
public:
    Multiplying(const Division& d, int blocks)
        : d_(d), blocks_(blocks), whole_(blocks > 0), steps_(d.steps()) {}
    int steps() const override { return steps_; }

    void moves(int rank, int s, Step& out) const override {
        const Partners partners(d_, rank, s);
        partners.each_served(
            [&](int q) { out.push_back({Direction::send, op(), q, carried(partners.home())}); });
        partners.each_serving([&](int q, const Part& its) {
            out.push_back({Direction::recv, op(), q, carried(its)});
        });
    }

private:
    Op op() const { return whole_ ? Op::reduce : Op::copy; }
    BlockSet carried(const Part& from) const {
        return whole_ ? BlockSet::range(0, blocks_) : BlockSet::range(from.lo, from.hi);
    }

    Division d_;
    int blocks_;
    bool whole_;
    int steps_;
};

/// Reduce_scatter with the nearest partners first.
/// - Before step s the ranks of each part A have reduced every block among them, each block at one
///   rank. After it those of the merged part P have.
/// - Block b is at rank b in the parts that contain this rank, and in others at the rank at the
///   same relative position.
class NearFirst : public Schedule {
public:
    explicit NearFirst(const Division& d)
        : d_(d), steps_(d.steps()), label_(static_cast<std::size_t>(d.p)) {
        // Numbers blocks by the last turn of their descent, then by the one before, and so on. The
        // blocks that a rank still covers are then contiguous.
        for (int level = steps_ - 1, n = d.p; level >= 0 && even_; --level) {
            even_ = n % d.parts(n, level) == 0;
            n /= d.parts(n, level);
        }
        std::vector<std::pair<std::int64_t, int>> order;
        order.reserve(label_.size());
        number({0, d.p}, steps_ - 1, 0, 1, order);
        if (!even_) std::sort(order.begin(), order.end());
        for (std::size_t i = 0; i < order.size(); ++i)
            label_[static_cast<std::size_t>(order[i].second)] =
                even_ ? order[i].first : static_cast<Block>(i);
    }
    int steps() const override { return steps_; }

    void moves(int rank, int s, Step& out) const override {
        const Partners partners(d_, rank, s);
        partners.each_served(
            [&](int q) { out.push_back({Direction::send, Op::reduce, q, held(q, s + 1)}); });
        partners.each_serving([&](int q, const Part&) {
            out.push_back({Direction::recv, Op::reduce, q, held(rank, s + 1)});
        });
    }

private:
    /// Appends the ranks of a part with their turns as a number. The turns into the part have the
    /// number `turns`; a turn on this level counts `weight`. Where parts are even the numbers are
    /// 0 .. p-1.
    void number(const Part& all, int level, std::int64_t turns, std::int64_t weight,
                std::vector<std::pair<std::int64_t, int>>& order) {
        if (level < 0) return order.emplace_back(turns, all.lo), void();
        const int parts = d_.parts(all.size(), level);
        const std::int64_t most = even_ ? parts : level + 1 == steps_ && d_.far > 1 ? d_.far : d_.k;
        for (int i = 0; i < parts; ++i)
            number(child(all, parts, i), level - 1, turns + i * weight, weight * most, order);
    }
    /// The blocks at a rank before step s.
    BlockSet held(int rank, int s) const {
        if (even_) {
            const Block width = d_.p / part_before(d_, rank, s).size(),
                        at = label_[static_cast<std::size_t>(rank)];
            return BlockSet::range(at - at % width, at - at % width + width);
        }
        std::vector<Block> out;
        collect(rank, s, out);
        return BlockSet::of(std::move(out));
    }
    void collect(int rank, int s, std::vector<Block>& out) const {
        if (s == steps_) return out.push_back(label_[static_cast<std::size_t>(rank)]);
        collect(rank, s + 1, out);
        Partners(d_, rank, s).each_served([&](int q) { collect(q, s + 1, out); });
    }

    Division d_;
    int steps_;
    std::vector<Block> label_;  ///< number of the block that ends at each rank
    bool even_ = true;          ///< whether all parts of a step have equal size
};

}  // namespace

int Division::steps() const {
    return p <= 1 ? 0 : far <= 1 ? ceil_log(k, p) : 1 + ceil_log(k, ceil_div(p, far));
}

int Division::parts(int n, int step) const {
    std::int64_t most = 1;
    for (int s = 0; s < step && most < n; ++s) most *= k;
    if (step + 1 == steps() && far > 1) return std::min(far, n);
    return parts_of(n, static_cast<int>(std::min<std::int64_t>(most, n)), k);
}

std::int64_t Division::messages() const {
    // Number of parts of each size on a level.
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

Division Division::of(const Problem& q) {
    return {q.p, radix::k(q), static_cast<int>(q.get("far"))};
}

SchedulePtr multiplying_allgather(const Division& d) { return std::make_shared<Multiplying>(d, 0); }

SchedulePtr multiplying_near_first(const Division& d) { return std::make_shared<NearFirst>(d); }

SchedulePtr multiplying_allreduce(const Division& d, int blocks) {
    return std::make_shared<Multiplying>(d, blocks);
}

}  // namespace hopbine
