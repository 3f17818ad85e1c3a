#include "families/exchange/reduced.hpp"

#include "combinators/combinators.hpp"
#include "combinators/subset.hpp"
#include "combinators/symmetric.hpp"
#include "schedule/integers.hpp"

namespace hopbine::butterfly {

namespace {

class Eliminating : public Schedule {
public:
    explicit Eliminating(int p)
        : moves_(static_cast<std::size_t>(floor_log2(p)),
                 std::vector<Step>(static_cast<std::size_t>(p))) {
        std::vector<int> all;
        for (int r = 0; r < p; ++r) all.push_back(r);
        pair_up(all, 0, p, 0);
    }
    int steps() const override { return static_cast<int>(moves_.size()); }
    void moves(int rank, int s, Step& out) const override {
        const Step& all = moves_[static_cast<std::size_t>(s)][static_cast<std::size_t>(rank)];
        out.insert(out.end(), all.begin(), all.end());
    }

private:
    /// From step s on `members` reduce the blocks lo..hi - 1 among themselves.
    void pair_up(const std::vector<int>& members, Block lo, Block hi, std::size_t s) {
        if (members.size() == 1) return;
        const Block middle = lo + (hi - lo) / 2;
        std::vector<int> first, second;
        for (std::size_t i = 0; i + 1 < members.size(); i += 2) {
            first.push_back(members[i]);
            second.push_back(members[i + 1]);
            send(s, members[i], members[i + 1], middle, hi);
            send(s, members[i + 1], members[i], lo, middle);
        }
        if (members.size() % 2) {
            send(s, members.back(), first.back(), lo, middle);
            send(s, members.back(), second.back(), middle, hi);
        }
        pair_up(first, lo, middle, s + 1);
        pair_up(second, middle, hi, s + 1);
    }
    void send(std::size_t s, int from, int to, Block lo, Block hi) {
        const auto add = [&](int rank, Direction direction, int peer) {
            moves_[s][static_cast<std::size_t>(rank)].push_back(
                {direction, Op::reduce, peer, BlockSet::range(lo, hi)});
        };
        add(from, Direction::send, to);
        add(to, Direction::recv, from);
    }
    std::vector<std::vector<Step>> moves_;  ///< [step][rank]
};

}  // namespace

SchedulePtr reduced_doubling(int p, Sign sign) {
    const int core = 1 << floor_log2(p), paired = 2 * (p - core);
    if (paired == 0) return doubling(even(p, p), sign);
    std::vector<int> stay;
    for (int r = 0; r < p; ++r)
        if (r >= paired || r % 2 == 1) stay.push_back(r);
    const SchedulePtr before = exchanges(
        1, Op::reduce, [](int r, int) { return r ^ 1; },
        [=](int r, int) { return r < paired && r % 2 == 0 ? BlockSet::range(0, p) : BlockSet(); });
    return sequence({before, on_subset(doubling(even(core, p), sign), std::move(stay), p)});
}

int reduced_steps(int p) { return floor_log2(p) + !power_of_two(p); }

SchedulePtr eliminating_doubling(int p) { return std::make_shared<Eliminating>(p); }

}  // namespace hopbine::butterfly
