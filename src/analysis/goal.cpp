#include "analysis/goal.hpp"

#include <algorithm>
#include <limits>

#include "schedule/integers.hpp"

namespace hopbine {

namespace {

/// Bytes of parts, divided as in the executor (Layout in runtime/plan_memory.hpp). Blocks of an
/// alltoall continue in the same way: from p on they are the next rank's vector.
class Bytes {
public:
    Bytes(std::int64_t bytes, int p, int parts) : bytes_(bytes), p_(p), parts_(parts) {}
    std::int64_t operator()(const Run& r) const { return begin(r.hi) - begin(r.lo); }

private:
    std::int64_t begin(Block part) const {
        return part_begin(part, parts_, [this](Block b) { return proportional(b, p_, bytes_); });
    }

    std::int64_t bytes_;
    int p_, parts_;
};

/// Buffers lines, so that `write` is not called for each.
class Text {
public:
    explicit Text(const std::function<void(const std::string&)>& write) : write_(write) {}
    void line(const std::string& text) {
        held_ += text;
        held_ += '\n';
        if (held_.size() >= kPiece) flush();
    }
    void flush() {
        if (!held_.empty()) write_(held_);
        held_.clear();
    }

private:
    static constexpr std::size_t kPiece = 1 << 16;
    const std::function<void(const std::string&)>& write_;
    std::string held_;
};

class Rank {
public:
    Rank(const Schedule& s, const Bytes& bytes, Text& out)
        : s_(s),
          bytes_(bytes),
          out_(out),
          apart_(s.traits().wire == Wire::per_run && !s.traits().layout),
          last_(static_cast<std::size_t>(s.traits().channels)) {}

    void operations(int rank) {
        Step moves;
        for (int step = 0; step < s_.steps(); ++step) {
            if (s_.traits().barrier(step)) join();
            moves.clear();
            s_.moves(rank, step, moves);
            for (std::size_t channel = 0; channel < last_.size(); ++channel)
                operations(moves, static_cast<int>(channel));
        }
    }

private:
    using Labels = std::vector<std::int64_t>;

    /// From here on all channels require the last operations of every channel.
    void join() {
        Labels all;
        for (const Labels& labels : last_) all.insert(all.end(), labels.begin(), labels.end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        std::fill(last_.begin(), last_.end(), all);
    }

    void operations(const Step& moves, int channel) {
        Labels now;
        for (const Move& m : moves) {
            if (m.channel != channel) continue;
            std::int64_t whole = 0;
            for (const Run& r : m.blocks.runs()) {
                const std::int64_t bytes = bytes_(r);
                if (apart_) now.push_back(message(m, bytes));
                whole += bytes;
            }
            if (!apart_) now.push_back(message(m, whole));
        }
        if (now.empty()) return;
        Labels& before = last_[static_cast<std::size_t>(channel)];
        if (now.size() * before.size() > now.size() + before.size() + 1) {
            const std::int64_t all = operation("calc 0");
            require({all}, before);
            const Labels alike = before;  // also those of other channels after a barrier
            std::replace(last_.begin(), last_.end(), alike, Labels{all});
        }
        require(now, before);
        before = std::move(now);
    }

    std::int64_t message(const Move& m, std::int64_t bytes) {
        const std::string channel = std::to_string(m.channel), size = std::to_string(bytes);
        return operation((m.direction == Direction::send ? "send " + size + "b to "
                                                         : "recv " + size + "b from ") +
                         std::to_string(m.peer) + " tag " + channel + " cpu 0 nic " + channel);
    }

    std::int64_t operation(const std::string& what) {
        out_.line('l' + std::to_string(++labels_) + ": " + what);
        return labels_;
    }

    void require(const Labels& these, const Labels& those) {
        for (std::int64_t a : these)
            for (std::int64_t b : those)
                out_.line('l' + std::to_string(a) + " requires l" + std::to_string(b));
    }

    const Schedule& s_;
    const Bytes& bytes_;
    Text& out_;
    bool apart_;                ///< one message per run
    std::vector<Labels> last_;  ///< per channel: operations that its next ones require
    std::int64_t labels_ = 0;
};

}  // namespace

void export_goal(const Algorithm& a, const Problem& given,
                 const std::function<void(const std::string&)>& write) {
    const Problem q = resolve(a, given);
    const std::int64_t bytes = given.bytes;
    const SchedulePtr s = a.make(q);
    const std::int64_t parts = std::int64_t{q.p} * s->traits().parts,
                       most = std::numeric_limits<std::int64_t>::max() / parts;
    if (bytes < parts || bytes > most)
        throw Error("a size of " + std::to_string(bytes) + " bytes does not serve " +
                    name(q.collective) + ' ' + a.name + ", p = " + std::to_string(q.p) +
                    ": with at least one byte in each of its " + std::to_string(parts) +
                    " parts, " + std::to_string(parts) + " to " + std::to_string(most) +
                    " bytes do");
    const Bytes of_parts(bytes, q.p, s->traits().parts);
    Text out(write);
    out.line("num_ranks " + std::to_string(q.p));
    for (int rank = 0; rank < q.p; ++rank) {
        out.line("\nrank " + std::to_string(rank) + " {");
        Rank(*s, of_parts, out).operations(rank);
        out.line("}");
    }
    out.flush();
}

}  // namespace hopbine
