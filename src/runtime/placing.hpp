/// What a rank does with the messages of a plan in its own memory: staging, packing, placing.
#pragma once
#include <algorithm>
#include <vector>

#include "runtime/plan_memory.hpp"
#include "runtime/run_scratch.hpp"

namespace hopbine::mpi {

/// `Work` copies and adds elements, on the host or on a device:
///
///     static constexpr bool kDevice;  // only begins work, and adds several
///     int copy(char* to, const char* from, n);
///     int add(char* from, char* to, n, bool left);  // to = left ? from op to : to op from
///     int add_several(const hopbine_operands&, char* out, n);  // only of a device
///     int settle();  // ends what it has begun
///
/// Each function returns an MPI error code.
template <class Work>
class Placing {
protected:
    Placing(const Plan& plan, const PlanMemory& memory, Work work)
        : plan_(plan.steps()), of_(plan), b_(memory), pieces_(plan_.pieces.data()), work_(work) {}

    std::int64_t elements(const Message& m) const {
        std::int64_t n = 0;
        for (std::uint32_t i = m.begin; i < m.end; ++i) n += elements(i);
        return n;
    }
    char* address(const Message& m) const { return address(m.begin); }
    /// Elements of a piece, its address, and that in another copy of its space.
    std::int64_t elements(std::uint32_t piece) const {
        return extents_ ? extents_[piece].count : b_.elements(pieces_[piece]);
    }
    char* address(std::uint32_t piece) const {
        return in(b_.base[static_cast<int>(pieces_[piece].space)], piece);
    }
    char* in(char* space, std::uint32_t piece) const {
        return extents_ ? space + extents_[piece].first * b_.width : b_.in(space, pieces_[piece]);
    }

    static bool staged(const Message& m) {
        return (m.direction == Direction::recv && m.op == Op::reduce) || m.end - m.begin > 1;
    }
    /// Staging bytes of messages that are staged at the same time.
    std::int64_t room(const Message* begin, const Message* end) const {
        std::int64_t bytes = 0;
        for (const Message* m = begin; m != end; ++m)
            if (staged(*m)) bytes += room(elements(*m));
        return bytes;
    }
    /// Staging bytes of n elements. An element's data may reach beyond its extent.
    std::int64_t room(std::int64_t n) const { return lines(n * b_.width + b_.reach); }
    /// Allocates staging for n elements, shifted so that their first byte is the buffer's.
    char* stage(Stage& s, std::int64_t n) const {
        char* const at = s.begin + s.used - b_.low;
        s.used += room(n);
        return at;
    }

    /// The address from which m's n elements are sent.
    const char* outgoing(const Message& m, std::int64_t n, Stage& s) {
        return staged(m) ? pack(m, stage(s, n)) : address(m);
    }
    /// Copies a message's pieces to `at`, and returns that.
    const char* pack(const Message& m, char* const at) {
        char* to = at;
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            const std::int64_t some = elements(i);
            keep(work_.copy(to, address(i), some));
            to += some * b_.width;
        }
        return at;
    }

    /// Whether `i` and those after it up to the result are placed together.
    std::size_t end_of_sum(const std::vector<Arriving>& all, std::size_t i) const {
        std::size_t end = i + 1;
        if (!Work::kDevice) return end;
        if (all[i].message->onward) {
            while (all[end - 1].message->onward) ++end;
        } else if (all[i].message->op == Op::reduce) {
            while (end < all.size() && adds_as(*all[i].message, *all[end].message)) ++end;
        }
        return end;
    }
    /// Puts what has arrived in its place.
    void place(const std::vector<Arriving>& all, std::size_t i, std::size_t end) {
        if constexpr (Work::kDevice)
            if (end > i + 1)
                return all[i].message->onward ? add_onward(all, i, end) : add_to_place(all, i, end);
        // Adds the message before, which has the same pieces: this one comes from a higher rank.
        if (i > 0 && all[i - 1].message->onward && all[i].elements > 0)
            keep(work_.add(all[i - 1].staged, all[i].staged, all[i].elements, true));
        if (!all[i].message->onward) place(*all[i].message, all[i].staged, all[i].elements);
    }
    /// Copies a staged message of `all` elements to its place, or adds it there.
    void place(const Message& m, char* from, std::int64_t all) {
        if (!from) return;
        if (m.keeps) keep_contribution(m, from);
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            const std::int64_t n = m.end - m.begin == 1 ? all : elements(i);
            if (n == 0) continue;
            char* const to = address(i);
            keep(m.op == Op::reduce ? work_.add(from, to, n, left(m)) : work_.copy(to, from, n));
            from += n * b_.width;
        }
    }
    /// Whether the received operand is the left one: the lower rank's is, for operations that do
    /// not commute.
    bool left(const Message& m) const { return m.peer < of_.rank; }

    /// Keeps the first error. The schedule continues: other ranks wait for this rank's messages.
    void keep(int error) {
        if (error != 0 && error_ == 0) error_ = error;
    }

    const Steps& plan_;
    const Plan& of_;
    const PlanMemory& b_;
    const Piece* pieces_;              ///< of the current step
    const Extent* extents_ = nullptr;  ///< of the pieces; null: they are not kept
    Work work_;
    int error_ = 0;

private:
    static constexpr std::size_t kMost = HOPBINE_MOST_INPUTS;

    /// Copies a staged contribution to Space::temp, to be sent on.
    void keep_contribution(const Message& m, const char* from) {
        char* const kept = b_.base[static_cast<int>(Space::temp)];
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            const std::int64_t n = elements(i);
            keep(work_.copy(in(kept, i), from, n));
            from += n * b_.width;
        }
    }

    bool adds_as(const Message& a, const Message& b) const {
        return b.op == Op::reduce && !b.onward &&
               std::equal(pieces_ + a.begin, pieces_ + a.end, pieces_ + b.begin, pieces_ + b.end,
                          [](const Piece& x, const Piece& y) {
                              return x.space == y.space && x.first == y.first && x.count == y.count;
                          });
    }
    /// Adds each to their place, by kernels of kMost.
    void add_to_place(const std::vector<Arriving>& all, std::size_t i, std::size_t end) {
        for (std::size_t next; i < end; i = next) {
            next = std::min(end, i + kMost);
            for (std::size_t r = i; r < next; ++r)
                if (all[r].message->keeps) keep_contribution(*all[r].message, all[r].staged);
            each_place(*all[i].message, [&](char* place, std::int64_t from, std::int64_t n) {
                hopbine_operands of{.at = {place}, .count = 1, .sum_is_left = 0};
                for (std::size_t r = i; r < next; ++r) of.at[of.count++] = all[r].staged + from;
                keep(work_.add_several(of, place, n));
            });
        }
    }
    /// Adds each to the next, the last to its place. A kernel leaves the sum so far in the last of
    /// its operands.
    void add_onward(const std::vector<Arriving>& all, std::size_t i, std::size_t end) {
        const Message& first = *all[i].message;
        for (std::size_t next; i < end; i = next) {
            next = std::min(end, i + kMost);
            each_place(first, [&](char* place, std::int64_t from, std::int64_t n) {
                char* const out = next < end ? all[next].staged + from : place;
                hopbine_operands of{.at = {}, .count = 0, .sum_is_left = 1};
                for (std::size_t r = i; r < next; ++r) of.at[of.count++] = all[r].staged + from;
                of.at[of.count++] = out;
                keep(work_.add_several(of, out, n));
            });
        }
    }
    /// f(its place, its first byte in a staged message, its elements)
    template <class F>
    void each_place(const Message& m, const F& f) const {
        std::int64_t from = 0;
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            const std::int64_t n = elements(i);
            if (n > 0) f(address(i), from, n);
            from += n * b_.width;
        }
    }
};

}  // namespace hopbine::mpi
