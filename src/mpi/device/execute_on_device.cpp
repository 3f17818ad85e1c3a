#include "mpi/device/peer_steps.hpp"

namespace hopbine::mpi {

namespace {

bool same(const Piece& a, const Piece& b) {
    return a.space == b.space && a.first == b.first && a.count == b.count;
}

/// Contributions of a step to one range are added by one kernel.
class OnDevice : public PeerSteps<OnDevice> {
public:
    using PeerSteps::PeerSteps;

    void settle() { Transfers::settle(); }
    /// One wait for the device serves all sends, and what the step before has begun.
    void pack_all(const Message* begin, const Message* end) {
        w_.packed.clear();
        for (const Message* m = begin; m != end; ++m)
            if (const std::int64_t n = elements(*m); m->direction == Direction::send && sent(n))
                w_.packed.push_back(outgoing_to_peer(*m, n));
        next_packed_ = w_.packed.data();
        settle();
    }
    const char* packed(const Message&, std::int64_t) { return *next_packed_++; }
    void take_all() {
        for (std::size_t i = 0, end; i < w_.received.size(); i = end) {
            end = end_of_sum(i);
            if (end == i + 1)
                take(i);
            else if (message(i).onward)
                add_onward(i, end);
            else
                add_to_place(i, end);
        }
    }

private:
    static constexpr std::size_t kMost = HOPBINE_MOST_INPUTS;

    const Message& message(std::size_t i) const { return *w_.received[i].message; }
    /// Received messages i .. end are added to one place.
    std::size_t end_of_sum(std::size_t i) const {
        std::size_t end = i + 1;
        if (message(i).onward) {
            while (message(end - 1).onward) ++end;
        } else if (message(i).op == Op::reduce) {
            while (end < w_.received.size() && adds_as(message(i), message(end))) ++end;
        }
        return end;
    }
    bool adds_as(const Message& a, const Message& b) const {
        return b.op == Op::reduce && !b.onward &&
               std::equal(pieces(a), pieces_ + a.end, pieces(b), pieces_ + b.end, same);
    }
    void wait_for(std::size_t i) { await(w_.received[i]); }

    /// Each is added to its place, by kernels of kMost.
    void add_to_place(std::size_t i, std::size_t end) {
        for (std::size_t next; i < end; i = next) {
            next = std::min(end, i + kMost);
            for (std::size_t r = i; r < next; ++r) {
                wait_for(r);
                if (message(r).keeps) keep_contribution(message(r), w_.received[r].staged);
            }
            each_piece(message(i), [&](char* place, std::int64_t from, std::int64_t n) {
                hopbine_operands of{.at = {place}, .count = 1, .sum_is_left = 0};
                for (std::size_t r = i; r < next; ++r)
                    of.at[of.count++] = w_.received[r].staged + from;
                keep(b_.device->reduce_several(*b_.reduction, of, place, n));
            });
        }
    }
    /// Each is added to the next, the last to its place. A kernel leaves the sum so far in the last
    /// of its operands.
    void add_onward(std::size_t i, std::size_t end) {
        const Message& all = message(i);
        for (std::size_t next; i < end; i = next) {
            next = std::min(end, i + kMost);
            for (std::size_t r = i; r < std::min(end, next + 1); ++r) wait_for(r);
            each_piece(all, [&](char* place, std::int64_t from, std::int64_t n) {
                char* const out = next < end ? w_.received[next].staged + from : place;
                hopbine_operands of{.at = {}, .count = 0, .sum_is_left = 1};
                for (std::size_t r = i; r < next; ++r)
                    of.at[of.count++] = w_.received[r].staged + from;
                of.at[of.count++] = out;
                keep(b_.device->reduce_several(*b_.reduction, of, out, n));
            });
        }
    }
    /// f(its place, its first byte in a staged message, its elements)
    template <class F>
    void each_piece(const Message& m, const F& f) const {
        std::int64_t from = 0;
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            const std::int64_t n = elements(pieces_[i]);
            if (n > 0) f(address(pieces_[i]), from, n);
            from += n * b_.width;
        }
    }

    const char* const* next_packed_ = nullptr;  ///< of the next send
};

}  // namespace

int execute_on_device(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w) {
    return OnDevice(plan, b, at, w).steps();
}

}  // namespace hopbine::mpi
