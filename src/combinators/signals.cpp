// Messages without data.
#include "combinators/combinators.hpp"

namespace hopbine {

namespace {

class Signals : public Schedule {
public:
    explicit Signals(SchedulePtr inner)
        : Schedule(traits_of(inner->traits())), inner_(std::move(inner)) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        inner_->moves(rank, s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].blocks = BlockSet::single(0);
            out[i].op = Op::reduce;  // what a rank knows it does not forget
        }
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        const std::size_t before = out.size();
        inner_->sizes(rank, s, Wire::packed, out);
        for (std::size_t i = before; i < out.size(); ++i)
            out[i] = {out[i].direction, Op::reduce, out[i].peer, 1};
    }

private:
    static Traits traits_of(const Traits& t) {
        // Channels progress independently: a signal would not tell what another channel heard.
        require_whole("signals", t);
        return {.period = t.period, .mirrored = t.mirrored, .classes = t.classes};
    }
    SchedulePtr inner_;
};

}  // namespace

SchedulePtr signals(SchedulePtr inner) { return std::make_shared<Signals>(std::move(inner)); }

}  // namespace hopbine
