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

/// Into how many parts of at most `most` ranks, at most `limit` parts, n ranks are divided: equal
/// ones where that can be, else as few as possible.
int parts_of(int n, int most, int limit) {
    const int fewest = ceil_div(n, most);
    for (int g = fewest; g <= std::min(limit, n); ++g)
        if (n % g == 0) return g;
    return fewest;
}

/// The i-th of `parts` parts of a part.
Part child(const Part& all, int parts, int i) {
    const auto bound = [&](int j) {
        return all.lo + static_cast<int>(proportional(j, parts, all.size()));
    };
    return {bound(i), bound(i + 1)};
}
/// Which of them a rank is in: the one before the first that begins after it.
int index(const Part& all, int parts, int rank) {
    return static_cast<int>(proportional_from(rank + 1 - all.lo, all.size(), parts)) - 1;
}
/// The rank of `other` at the relative position of a rank of `home`, rounded down.
int like(const Part& home, const Part& other, int rank) {
    return other.lo + static_cast<int>(proportional(rank - home.lo, home.size(), other.size()));
}
/// The first rank of `other` whose like in `home` is `rank` or a later one.
int first_like(const Part& home, const Part& other, int rank) {
    return other.lo +
           static_cast<int>(proportional_from(rank - home.lo, home.size(), other.size()));
}

/// Down to the part that a rank is in before step s. f(part, parts, i) is told of every part on the
/// way: divided into how many, the rank in which.
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

/// Whom a rank exchanges with in a step: ranks of the other parts that its own is put together
/// with.
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
    /// Calls f(q) for every rank that gets something from this one.
    template <class F>
    void each_served(F&& f) const {
        each_other([&](const Part& other) {
            for (int q = first_like(home_, other, rank_); q < first_like(home_, other, rank_ + 1);
                 ++q)
                f(q);
        });
    }
    /// Calls f(q, its part) for the rank of every other part that this one gets something from.
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

/// Before step s the ranks of each part A have summed up every block among them, each block with
/// one of them; after it those of the part P of such parts have. Block b is with rank b in the
/// parts that have this rank, and in others with the rank at the same relative position.
class NearFirst : public Schedule {
public:
    explicit NearFirst(const Division& d)
        : d_(d), steps_(d.steps()), label_(static_cast<std::size_t>(d.p)) {
        // Sorted by the last turn of the way down the parts, then by the one before: what a rank
        // still has to do with lies together.
        std::vector<std::vector<int>> turns;
        for (int b = 0; b < d.p; ++b) {
            std::vector<int>& direction = turns.emplace_back();
            descend(d, b, 0, [&](const Part& all, int parts, int i) {
                even_ &= all.size() % parts == 0;
                direction.insert(direction.begin(), i);
            });
        }
        std::vector<int> order(label_.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return turns[static_cast<std::size_t>(a)] < turns[static_cast<std::size_t>(b)];
        });
        for (std::size_t i = 0; i < order.size(); ++i)
            label_[static_cast<std::size_t>(order[i])] = static_cast<Block>(i);
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
    /// The blocks that are with a rank before step s.
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
    std::vector<Block> label_;  ///< of the block that ends with a rank
    bool even_ = true;          ///< all parts of a step are of one size
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

Division Division::of(const Problem& q) {
    return {q.p, radix::k(q), static_cast<int>(q.get("far"))};
}

SchedulePtr multiplying_allgather(const Division& d) { return std::make_shared<Multiplying>(d, 0); }

SchedulePtr multiplying_near_first(const Division& d) { return std::make_shared<NearFirst>(d); }

SchedulePtr multiplying_allreduce(const Division& d, int blocks) {
    return std::make_shared<Multiplying>(d, blocks);
}

}  // namespace hopbine
