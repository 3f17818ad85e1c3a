#include "buffers.hpp"

#include <algorithm>
#include <cstring>

#include "fake_mpi.hpp"

namespace model {

namespace {

using enum Function;

std::uint64_t mixed(std::uint64_t x) {  // the finaliser of SplitMix64
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

std::size_t size_of(Elements e) { return e == Elements::bytes ? 1 : e == Elements::i32 ? 4 : 8; }

constexpr int kBehind = 4;  ///< elements behind a buffer, which stay as they are

}  // namespace

/// The definition of a collective on one rank, element by element.
class Buffers::Definition {
public:
    explicit Definition(Buffers& b)
        : b_(b), c_(*b.call_), p_(b.p_), me_(b.rank_), width_(size_of(c_.elements)) {
        std::ranges::fill(b.sent, '\x3C');
        std::ranges::fill(b.received, '\xC3');
    }

    /// Sets what is sent, what is there before, and what must be there afterwards.
    void set() {
        b_.kept_.clear();
        put_sent();
        b_.kept_ = b_.sent;
        b_.wanted_ = b_.received;
        b_.matters_.assign(b_.received.size(), 1);
        put_wanted();
    }

private:
    int count(int block) const { return c_.counts[static_cast<std::size_t>(block)]; }
    int between(int from, int to) const { return count(from * p_ + to); }
    int all() const {
        int sum = 0;
        for (int b = 0; b < p_; ++b) sum += count(b);
        return sum;
    }
    bool root() const { return me_ == c_.root; }

    /// Element k of what `from` has for `to`.
    std::uint64_t value(int from, int to, int k) const {
        const auto word = [](int x) { return static_cast<std::uint64_t>(x); };
        return mixed(mixed(mixed(word(c_.number) << 32 | word(b_.round_)) + word(from)) +
                     (word(to) << 32 | word(k)));
    }
    std::uint64_t sum(int first, int last, int k) const {
        std::uint64_t out = value(first, 0, k);
        for (int r = first + 1; r <= last; ++r)
            out = c_.elements == Elements::affine ? affine(out, value(r, 0, k))
                                                  : out + value(r, 0, k);
        return out;
    }
    template <class F>
    void put(std::vector<char>& to, int at, int n, F&& element) {
        for (int k = 0; k < n; ++k) {
            const std::uint64_t v = element(k);
            std::memcpy(to.data() + static_cast<std::size_t>(at + k) * width_, &v, width_);
        }
    }
    void block(std::vector<char>& to, int at, int from, int for_whom, int n) {
        put(to, at, n, [&](int k) { return value(from, for_whom, k); });
    }
    void sums(int at, int n, int first, int last, int skipped) {
        put(b_.wanted_, at, n, [&](int k) { return sum(first, last, k + skipped); });
    }

    /// The vector that a rank adds: in its send buffer, or in the place of the result.
    std::vector<char>& own() { return c_.in_place ? b_.received : b_.sent; }

    void put_sent() {
        switch (c_.function) {
        case bcast:
            if (root()) block(b_.received, 0, me_, 0, count(0));
            break;
        case reduce: block(root() ? own() : b_.sent, 0, me_, 0, count(0)); break;
        case allreduce:
        case scan:
        case exscan: block(own(), 0, me_, 0, count(0)); break;
        case reduce_scatter:
        case reduce_scatter_block: block(own(), 0, me_, 0, all()); break;
        case gather:
        case gatherv:
            if (root() && c_.in_place)
                block(b_.received, place(me_), me_, 0, count(me_));
            else
                block(b_.sent, 0, me_, 0, count(me_));
            break;
        case scatter:
        case scatterv:
            for (int to = 0; root() && to < p_; ++to) block(b_.sent, place(to), me_, to, count(to));
            break;
        case allgather:
        case allgatherv: block(own(), c_.in_place ? place(me_) : 0, me_, 0, count(me_)); break;
        case alltoall:
            for (int to = 0; to < p_; ++to) block(own(), to * count(0), me_, to, count(0));
            break;
        case alltoallv:
            for (int to = 0; to < p_; ++to)
                block(own(),
                      (c_.in_place ? b_.places : b_.send_places)[static_cast<std::size_t>(to)], me_,
                      to, between(me_, to));
            break;
        case barrier: break;
        }
    }

    void put_wanted() {
        switch (c_.function) {
        case bcast: block(b_.wanted_, 0, c_.root, 0, count(0)); break;
        case reduce:
            if (root()) sums(0, count(0), 0, p_ - 1, 0);
            break;
        case allreduce: sums(0, count(0), 0, p_ - 1, 0); break;
        case scan: sums(0, count(0), 0, me_, 0); break;
        case exscan:
            if (me_ > 0) sums(0, count(0), 0, me_ - 1, 0);
            break;
        case reduce_scatter:
        case reduce_scatter_block: put_scattered(); break;
        case gather:
        case gatherv:
            for (int from = 0; root() && from < p_; ++from)
                block(b_.wanted_, place(from), from, 0, count(from));
            break;
        case scatter:
        case scatterv:
            if (!(root() && c_.in_place)) block(b_.wanted_, 0, c_.root, me_, count(me_));
            break;
        case allgather:
        case allgatherv:
            for (int from = 0; from < p_; ++from)
                block(b_.wanted_, place(from), from, 0, count(from));
            break;
        case alltoall:
            for (int from = 0; from < p_; ++from)
                block(b_.wanted_, from * count(0), from, me_, count(0));
            break;
        case alltoallv:
            for (int from = 0; from < p_; ++from)
                block(b_.wanted_, b_.places[static_cast<std::size_t>(from)], from, me_,
                      between(from, me_));
            break;
        case barrier: break;
        }
    }

    void put_scattered() {
        int before = 0;
        for (int b = 0; b < me_; ++b) before += count(b);
        sums(0, count(me_), 0, p_ - 1, before);
        // In place the rest of the vector is not defined.
        if (c_.in_place)
            std::fill(b_.matters_.begin() + static_cast<std::ptrdiff_t>(
                                                static_cast<std::size_t>(count(me_)) * width_),
                      b_.matters_.end() - static_cast<std::ptrdiff_t>(kBehind * width_), 0);
    }

    /// Where a block of all lies.
    int place(int b) const {
        const std::vector<int>& places = c_.function == scatterv ? b_.send_places : b_.places;
        return places.empty() ? b * count(0) : places[static_cast<std::size_t>(b)];
    }

    Buffers& b_;
    const DrawnCall& c_;
    const int p_, me_;
    const std::size_t width_;
};

Buffers::Buffers(const DrawnCall& call, int rank, int p) : call_(&call), rank_(rank), p_(p) {
    const Function f = call.function;
    const bool root = rank == call.root;
    const auto laid_out = [&](std::vector<int>& n, std::vector<int>& at, auto&& count) {
        int next = 0;
        for (int b = 0; b < p; ++b) {
            n.push_back(count(b));
            at.push_back(next);
            next += n.back() + call.gap;
        }
        return next;
    };
    const auto block = [&](int b) { return call.counts[static_cast<std::size_t>(b)]; };
    int all = 0;
    for (const int n : call.counts) all += n;
    int out = 0, in = 0;  // elements
    switch (f) {
    case bcast: in = block(0); break;
    case reduce:
    case allreduce:
    case scan:
    case exscan: out = in = block(0); break;
    case reduce_scatter:
    case reduce_scatter_block: out = all, in = call.in_place ? all : block(rank); break;
    case gather: out = block(0), in = root ? all : 0; break;
    case scatter: out = root ? all : 0, in = block(0); break;
    case gatherv: out = block(rank), in = laid_out(counts, places, block); break;
    case scatterv: out = laid_out(send_counts, send_places, block), in = block(rank); break;
    case allgather: out = block(0), in = all; break;
    case allgatherv: out = block(rank), in = laid_out(counts, places, block); break;
    case alltoall: out = in = all; break;
    case alltoallv:
        out = laid_out(send_counts, send_places, [&](int to) { return block(rank * p + to); });
        in = laid_out(counts, places, [&](int from) { return block(from * p + rank); });
        break;
    case barrier: break;
    }
    if (f == reduce_scatter) counts = call.counts;
    const std::size_t width = size_of(call.elements);
    sent.resize(static_cast<std::size_t>(out + kBehind) * width);
    received.resize(static_cast<std::size_t>(in + kBehind) * width);
    type = call.elements == Elements::bytes ? MPI_BYTE
           : call.elements == Elements::i32 ? MPI_INT32_T
                                            : MPI_UINT64_T;
    op = call.elements == Elements::affine ? kAffine : MPI_SUM;
    send = sent.data();
    recv = received.data();
    if (!call.in_place) return;
    const bool scatters = f == scatter || f == scatterv,
               rooted = scatters || f == gather || f == gatherv || f == reduce;
    if (rooted && !root) return;
    if (scatters)
        recv = MPI_IN_PLACE;
    else
        send = MPI_IN_PLACE;
}

void Buffers::fill(int round) {
    round_ = round;
    Definition(*this).set();
}

std::string Buffers::wrong() const {
    const std::string round = round_ ? " (start " + std::to_string(round_) + ")" : "";
    for (std::size_t i = 0; i < received.size(); ++i)
        if (matters_[i] && received[i] != wanted_[i])
            return call_->text() + round + ": byte " + std::to_string(i) + " of the result is " +
                   std::to_string(received[i] & 0xff) + ", not " +
                   std::to_string(wanted_[i] & 0xff);
    if (sent != kept_) return call_->text() + round + ": the send buffer has changed";
    return {};
}

}  // namespace model
