#include "families/exchange/recursive_multiplying.hpp"

#include <algorithm>
#include <map>

#include "families/exchange/merging_parts.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"
#include "schedule/integers.hpp"

namespace hopbine {

namespace {

/// Number of parts into which n ranks are divided, of at most `most` ranks each. Parts are equal if
/// that takes at most `limit` of them, otherwise they are as few as possible.
int parts_of(int n, int most, int limit) {
    const int fewest = ceil_div(n, most);
    for (int g = fewest; g <= std::min(limit, n); ++g)
        if (n % g == 0) return g;
    return fewest;
}

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

SchedulePtr multiplying_allreduce(const Division& d, int blocks) {
    return std::make_shared<Multiplying>(d, blocks);
}

}  // namespace hopbine
