#include "core/torus.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/combinators.hpp"
#include "core/numbers.hpp"

namespace hopbine::torus {

namespace {

int ranks(const Shape& shape) { return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>()); }

struct Turn {
    std::size_t dimension;
    int step;
};

/// The steps of all dimensions in the order of their turns; dimensions that are done are skipped (Swing Sec. 4.2).
std::vector<Turn> turns_of(const std::vector<SchedulePtr>& lines, Turns turns, int first) {
    std::vector<Turn> out;
    const std::size_t d = lines.size();
    int longest = 0;
    for (const auto& line : lines) longest = std::max(longest, line->steps());
    const auto dimension = [&](std::size_t i) { return (i + static_cast<std::size_t>(first)) % d; };
    if (turns == Turns::whole_dimensions) {
        for (std::size_t i = 0; i < d; ++i)
            for (int s = 0; s < lines[dimension(i)]->steps(); ++s) out.push_back({dimension(i), s});
        return out;
    }
    for (int s = 0; s < longest; ++s)
        for (std::size_t i = 0; i < d; ++i)
            if (s < lines[dimension(i)]->steps()) out.push_back({dimension(i), s});
    return out;
}

class OnTorus : public Schedule {
public:
    OnTorus(Shape shape, std::vector<SchedulePtr> lines, std::vector<Turn> turns)
        : shape_(std::move(shape)), lines_(std::move(lines)), turns_(std::move(turns)), stride_(shape_.size(), 1) {
        for (std::size_t d = shape_.size() - 1; d-- > 0;) stride_[d] = stride_[d + 1] * shape_[d + 1];
        // As long as one dimension goes on, the others stay as they are: steps that are alike on the line are alike here.
        for (std::size_t s = 0; s < turns_.size(); ++s) {
            const bool goes_on = s > 0 && turns_[s].dimension == turns_[s - 1].dimension && turns_[s].step == turns_[s - 1].step + 1;
            begins_.push_back(goes_on ? begins_.back() : static_cast<int>(s));
        }
    }
    int steps() const override { return static_cast<int>(turns_.size()); }
    int pattern(int s) const override {
        const int begin = begins_[static_cast<std::size_t>(s)], before = turn(begin).step;
        const int like = lines_[turn(s).dimension]->pattern(turn(s).step);
        return like >= before ? begin + like - before : s;
    }
    /// On one dimension ranks are alike as on its line.
    int period() const override {
        for (std::size_t d = 0; d < shape_.size(); ++d)
            if (shape_[d] == ranks(shape_)) return lines_[d]->period();
        return 0;
    }

protected:
    int coordinate(int rank, std::size_t d) const { return rank / stride_[d] % shape_[d]; }
    int moved(int rank, std::size_t d, int to) const { return rank + (to - coordinate(rank, d)) * stride_[d]; }
    const Turn& turn(int s) const { return turns_[static_cast<std::size_t>(s)]; }

    Shape shape_;
    std::vector<SchedulePtr> lines_;
    std::vector<Turn> turns_;
    std::vector<int> stride_, begins_;
};

class ReduceScatter : public OnTorus {
public:
    using OnTorus::OnTorus;
    void moves(int rank, int s, Step& out) const override {
        const auto [d, step] = turn(s);
        std::vector<BlockSet> covered(shape_.size());
        for (std::size_t e = 0; e < shape_.size(); ++e)
            if (e != d) covered[e] = covers(e, coordinate(rank, e), s);
        Step along;
        lines_[d]->moves(coordinate(rank, d), step, along);
        for (const Move& m : along) {
            covered[d] = m.blocks;
            out.push_back({m.way, m.mode, moved(rank, d, m.peer), product(covered), m.channel});
        }
    }

private:
    /// Coordinates of dimension d whose blocks a rank at coordinate a has not yet handed on before step s.
    BlockSet covers(std::size_t d, int a, int s) const {
        BlockSet out = BlockSet::range(0, shape_[d]);
        Step along;
        for (int t = 0; t < s; ++t) {
            if (turn(t).dimension != d) continue;
            along.clear();
            lines_[d]->moves(a, turn(t).step, along);
            for (const Move& m : along)
                if (m.way == Way::send) out = out.minus(m.blocks);
        }
        return out;
    }
    /// The blocks with a coordinate of each set in its dimension.
    BlockSet product(const std::vector<BlockSet>& sets) const {
        std::vector<Run> runs = {{0, 1}};
        for (std::size_t d = 0; d < sets.size(); ++d) {
            std::vector<Run> next;
            for (const Run& outer : runs)
                for (Block o = outer.lo; o < outer.hi; ++o)
                    for (const Run& r : sets[d].runs()) {
                        const Block lo = o * shape_[d] + r.lo, hi = o * shape_[d] + r.hi;
                        if (!next.empty() && next.back().hi == lo) next.back().hi = hi;
                        else next.push_back({lo, hi});
                    }
            runs = std::move(next);
        }
        return BlockSet::of_runs(std::move(runs));
    }
};

class WholeVectors : public OnTorus {
public:
    using OnTorus::OnTorus;
    void moves(int rank, int s, Step& out) const override {
        const auto [d, step] = turn(s);
        const std::size_t before = out.size();
        lines_[d]->moves(coordinate(rank, d), step, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].peer = moved(rank, d, out[i].peer);
            out[i].blocks = BlockSet::range(0, ranks(shape_));
        }
    }
};

class OnChannel : public Schedule {
public:
    OnChannel(SchedulePtr inner, int p, int channel, int all, bool apart) : inner_(std::move(inner)), p_(p), channel_(channel), all_(all), apart_(apart) {}
    int steps() const override { return inner_->steps(); }
    int parts() const override { return all_; }
    int pattern(int s) const override { return inner_->pattern(s); }
    int period() const override { return inner_->period(); }
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        inner_->moves(rank, s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            std::vector<Run> runs;
            for (const Run& r : out[i].blocks.runs()) {
                if (apart_) runs.push_back({Block{channel_} * p_ + r.lo, Block{channel_} * p_ + r.hi});
                else
                    for (Block b = r.lo; b < r.hi; ++b) runs.push_back({b * all_ + channel_, b * all_ + channel_ + 1});
            }
            out[i].blocks = BlockSet::of_runs(std::move(runs));
            out[i].channel = channel_;
        }
    }

private:
    SchedulePtr inner_;
    int p_, channel_, all_;
    bool apart_;
};

class AtOnce : public Schedule {
public:
    explicit AtOnce(std::vector<SchedulePtr> channels) : channels_(std::move(channels)) {
        for (const auto& c : channels_) {
            steps_ = std::max(steps_, c->steps());
            period_ = std::lcm(period_, c->period());  // 0 when a channel says nothing
        }
        std::map<std::vector<int>, int> known;
        for (int s = 0; s < steps_; ++s) {
            std::vector<int> each;
            for (const auto& c : channels_) each.push_back(s < c->steps() ? c->pattern(s) : -1);
            pattern_.push_back(known.emplace(std::move(each), s).first->second);
        }
    }
    int pattern(int s) const override { return pattern_[static_cast<std::size_t>(s)]; }
    int period() const override { return period_; }
    int steps() const override { return steps_; }
    int parts() const override { return channels_.front()->parts(); }
    void moves(int rank, int s, Step& out) const override {
        for (const auto& c : channels_)
            if (s < c->steps()) c->moves(rank, s, out);
    }

private:
    std::vector<SchedulePtr> channels_;
    std::vector<int> pattern_;
    int steps_ = 0, period_ = 1;
};

}  // namespace

SchedulePtr reduce_scatter(const Shape& shape, const Line& line, Turns turns, int first) {
    std::vector<SchedulePtr> lines;
    for (int n : shape) lines.push_back(line(n));
    auto order = turns_of(lines, turns, first);
    return std::make_shared<ReduceScatter>(shape, std::move(lines), std::move(order));
}

SchedulePtr whole_vectors(const Shape& shape, const Line& line, int first) {
    std::vector<SchedulePtr> lines;
    for (int n : shape) lines.push_back(line(n));
    auto order = turns_of(lines, Turns::step_by_step, first);
    return std::make_shared<WholeVectors>(shape, std::move(lines), std::move(order));
}

int steps(const Shape& shape, const std::function<int(int)>& steps) {
    int all = 0;
    for (int n : shape) all += steps(n);
    return all;
}

Line mirrored(Line line) {
    return [line = std::move(line)](int n) {
        std::vector<int> order;
        for (int a = 0; a < n; ++a) order.push_back(mod(-a, n));
        const SchedulePtr plain = line(n);
        // Ranks that are alike going round one way are alike going round the other.
        return alike(relabelled(plain, Collective::reduce_scatter, std::move(order)), plain->period(), [plain](int s) { return plain->pattern(s); });
    };
}

SchedulePtr on_channel(SchedulePtr inner, int p, int channel, int all, bool apart) {
    return std::make_shared<OnChannel>(std::move(inner), p, channel, all, apart);
}

SchedulePtr at_once(std::vector<SchedulePtr> channels) { return std::make_shared<AtOnce>(std::move(channels)); }

SchedulePtr on_ports(const Shape& shape, bool ports, const Line& line, bool apart, const std::function<SchedulePtr(const Line&, int)>& make) {
    const int d = static_cast<int>(shape.size());
    if (!ports) return make(line, 0);
    std::vector<SchedulePtr> channels;
    for (int c = 0; c < 2 * d; ++c) channels.push_back(on_channel(make(c < d ? line : mirrored(line), c % d), ranks(shape), c, 2 * d, apart));
    return at_once(std::move(channels));
}

}  // namespace hopbine::torus
