#include "schedule/block_set.hpp"

#include <algorithm>
#include <array>

namespace hopbine {

namespace {

/// Sorts blocks from first to first + span - 1. Large sets are those of alltoall on many ranks,
/// where each pass over 11 bits costs as much as one or two levels of a sort by comparison.
void sort(std::vector<Block>& ids, Block first, Block span) {
    constexpr std::size_t kFew = 1024;
    constexpr int kBits = 11;
    if (std::is_sorted(ids.begin(), ids.end())) return;
    if (ids.size() < kFew) return std::sort(ids.begin(), ids.end());
    std::vector<Block> sorted(ids.size());
    for (int shift = 0; (span - 1) >> shift > 0; shift += kBits) {
        const auto digit = [&](Block b) {
            return static_cast<std::size_t>((b - first) >> shift) & ((1u << kBits) - 1);
        };
        std::array<std::size_t, (1u << kBits) + 1> begin{};
        for (Block b : ids) ++begin[digit(b) + 1];
        for (std::size_t d = 1; d < begin.size(); ++d) begin[d] += begin[d - 1];
        for (Block b : ids) sorted[begin[digit(b)]++] = b;
        ids.swap(sorted);
    }
}

}  // namespace

void BlockSet::append(Block lo, Block hi) {
    if (lo >= hi) return;
    if (!runs_.empty() && lo <= runs_.back().hi)
        runs_.back().hi = std::max(runs_.back().hi, hi);
    else
        runs_.push_back({lo, hi});
}

BlockSet BlockSet::range(Block lo, Block hi) {
    BlockSet s;
    s.append(lo, hi);
    return s;
}

BlockSet BlockSet::circular(Block start, Block n, Block p) {
    if (n >= p) return range(0, p);
    start = ((start % p) + p) % p;
    BlockSet s;
    if (start + n > p) s.append(0, start + n - p);
    s.append(start, std::min(start + n, p));
    return s;
}

BlockSet BlockSet::of(std::vector<Block> ids) {
    BlockSet s;
    if (ids.empty()) return s;
    const auto [lo, hi] = std::minmax_element(ids.begin(), ids.end());
    const Block first = *lo, span = *hi - first + 1;
    // Marking is cheaper than sorting for dense sets (subtrees, halves of a vector).
    if (span <= static_cast<Block>(ids.size()) * 8) {
        std::vector<char> member(static_cast<std::size_t>(span) + 1, 0);
        for (Block b : ids) member[static_cast<std::size_t>(b - first)] = 1;
        for (Block b = 0; b < span;) {
            if (!member[static_cast<std::size_t>(b)]) {
                ++b;
                continue;
            }
            Block e = b;
            while (member[static_cast<std::size_t>(e)]) ++e;
            s.append(first + b, first + e);
            b = e;
        }
        return s;
    }
    sort(ids, first, span);
    for (Block b : ids) s.append(b, b + 1);
    return s;
}

BlockSet BlockSet::of_runs(std::vector<Run> runs) {
    const auto earlier = [](const Run& a, const Run& b) { return a.lo < b.lo; };
    if (!std::is_sorted(runs.begin(), runs.end(), earlier))
        std::sort(runs.begin(), runs.end(), earlier);
    BlockSet s;
    for (const Run& r : runs) s.append(r.lo, r.hi);
    return s;
}

Block BlockSet::size() const {
    Block n = 0;
    for (const Run& r : runs_) n += r.hi - r.lo;
    return n;
}

bool BlockSet::contains(Block b) const {
    auto it = std::upper_bound(runs_.begin(), runs_.end(), b,
                               [](Block x, const Run& r) { return x < r.lo; });
    return it != runs_.begin() && b < std::prev(it)->hi;
}

BlockSet BlockSet::minus(const BlockSet& other) const {
    BlockSet out;
    auto o = other.runs_.begin();
    for (Run r : runs_) {
        while (o != other.runs_.end() && o->hi <= r.lo) ++o;
        for (auto k = o; k != other.runs_.end() && k->lo < r.hi; ++k) {
            out.append(r.lo, std::min(k->lo, r.hi));
            r.lo = std::max(r.lo, k->hi);
        }
        out.append(r.lo, r.hi);
    }
    return out;
}

BlockSet BlockSet::plus(const BlockSet& other) const {
    std::vector<Run> all(runs_);
    all.insert(all.end(), other.runs_.begin(), other.runs_.end());
    return of_runs(std::move(all));
}

BlockSet BlockSet::rotated(Block by, Block p) const {
    by = ((by % p) + p) % p;
    if (by == 0) return *this;
    BlockSet wrapped, kept;
    for (const Run& r : runs_) {
        kept.append(std::min(r.lo + by, p), std::min(r.hi + by, p));
        wrapped.append(std::max(r.lo + by, p) - p, std::max(r.hi + by, p) - p);
    }
    for (const Run& r : kept.runs_) wrapped.append(r.lo, r.hi);
    return wrapped;
}

std::string BlockSet::text() const {
    std::string out;
    for (const Run& r : runs_) {
        if (!out.empty()) out += ';';
        out += std::to_string(r.lo);
        if (r.hi - r.lo > 1) out += '-' + std::to_string(r.hi - 1);
    }
    return out;
}

}  // namespace hopbine
