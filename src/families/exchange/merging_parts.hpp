/// The parts of a Division (families/exchange/recursive_multiplying.hpp), and who exchanges with
/// whom when they merge.
#pragma once
#include "families/exchange/recursive_multiplying.hpp"
#include "schedule/integers.hpp"

namespace hopbine {

/// Ranks lo..hi-1.
struct Part {
    int lo, hi;
    int size() const { return hi - lo; }
};

/// The i-th of `parts` parts of `all`.
inline Part child(const Part& all, int parts, int i) {
    const auto bound = [&](int j) {
        return all.lo + static_cast<int>(proportional(j, parts, all.size()));
    };
    return {bound(i), bound(i + 1)};
}
/// Index of the part that contains a rank: the one before the first that begins after the rank.
inline int index(const Part& all, int parts, int rank) {
    return static_cast<int>(proportional_from(rank + 1 - all.lo, all.size(), parts)) - 1;
}
/// The rank of `other` at the relative position of `rank` in `home`, rounded down.
inline int like(const Part& home, const Part& other, int rank) {
    return other.lo + static_cast<int>(proportional(rank - home.lo, home.size(), other.size()));
}
/// The first rank of `other` whose counterpart in `home` is `rank` or later.
inline int first_like(const Part& home, const Part& other, int rank) {
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
inline Part part_before(const Division& d, int rank, int s) {
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

}  // namespace hopbine
