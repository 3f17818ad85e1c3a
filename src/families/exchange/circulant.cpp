#include "families/exchange/circulant.hpp"

#include <algorithm>

#include "combinators/symmetric.hpp"
#include "schedule/integers.hpp"

namespace hopbine::circulant {

namespace {

/// The smallest of the skips that lead from rank 0 to rank r, the greatest possible first; q for
/// rank 0 itself. The rank is first reached along this skip.
int base(const std::vector<int>& skip, int r) {
    int k = static_cast<int>(skip.size()) - 1;
    for (int rest = r; rest > 0;) {
        --k;
        if (skip[static_cast<std::size_t>(k)] <= rest) rest -= skip[static_cast<std::size_t>(k)];
    }
    return k;
}

/// Search for the ranks whose base blocks a rank receives (arXiv 2312.11236, Sec. 2.3). For step k
/// these are ranks from r - skip[k + 1] + 1 to r - skip[k], each before the one found last, with a
/// base that is not used yet.
class Search {
public:
    Search(const std::vector<int>& skip, int r)
        : skip_(skip),
          target_(skip.back() + r),
          last_(2 * skip.back()),
          used_(1u << base(skip, r)) {
        from(0, q());
    }
    /// The base found for each step.
    const std::vector<int>& found() const { return found_; }

private:
    int q() const { return static_cast<int>(skip_.size()) - 1; }
    int skip(int k) const { return skip_[static_cast<std::size_t>(k)]; }
    /// The step for which a rank is sought.
    int step() const { return static_cast<int>(found_.size()); }
    bool reaches(int at) const { return at <= target_ - skip(step()) && at < last_; }
    bool early(int at) const { return step() < q() && at <= target_ - skip(step() + 1); }

    /// Continues from rank `at` along skips up to number e.
    void from(int at, int e) {
        for (; e >= 0 && step() < q(); --e) {
            const int next = at + skip(e);
            if ((used_ >> e & 1) || !reaches(next)) continue;
            if (early(next)) from(next, e);
            if (step() >= q() || !early(at)) return;
            last_ = next;
            found_.push_back(e);
            used_ |= 1u << e;
        }
    }

    const std::vector<int>& skip_;
    int target_, last_;
    std::uint32_t used_;  ///< bases that are
    std::vector<int> found_;
};

class Bcast : public Schedule {
public:
    Bcast(int p, int n)
        : Schedule({.parts = n, .parts_together = true}),
          p_(p),
          n_(n),
          skip_(skips(p)),
          q_(static_cast<int>(skip_.size()) - 1),
          unused_(q_ == 0 ? 0 : mod(1 - n, q_)) {}
    int steps() const override { return q_ == 0 ? 0 : q_ + n_ - 1; }
    void moves(int rank, int s, Step& out) const override {
        const int ahead = skip_[static_cast<std::size_t>((s + unused_) % q_)];
        if (const int to = mod(std::int64_t{rank} + ahead, p_); to != 0)
            add(Direction::send, to, to, s, out);
        if (rank != 0) add(Direction::recv, mod(std::int64_t{rank} - ahead, p_), rank, s, out);
    }

private:
    /// Adds the segment that `receiver` gets in step s. The phases end with the last step, so that
    /// the first phase leaves out its first steps. Segments beyond the last are the last one, and
    /// those before the first do not exist.
    void add(Direction direction, int peer, int receiver, int s, Step& out) const {
        const int k = (s + unused_) % q_, phase = (s + unused_) / q_;
        const int segment =
            received(skip_, receiver)[static_cast<std::size_t>(k)] + phase * q_ - unused_;
        if (segment < 0) return;
        const Block first = Block{std::min(segment, n_ - 1)} * p_;
        out.push_back({direction, Op::copy, peer, BlockSet::range(first, first + p_)});
    }

    int p_, n_;
    std::vector<int> skip_;
    int q_;
    int unused_;  ///< steps that the first phase leaves out
};

}  // namespace

std::vector<int> skips(int p) {
    std::vector<int> out = {p};
    while (out.back() > 1) out.push_back(ceil_div(out.back(), 2));
    std::ranges::reverse(out);
    return out;
}

std::vector<int> received(const std::vector<int>& skip, int r) {
    const int q = static_cast<int>(skip.size()) - 1;
    std::vector<int> out = Search(skip, r).found();
    for (int& e : out) e = e == q ? base(skip, r) : e - q;
    return out;
}

SchedulePtr bcast(int p, int n) { return std::make_shared<Bcast>(p, n); }

SchedulePtr allgather(int p) {
    const std::vector<int> skip = skips(p);
    const auto blocks = [skip](int k) {
        return skip[static_cast<std::size_t>(k) + 1] - skip[static_cast<std::size_t>(k)];
    };
    return shifts_of(
        p, static_cast<int>(skip.size()) - 1, Op::copy, [](int) { return 1; },
        [skip](int k, int) { return skip[static_cast<std::size_t>(k)]; },
        [p, blocks](int rank, int k, int) {
            return BlockSet::circular(mod(rank - blocks(k) + 1, p), blocks(k), p);
        },
        [blocks](int k, int) { return blocks(k); }, {});
}

}  // namespace hopbine::circulant
