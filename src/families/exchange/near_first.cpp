#include <algorithm>
#include <mutex>
#include <numeric>
#include <span>
#include <vector>

#include "families/exchange/merging_parts.hpp"

namespace hopbine {

namespace {

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

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        std::call_once(counted_, [this] { count_held(); });
        const auto held = [&, this](int r) { return numbers_[at(s + 1)][at(r)]; };
        const Partners partners(d_, rank, s);
        partners.each_served(
            [&](int q) { out.push_back({Direction::send, Op::reduce, q, held(q)}); });
        partners.each_serving([&](int q, const Part&) {
            out.push_back({Direction::recv, Op::reduce, q, held(rank)});
        });
    }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
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
    /// Counts the blocks at every rank before every step, from the last step back.
    void count_held() const {
        numbers_.assign(at(steps_) + 1, std::vector<std::int64_t>(label_.size(), 1));
        std::vector<Part> parts = {{0, d_.p}};
        std::vector<std::int64_t> before(label_.size() + 1, 0);  // sums of those of lower ranks
        for (int s = steps_ - 1; s >= 0; --s) {
            const auto& after = numbers_[at(s + 1)];
            std::partial_sum(after.begin(), after.end(), before.begin() + 1);
            std::vector<Part> smaller;
            for (const Part& all : parts) {
                const std::size_t first = smaller.size();
                for (int i = 0, n = d_.parts(all.size(), s); i < n; ++i)
                    smaller.push_back(child(all, n, i));
                const std::span<const Part> siblings(smaller.begin() + first, smaller.end());
                for (const Part& home : siblings)
                    count_held(home, siblings, before, numbers_[at(s)]);
            }
            parts = std::move(smaller);
        }
    }
    /// Counts the blocks at the ranks of a part before they are reduced with its siblings: each has
    /// those of the ranks that it serves.
    static void count_held(const Part& home, std::span<const Part> siblings,
                           const std::vector<std::int64_t>& before,
                           std::vector<std::int64_t>& out) {
        for (int r = home.lo; r < home.hi; ++r) {
            std::int64_t& n = out[at(r)] = 0;
            for (const Part& other : siblings)
                n += before[at(first_like(home, other, r + 1))] -
                     before[at(first_like(home, other, r))];
        }
    }

    Division d_;
    int steps_;
    std::vector<Block> label_;  ///< number of the block that ends at each rank
    bool even_ = true;          ///< whether all parts of a step have equal size
    mutable std::once_flag counted_;
    mutable std::vector<std::vector<std::int64_t>> numbers_;  ///< [step][rank] of blocks held
};

}  // namespace

SchedulePtr multiplying_near_first(const Division& d) { return std::make_shared<NearFirst>(d); }

}  // namespace hopbine
