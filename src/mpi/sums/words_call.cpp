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
    : numbers_(c, rank, ranks, of),
      format_(format),
      call_(c),
      scattered_(spec(c.collective).after == Owner::number) {
    const std::int64_t each = std::int64_t{of.parts} * format.words();
    call_.recv_count = c.recv_count * each;
    call_.recv_type = MPI_INT64_T;
    if (!c.counts) return;
    for (int r = 0; r < ranks; ++r) counts_.push_back(static_cast<int>(c.counts[r] * each));
    call_.counts = counts_.data();
}

std::int64_t WordsCall::words() const {
    const std::size_t numbers = numbers_.n + (scattered_ ? numbers_.results : 0);
    return static_cast<std::int64_t>(numbers) * format_.words();
}

/// The words are reduced in their place, but for those of a reduce_scatter, and where another rank
/// has the result.
void WordsCall::set(std::int64_t* words) {
    words_ = result_ = words;
    if (scattered_) result_ += static_cast<std::int64_t>(numbers_.n) * format_.words();
    const bool elsewhere = rooted(call_.collective) && numbers_.results == 0;
    call_.send = scattered_ || elsewhere ? words : MPI_IN_PLACE;
    call_.recv = result_;
}

bool WordsCall::encode() {
    return numbers_.arithmetic.encode(numbers_.from, numbers_.n, format_, words_);
}

void WordsCall::round() const {
    numbers_.arithmetic.round(result_, numbers_.results, format_, numbers_.to);
}

}  // namespace hopbine::mpi
