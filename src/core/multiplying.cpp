#include "core/multiplying.hpp"

#include <algorithm>
#include <map>

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
    static Part child(const Part& all, int parts, int i) {
        const auto bound = [&](std::int64_t j) { return all.lo + static_cast<int>(j * all.size() / parts); };
        return {bound(i), bound(i + 1)};
    }
    static int index(const Part& all, int parts, int rank) {
        return static_cast<int>((std::int64_t{rank - all.lo + 1} * parts - 1) / all.size());
    }

    Division d_;
    int blocks_;
    bool whole_;
    int steps_;
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

SchedulePtr multiplying_allreduce(const Division& d, int blocks) { return std::make_shared<Multiplying>(d, blocks); }

}  // namespace hopbine
