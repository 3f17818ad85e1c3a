#include "families/bine/bine.hpp"

#include <cassert>

#include "schedule/integers.hpp"

namespace hopbine::bine {

std::int64_t rho(int s) {
    return (1 - ((s % 2 ? std::int64_t{1} : std::int64_t{-1}) << (s + 1))) / 3;
}

namespace {
constexpr std::uint32_t kOdd = 0xAAAAAAAAu;   // digits worth -2, -8, ...
constexpr std::uint32_t kEven = 0x55555555u;  // digits worth 1, 4, ...
std::uint32_t low(int p) { return static_cast<std::uint32_t>(p - 1); }
}  // namespace

std::uint32_t rank2nb(int r, int p) {
    assert(power_of_two(p) && r >= 0 && r < p);
    const int m =
        static_cast<int>(kEven & low(p));  // the largest value of log2(p) negabinary digits
    const auto x = static_cast<std::uint32_t>(r <= m ? r : r - p);
    return ((x + kOdd) ^ kOdd) & low(p);
}

int nb2rank(std::uint32_t digits, int p) {
    return mod(static_cast<std::int32_t>((digits ^ kOdd) - kOdd), p);
}

std::uint32_t h(int r, int p) { return r % 2 ? rank2nb(r, p) : rank2nb(mod(p - r, p), p); }

std::uint32_t v(int r, int p) {
    const std::uint32_t digits = h(r, p);
    return digits ^ (digits >> 1);
}

std::uint32_t nu(int r, int p) {
    std::uint32_t bits = v(r, p), out = 0;
    for (int left = floor_log2(p); left > 0; --left, bits >>= 1) out = out << 1 | (bits & 1);
    return out;
}

std::vector<Block> permutation(int p) {
    std::vector<Block> out(static_cast<std::size_t>(p));
    for (int r = 0; r < p; ++r) out[static_cast<std::size_t>(r)] = nu(r, p);
    return out;
}

namespace {
/// The rank at a distance, ahead for even parity and back for odd parity. The parity is that of the
/// rank in a butterfly, of the depth in a tree.
int towards(int rank, int parity, std::int64_t distance, int p) {
    return mod(parity % 2 ? rank - distance : rank + distance, p);
}
}  // namespace

int pi(int r, int s, int p) { return towards(r, r, rho(s), p); }

Tree halving_tree(int p) {
    const int S = ceil_log2(p);
    return Tree::grow(
        p, S, [=](int v, int depth, int i) { return towards(v, depth, rho(S - 1 - i), p); });
}

Tree doubling_tree(int p) {
    if (p % 2 && p > 1) return Tree::with_leaf(doubling_tree(p - 1));
    return Tree::grow(p, ceil_log2(p),
                      [=](int v, int depth, int j) { return towards(v, depth, rho(j), p); });
}

Butterfly::Butterfly(int p, Order order) : p_(p) {
    assert(p == 1 || p % 2 == 0);
    const int S = ceil_log2(p);
    for (int t = 0; t < S; ++t)
        distance_.push_back(mod(rho(order == Order::doubling ? t : S - 1 - t), p));
    // Offsets that rank 0 covers from step t on. They are those from step t + 1 on, and the
    // mirrored ones of its partner. A block that would be sent twice is dropped from the earlier
    // step (App. C); the later step must keep it.
    step_of_.assign(static_cast<std::size_t>(p), -1);
    offsets_.resize(static_cast<std::size_t>(S));
    std::vector<int> reach = {0};
    reach.reserve(static_cast<std::size_t>(p));
    for (int t = S - 1; t >= 0; --t) {
        auto& sent = offsets_[static_cast<std::size_t>(t)];
        for (int d : reach) {
            int mirrored = distance_[static_cast<std::size_t>(t)] - d;
            if (mirrored < 0) mirrored += p;
            int& step = step_of_[static_cast<std::size_t>(mirrored)];
            if (mirrored == 0 || step >= 0) continue;
            step = t;
            sent.push_back(mirrored);
        }
        reach.insert(reach.end(), sent.begin(), sent.end());
    }
    circular_.assign(static_cast<std::size_t>(S), 0);
    for (int d = 1; d < p; ++d) {
        const int t = step_of_[static_cast<std::size_t>(d)];
        if (t != step_of_[static_cast<std::size_t>(d) - 1])
            ++circular_[static_cast<std::size_t>(t)];
    }
}

int Butterfly::partner(int r, int t) const {
    return towards(r, r, distance_[static_cast<std::size_t>(t)], p_);
}

std::vector<Block> Butterfly::sent(int r, int t) const {
    std::vector<Block> out;
    out.reserve(offsets_[static_cast<std::size_t>(t)].size());
    for (int d : offsets_[static_cast<std::size_t>(t)]) {
        int b = r % 2 ? r - d : r + d;
        if (b < 0) b += p_;
        if (b >= p_) b -= p_;
        out.push_back(b);
    }
    return out;
}

std::int64_t Butterfly::runs_sent(int r, int t) const {
    // A run is cut between block p - 1 and block 0. Offset 0 is in no run.
    const bool cut = sent_at(r, p_ - 1) == t && sent_at(r, 0) == t;
    return circular_[static_cast<std::size_t>(t)] + cut;
}

std::vector<std::int64_t> Butterfly::contributions() const {
    // Contributions that a rank has to the block at an offset. What it sends at offset d is at the
    // mirrored offset of its partner.
    std::vector<std::int64_t> has(static_cast<std::size_t>(p_), 1), out;
    for (std::size_t t = 0; t < offsets_.size(); ++t) {
        std::int64_t& sum = out.emplace_back(0);
        for (int d : offsets_[t]) {
            const std::int64_t moved = has[static_cast<std::size_t>(d)];
            sum += moved;
            has[static_cast<std::size_t>(mod(distance_[t] - d, p_))] += moved;
        }
    }
    return out;
}

int Butterfly::sent_at(int r, int b) const {
    return step_of_[static_cast<std::size_t>(mod(r % 2 ? r - b : b - r, p_))];
}

}  // namespace hopbine::bine
