#include "families/exchange/butterfly.hpp"

#include "schedule/integers.hpp"

namespace hopbine::butterfly {

namespace {

int partner(int r, int t, int p, Sign sign) {
    const int ahead = (r >> t & 1) == (sign == Sign::plain ? 0 : 1) ? 1 : -1;
    return mod(r + std::int64_t{ahead} * (1 << t), p);
}

class Cube : public Schedule {
public:
    explicit Cube(Starts starts)
        : starts_(std::move(starts)), p_(static_cast<int>(starts_.size()) - 1) {}
    int steps() const override { return floor_log2(p_); }

protected:
    BlockSet window(int first, int width) const {
        return BlockSet::range(starts_[static_cast<std::size_t>(first)],
                               starts_[static_cast<std::size_t>(first + width)]);
    }
    /// Blocks that rank r covers after t halvings, chosen by its bits from the lowest up.
    BlockSet chosen(int r, int t) const {
        int first = 0;
        for (int bit = 0; bit < t; ++bit) first += (r >> bit & 1) * (p_ >> (bit + 1));
        return window(first, p_ >> t);
    }
    static void exchange(int q, Op op, BlockSet sent, BlockSet received, Step& out) {
        if (!sent.empty()) out.push_back({Direction::send, op, q, std::move(sent)});
        if (!received.empty()) out.push_back({Direction::recv, op, q, std::move(received)});
    }
    Starts starts_;
    int p_;
};

class WholeVector : public Cube {
public:
    WholeVector(Starts starts, Sign sign) : Cube(std::move(starts)), sign_(sign) {}
    void moves(int r, int t, Step& out) const override {
        exchange(partner(r, t, p_, sign_), Op::reduce, window(0, p_), window(0, p_), out);
    }

private:
    Sign sign_;
};

class Halving : public Cube {
public:
    using Cube::Cube;
    void moves(int r, int t, Step& out) const override {
        const int width = p_ >> (t + 1), q = r ^ width;
        exchange(q, Op::reduce, window(q / width * width, width), window(r / width * width, width),
                 out);
    }
};

class Doubling : public Cube {
public:
    Doubling(Starts starts, Sign sign) : Cube(std::move(starts)), sign_(sign) {}
    void moves(int r, int t, Step& out) const override {
        const int q = partner(r, t, p_, sign_);
        exchange(q, Op::reduce, chosen(q, t + 1), chosen(r, t + 1), out);
    }

private:
    Sign sign_;
};

class Gather : public Cube {
public:
    Gather(Starts starts, int root) : Cube(std::move(starts)), root_(root) {}
    void moves(int r, int s, Step& out) const override {
        const int t = steps() - 1 - s, q = r ^ 1 << t;
        if ((r ^ root_) >> (t + 1)) return;  // has sent its blocks in an earlier step
        const bool sends = (r ^ root_) >> t & 1;
        if (sends)
            exchange(q, Op::copy, chosen(r, t + 1), {}, out);
        else
            exchange(q, Op::copy, {}, chosen(q, t + 1), out);
    }

private:
    int root_;
};

}  // namespace

Starts even(int ranks, int blocks) {
    Starts s;
    for (int i = 0; i <= ranks; ++i) s.push_back(proportional(i, ranks, blocks));
    return s;
}

SchedulePtr whole_vector(int ranks, int blocks, Sign sign) {
    return std::make_shared<WholeVector>(even(ranks, blocks), sign);
}
SchedulePtr halving(Starts starts) { return std::make_shared<Halving>(std::move(starts)); }
SchedulePtr doubling(Starts starts, Sign sign) {
    return std::make_shared<Doubling>(std::move(starts), sign);
}
SchedulePtr gather(Starts starts, int root) {
    return std::make_shared<Gather>(std::move(starts), root);
}

}  // namespace hopbine::butterfly
