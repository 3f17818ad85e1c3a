/// Sets of blocks as sorted runs, so that thousands of consecutive blocks cost one run. A block is
/// the unit of data that schedules move.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hopbine {

using Block = std::int64_t;

/// Blocks lo, lo+1, ..., hi-1.
struct Run {
    Block lo, hi;
    bool operator==(const Run&) const = default;
};

/// A set of blocks: disjoint runs in ascending order, neighbours merged.
class BlockSet {
public:
    BlockSet() = default;
    /// The single run [lo, hi); empty when lo >= hi.
    static BlockSet range(Block lo, Block hi);
    static BlockSet single(Block b) { return range(b, b + 1); }
    /// The blocks start, start+1, ..., start+n-1 on the circle 0..p-1 (at most two runs).
    static BlockSet circular(Block start, Block n, Block p);
    /// The set of `ids`, in any order and with duplicates.
    static BlockSet of(std::vector<Block> ids);
    /// The union of `runs`, in any order and with overlaps.
    static BlockSet of_runs(std::vector<Run> runs);

    const std::vector<Run>& runs() const { return runs_; }
    bool empty() const { return runs_.empty(); }
    Block size() const;
    bool contains(Block b) const;
    BlockSet minus(const BlockSet& other) const;
    BlockSet plus(const BlockSet& other) const;
    BlockSet common(const BlockSet& other) const { return minus(minus(other)); }
    /// The set in which every block b becomes (b + by) mod p.
    BlockSet rotated(Block by, Block p) const;
    /// Text such as "0-3;7", as in `hopbine schedule --format csv`.
    std::string text() const;
    bool operator==(const BlockSet&) const = default;

    template <class F>
    void each(F&& f) const {
        for (const Run& r : runs_)
            for (Block b = r.lo; b < r.hi; ++b) f(b);
    }

private:
    void append(Block lo, Block hi);
    std::vector<Run> runs_;
};

}  // namespace hopbine
