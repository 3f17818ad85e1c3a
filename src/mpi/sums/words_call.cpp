#include "mpi/sums/words_call.hpp"

namespace hopbine::mpi {

namespace {

std::int64_t sum(const Array& counts, int ranks) {
    std::int64_t all = 0;
    for (int r = 0; r < ranks; ++r) all += counts[r];
    return all;
}

}  // namespace

Numbers::Numbers(const Call& c, int rank, int ranks, const Summand& of)
    : arithmetic(*of.arithmetic) {
    std::int64_t all = c.recv_count, mine = c.recv_count;
    if (spec(c.collective).after == Owner::number) {
        all = c.counts ? sum(c.counts, ranks) : c.recv_count * ranks;
        if (c.counts) mine = c.counts[rank];
    }
    const bool none = (rooted(c.collective) && rank != c.root) ||
                      (c.collective == Collective::exscan && rank == 0);
    n = static_cast<std::size_t>(all * of.parts);
    results = none ? 0 : static_cast<std::size_t>(mine * of.parts);
    read_from(c);
}

void Numbers::read_from(const Call& c) {
    from = static_cast<const char*>(c.send == MPI_IN_PLACE ? c.recv : c.send);
    to = static_cast<char*>(c.recv);
}

WordsCall::WordsCall(const Call& c, int rank, int ranks, const Summand& of,
                     const sums::Format& format)
    : numbers_(c, rank, ranks, of), format_(format), call_(c) {
    const std::int64_t each = std::int64_t{of.parts} * format.words();
    call_.recv_count = c.recv_count * each;
    call_.recv_type = MPI_INT64_T;
    if (spec(c.collective).after != Owner::number) {
        parts_ = {numbers_.n};
        return;
    }
    for (int r = 0; r < ranks; ++r) {
        const std::int64_t elements = c.counts ? c.counts[r] : c.recv_count;
        parts_.push_back(static_cast<std::size_t>(elements * of.parts));
        if (c.counts) counts_.push_back(static_cast<int>(elements * each));
    }
    if (c.counts) call_.counts = counts_.data();
}

std::int64_t WordsCall::sent_bytes() const {
    return static_cast<std::int64_t>(numbers_.n * sizeof(std::int64_t)) * format_.words();
}

std::int64_t WordsCall::words() const {
    const std::size_t received = parts_.size() > 1 ? numbers_.results : numbers_.n;
    return static_cast<std::int64_t>(numbers_.n + received) * format_.words();
}

void WordsCall::set(std::int64_t* words) {
    words_ = words;
    result_ = words + static_cast<std::int64_t>(numbers_.n) * format_.words();
    call_.send = words_;
    call_.recv = result_;
}

bool WordsCall::encode() const {
    bool fits = true;
    const char* from = numbers_.from;
    std::int64_t* to = words_;
    for (const std::size_t n : parts_) {
        fits &= numbers_.arithmetic.encode(from, n, format_, to);
        from += n * numbers_.arithmetic.bytes;
        to += static_cast<std::int64_t>(n) * format_.words();
    }
    return fits;
}

void WordsCall::round() const {
    numbers_.arithmetic.round(result_, numbers_.results, format_, numbers_.to);
}

}  // namespace hopbine::mpi
