// Combinators that keep the numbers of ranks and blocks: order of steps, and traits.
#include "combinators/combinators.hpp"

namespace hopbine {

namespace {

/// Members of a sequence, and the number of steps before each.
class InTurn {
public:
    explicit InTurn(std::vector<SchedulePtr> members) : members_(std::move(members)) {
        for (const auto& member : members_) {
            before_.push_back(steps_);
            steps_ += member->steps();
        }
    }
    int steps() const { return steps_; }
    const std::vector<SchedulePtr>& members() const { return members_; }
    /// The member with step s, and the number of steps before that member.
    std::pair<const Schedule*, int> at(int s) const {
        std::size_t i = members_.size() - 1;
        while (before_[i] > s) --i;
        return {members_[i].get(), before_[i]};
    }

private:
    std::vector<SchedulePtr> members_;
    std::vector<int> before_;
    int steps_ = 0;
};

class Sequence : public Schedule {
public:
    explicit Sequence(const std::vector<SchedulePtr>& members)
        : Sequence(members, std::make_shared<const InTurn>(members)) {}
    int steps() const override { return all_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        const auto [member, before] = all_->at(s);
        member->moves(rank, s - before, out);
    }
    void common(int rank, int s, const BlockSet& some,
                std::vector<std::int64_t>& out) const override {
        const auto [member, before] = all_->at(s);
        member->common(rank, s - before, some, out);
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        const auto [member, before] = all_->at(s);
        member->sizes(rank, s - before, Wire::packed, out);
    }
    void count_runs(int rank, int s, MoveSizes& out) const override {
        const auto [member, before] = all_->at(s);
        member->sizes(rank, s - before, Wire::per_run, out);
    }
    bool count_all(int rank, MoveSizes& out) const override {
        return totals_of_all(all_->members(), rank, out);
    }

private:
    Sequence(const std::vector<SchedulePtr>& members, std::shared_ptr<const InTurn> all)
        : Schedule(traits_of(members, all)), all_(std::move(all)) {}
    static Traits traits_of(const std::vector<SchedulePtr>& members,
                            const std::shared_ptr<const InTurn>& all) {
        Traits out = common_traits("sequence", members);
        out.classes = [all](int s) {
            const auto [member, before] = all->at(s);
            return before + member->traits().step_class(s - before);
        };
        out.repeats = [all](int s) {
            const auto [member, before] = all->at(s);
            const Repeat inner = member->traits().repeat(s - before);
            return Repeat{before + inner.first, inner.times, inner.shift};
        };
        out.barriers = [all](int s) {
            const auto [member, before] = all->at(s);
            return member->traits().barrier(s - before);
        };
        return out;
    }
    std::shared_ptr<const InTurn> all_;
};

class Reversed : public Schedule {
public:
    Reversed(SchedulePtr inner, Op op)
        : Schedule(traits_of(inner, op)), inner_(std::move(inner)), op_(op) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        inner_->moves(rank, inner_->steps() - 1 - s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].direction =
                out[i].direction == Direction::send ? Direction::recv : Direction::send;
            out[i].op = op_;
        }
    }
    void common(int rank, int s, const BlockSet& some,
                std::vector<std::int64_t>& out) const override {
        inner_->common(rank, inner_->steps() - 1 - s, some, out);
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        count(rank, s, Wire::packed, out);
    }
    void count_runs(int rank, int s, MoveSizes& out) const override {
        count(rank, s, Wire::per_run, out);
    }
    bool count_all(int rank, MoveSizes& out) const override {
        const std::size_t before = out.size();
        const bool known = inner_->totals(rank, out);
        reverse(out, before, op_);
        return known;
    }

private:
    void count(int rank, int s, Wire wire, MoveSizes& out) const {
        const std::size_t before = out.size();
        inner_->sizes(rank, inner_->steps() - 1 - s, wire, out);
        reverse(out, before, op_);
    }
    static Traits traits_of(const SchedulePtr& inner, Op op) {
        const Traits& t = inner->traits();
        const int last = inner->steps() - 1;
        return {
            .parts = t.parts,
            .parts_together = t.parts_together,
            .channels = t.channels,
            .wire = t.wire,
            .layout = t.layout,
            .copies_in_flight = t.copies_in_flight,
            .period = t.period,
            .mirrored = t.mirrored,
            .complete = t.complete ? std::optional(op) : std::nullopt,
            .classes = [inner, last](int s) { return last - inner->traits().step_class(last - s); },
            .repeats =
                [inner, last](int s) {
                    const Repeat r = inner->traits().repeat(last - s);
                    return Repeat{last - (r.first + r.times - 1), r.times, -r.shift};
                },
            .barriers = [inner,
                         last](int s) { return s > 0 && inner->traits().barrier(last + 1 - s); }};
    }
    SchedulePtr inner_;
    Op op_;
};

/// The moves of another schedule with other traits.
class Described : public Schedule {
public:
    Described(SchedulePtr inner, Traits traits)
        : Schedule(std::move(traits)), inner_(std::move(inner)) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override { inner_->moves(rank, s, out); }
    void common(int rank, int s, const BlockSet& some,
                std::vector<std::int64_t>& out) const override {
        inner_->common(rank, s, some, out);
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        inner_->sizes(rank, s, Wire::packed, out);
    }
    void count_runs(int rank, int s, MoveSizes& out) const override {
        inner_->sizes(rank, s, Wire::per_run, out);
    }
    bool count_all(int rank, MoveSizes& out) const override { return inner_->totals(rank, out); }

private:
    SchedulePtr inner_;
};

}  // namespace

SchedulePtr sequence(std::vector<SchedulePtr> members) {
    return std::make_shared<Sequence>(members);
}

SchedulePtr reversed(SchedulePtr inner, Op op) {
    return std::make_shared<Reversed>(std::move(inner), op);
}

SchedulePtr wired(SchedulePtr inner, Wire wire) {
    Traits t = inner->traits();
    t.wire = wire;
    return std::make_shared<Described>(std::move(inner), std::move(t));
}

SchedulePtr per_run(SchedulePtr inner) { return wired(std::move(inner), Wire::per_run); }

SchedulePtr with_symmetry(SchedulePtr inner, int period, std::function<int(int)> classes) {
    Traits t = inner->traits();
    t.period = period;
    t.classes = std::move(classes);
    return std::make_shared<Described>(std::move(inner), std::move(t));
}

SchedulePtr repeating(SchedulePtr inner, Block shift) {
    Traits t = inner->traits();
    t.classes = [](int) { return 0; };
    t.repeats = [steps = inner->steps(), shift](int) { return Repeat{0, steps, shift}; };
    return std::make_shared<Described>(std::move(inner), std::move(t));
}

SchedulePtr permuted(SchedulePtr inner, std::vector<Block> positions, bool copies_in_flight) {
    Traits t = inner->traits();
    require_whole("permuted", t);
    if (t.layout) throw Error("permuted: the schedule is permuted already");
    t.layout = std::make_shared<const std::vector<Block>>(std::move(positions));
    t.copies_in_flight = copies_in_flight;
    return std::make_shared<Described>(std::move(inner), std::move(t));
}

}  // namespace hopbine
