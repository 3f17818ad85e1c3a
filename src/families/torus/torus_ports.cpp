#include "combinators/combinators.hpp"
#include "families/torus/dimension_order.hpp"
#include "schedule/integers.hpp"

namespace hopbine::torus {

namespace {

class OnChannel : public Schedule {
public:
    OnChannel(SchedulePtr inner, int p, int channel, int all, bool apart)
        : Schedule(traits_of(inner->traits(), all, apart)),
          inner_(std::move(inner)),
          p_(p),
          channel_(channel),
          all_(all),
          apart_(apart) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        inner_->moves(rank, s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            std::vector<Run> runs;
            for (const Run& r : out[i].blocks.runs()) {
                if (apart_)
                    runs.push_back({Block{channel_} * p_ + r.lo, Block{channel_} * p_ + r.hi});
                else
                    for (Block b = r.lo; b < r.hi; ++b)
                        runs.push_back({b * all_ + channel_, b * all_ + channel_ + 1});
            }
            out[i].blocks = BlockSet::of_runs(std::move(runs));
            out[i].channel = channel_;
        }
    }

protected:
    // A part of every block: as many as blocks.
    void count(int rank, int s, MoveSizes& out) const override {
        inner_->sizes(rank, s, Wire::packed, out);
    }
    bool count_all(int rank, MoveSizes& out) const override { return inner_->totals(rank, out); }

private:
    static Traits traits_of(const Traits& t, int all, bool apart) {
        require_whole("on_channel", t);
        if (t.layout)
            throw Error("on_channel: the schedule is permuted; a channel's parts are not");
        return {.parts = all,
                .parts_together = apart,
                .channels = all,
                .wire = t.wire,
                .layout = nullptr,
                .period = t.period,
                .mirrored = t.mirrored,
                .classes = t.classes,
                .barriers = t.barriers};
    }
    SchedulePtr inner_;
    int p_, channel_, all_;
    bool apart_;
};

class AtOnce : public Schedule {
public:
    explicit AtOnce(std::vector<SchedulePtr> channels)
        : Schedule(traits_of(channels)),
          channels_(std::move(channels)),
          steps_(steps_of(channels_)) {}
    int steps() const override { return steps_; }
    void moves(int rank, int s, Step& out) const override {
        for (const auto& c : channels_)
            if (s < c->steps()) c->moves(rank, s, out);
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        for (const auto& c : channels_)
            if (s < c->steps()) c->sizes(rank, s, Wire::packed, out);
    }
    bool count_all(int rank, MoveSizes& out) const override {
        return totals_of_all(channels_, rank, out);
    }

private:
    static int steps_of(const std::vector<SchedulePtr>& channels) {
        int out = 0;
        for (const auto& c : channels) out = std::max(out, c->steps());
        return out;
    }
    static Traits traits_of(const std::vector<SchedulePtr>& channels) {
        Traits out = common_traits("at_once", channels);
        out.classes = classes_by_key(steps_of(channels), [&](int s) {
            std::vector<int> each;
            for (const auto& c : channels)
                each.push_back(s < c->steps() ? c->traits().step_class(s) : -1);
            return each;
        });
        out.barriers = barriers_of_any(channels);
        return out;
    }
    std::vector<SchedulePtr> channels_;
    int steps_;
};

}  // namespace

Lines mirrored(const Shape& shape, const Lines& lines, Collective line) {
    Lines out;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const int n = shape[d];
        const SchedulePtr plain = lines[d];
        std::vector<int> order;
        for (int a = 0; a < n; ++a) order.push_back(mod(-a, n));
        // Mirroring keeps the symmetry of a line.
        out.push_back(with_symmetry(relabelled(plain, line, std::move(order)),
                                    plain->traits().period, plain->traits().classes));
    }
    return out;
}

Line mirrored(Line line, Collective collective) {
    return [line = std::move(line), collective](int n) {
        return mirrored(Shape{n}, Lines{line(n)}, collective).front();
    };
}

SchedulePtr on_channel(SchedulePtr inner, int p, int channel, int all, bool apart) {
    return std::make_shared<OnChannel>(std::move(inner), p, channel, all, apart);
}

SchedulePtr at_once(std::vector<SchedulePtr> channels) {
    return std::make_shared<AtOnce>(std::move(channels));
}

SchedulePtr on_channels(std::vector<Ordered> all, Collective collective, int p) {
    const int n = static_cast<int>(all.size());
    std::vector<SchedulePtr> channels;
    for (Ordered& one : all) {
        SchedulePtr own = relabelled(std::move(one.schedule), collective, std::move(one.order));
        const int channel = static_cast<int>(channels.size());
        channels.push_back(on_channel(std::move(own), p, channel, n, true));
    }
    return at_once(std::move(channels));
}

bool plays_mirrored(Ports ports, int channel, int d, int dimensions) {
    const bool opposite = channel >= dimensions, wrapped = d < channel % dimensions;
    return ports == Ports::bine && wrapped ? !opposite : opposite;
}

SchedulePtr on_ports(const Shape& shape, int parts, Ports ports, const Line& line, const Line& flip,
                     bool apart, const std::function<SchedulePtr(const Lines&, int)>& make) {
    const int d = static_cast<int>(shape.size());
    const Lines plain = lines_of(shape, line);
    if (parts == 1) return make(plain, 0);
    const Lines other = lines_of(shape, flip);
    std::vector<SchedulePtr> channels;
    for (int c = 0; c < parts; ++c) {
        Lines lines;
        for (int e = 0; e < d; ++e)
            lines.push_back((plays_mirrored(ports, c % (2 * d), e, d)
                                 ? other
                                 : plain)[static_cast<std::size_t>(e)]);
        channels.push_back(on_channel(make(lines, c % d), ranks(shape), c, parts, apart));
    }
    return at_once(std::move(channels));
}

}  // namespace hopbine::torus
