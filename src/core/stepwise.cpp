#include "core/stepwise.hpp"

#include "core/numbers.hpp"

namespace hopbine {

namespace {

class Shifts : public Schedule {
public:
    Shifts(int p, int steps, Mode mode, std::function<int(int)> distance, std::function<BlockSet(int, int)> sent, Wire wire)
        : p_(p), steps_(steps), mode_(mode), distance_(std::move(distance)), sent_(std::move(sent)), wire_(wire) {}
    int steps() const override { return steps_; }
    Wire wire() const override { return wire_; }
    int period() const override { return 1; }
    void moves(int rank, int s, Step& out) const override {
        const int d = distance_(s), to = mod(std::int64_t{rank} + d, p_), from = mod(std::int64_t{rank} - d, p_);
        if (BlockSet sent = sent_(rank, s); !sent.empty()) out.push_back({Way::send, mode_, to, std::move(sent)});
        if (BlockSet received = sent_(from, s); !received.empty()) out.push_back({Way::recv, mode_, from, std::move(received)});
    }

private:
    int p_, steps_;
    Mode mode_;
    std::function<int(int)> distance_;
    std::function<BlockSet(int, int)> sent_;
    Wire wire_;
};

class Exchanges : public Schedule {
public:
    Exchanges(int steps, Mode mode, std::function<int(int, int)> partner, std::function<BlockSet(int, int)> sent)
        : steps_(steps), mode_(mode), partner_(std::move(partner)), sent_(std::move(sent)) {}
    int steps() const override { return steps_; }
    void moves(int rank, int s, Step& out) const override {
        const int peer = partner_(rank, s);
        if (BlockSet sent = sent_(rank, s); !sent.empty()) out.push_back({Way::send, mode_, peer, std::move(sent)});
        if (BlockSet received = sent_(peer, s); !received.empty()) out.push_back({Way::recv, mode_, peer, std::move(received)});
    }

private:
    int steps_;
    Mode mode_;
    std::function<int(int, int)> partner_;
    std::function<BlockSet(int, int)> sent_;
};

class AllToAllAtOnce : public Schedule {
public:
    AllToAllAtOnce(int p, std::function<BlockSet(int, int)> blocks) : p_(p), blocks_(std::move(blocks)) {}
    int steps() const override { return p_ > 1 ? 1 : 0; }
    int period() const override { return 1; }
    void moves(int rank, int, Step& out) const override {
        for (int d = 1; d < p_; ++d) {  // starting beside oneself spreads the load
            const int to = mod(rank + d, p_), from = mod(rank - d, p_);
            out.push_back({Way::send, Mode::copy, to, blocks_(rank, to)});
            out.push_back({Way::recv, Mode::copy, from, blocks_(from, rank)});
        }
    }

private:
    int p_;
    std::function<BlockSet(int, int)> blocks_;
};

class RootToAllAtOnce : public Schedule {
public:
    RootToAllAtOnce(int p, int root, std::function<BlockSet(int)> blocks) : p_(p), root_(root), blocks_(std::move(blocks)) {}
    int steps() const override { return p_ > 1 ? 1 : 0; }
    void moves(int rank, int, Step& out) const override {
        if (rank != root_) {
            out.push_back({Way::recv, Mode::copy, root_, blocks_(rank)});
            return;
        }
        // Upwards from the root, then downwards: reversed, an operation that does not commute meets its neighbours in order.
        for (int r = root_ + 1; r < p_; ++r) out.push_back({Way::send, Mode::copy, r, blocks_(r)});
        for (int r = root_ - 1; r >= 0; --r) out.push_back({Way::send, Mode::copy, r, blocks_(r)});
    }

private:
    int p_, root_;
    std::function<BlockSet(int)> blocks_;
};

}  // namespace

SchedulePtr shifts(int p, int steps, Mode mode, std::function<int(int)> distance, std::function<BlockSet(int, int)> sent, Wire wire) {
    return std::make_shared<Shifts>(p, steps, mode, std::move(distance), std::move(sent), wire);
}

SchedulePtr exchanges(int steps, Mode mode, std::function<int(int, int)> partner, std::function<BlockSet(int, int)> sent) {
    return std::make_shared<Exchanges>(steps, mode, std::move(partner), std::move(sent));
}

SchedulePtr all_to_all_at_once(int p, std::function<BlockSet(int, int)> blocks) {
    return std::make_shared<AllToAllAtOnce>(p, std::move(blocks));
}

SchedulePtr root_to_all_at_once(int p, int root, std::function<BlockSet(int)> blocks) {
    return std::make_shared<RootToAllAtOnce>(p, root, std::move(blocks));
}

}  // namespace hopbine
