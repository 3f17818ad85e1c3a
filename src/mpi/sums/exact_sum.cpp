#include "mpi/sums/exact_sum.hpp"

#include <algorithm>

#include "mpi/arguments/library_call.hpp"
#include "mpi/device/device_mirror.hpp"
#include "mpi/device/device_use.hpp"
#include "mpi/state/world.hpp"
#include "mpi/sums/not_exact.hpp"
#include "mpi/sums/words_call.hpp"

namespace hopbine::mpi {

namespace {

// docs/sums.md#limits derives these numbers from what benchmarks/sums_kernels.cpp measures.

/// Words from which on ranks round a part of the sums each, and tell it one another: it saves as
/// much time as one more collective takes.
constexpr std::int64_t kScatteredBytes = 64 << 10;
/// Bits beside those of a call's values that a window has for the next calls'; more of them where
/// there are few values. Half of them are below: the least of many values that are drawn alike is
/// 2^-8 of the last call's once in 256 calls, and a single one that halves in each call, as a
/// solver's residual, leaves the window after 34, as two words have 68 bits beside a double's.
constexpr int kSlack = 16, kSlackOfOne = 64;
/// Calls until a window is agreed on anew, since it may be wider than it has to be. To agree takes
/// no longer than a call: 1/256 of the time.
constexpr unsigned kUses = 256;

/// A blocking sum, of at most kMostAtOnce words.
class Sum {
public:
    Sum(const Call& c, const ExactCall& exact, int (*serve)(const Call&))
        : c_(c),
          state_(*exact.state),
          of_(exact.of),
          serve_(serve),
          numbers_(c, state_.rank, state_.size, of_),
          kept_(state_.sums()) {}

    int run() {
        if (c_.collective == Collective::allreduce) return in_last_window();
        const sums::Format full = numbers_.arithmetic.full(state_.size);
        if (bytes_in(full) <= kFullBytes) return in_words(full);
        sums::Format window;
        HOPBINE_TRY(agree(0, &window));
        return in_words(window);
    }

private:
    std::int64_t bytes_in(const sums::Format& f) const {
        return static_cast<std::int64_t>(numbers_.n * sizeof(std::int64_t)) * f.words();
    }
    int make(const Call& c) const { return complete(serve_(c), c); }

    /// The whole call in one step.
    int in_words(const sums::Format& f) {
        WordsCall call(c_, state_.rank, state_.size, of_, f);
        call.set(words(call.words()));
        call.encode();
        HOPBINE_TRY(make(call.call()));
        call.round();
        return MPI_SUCCESS;
    }

    /// An allreduce in the window of the last one, if that has all values of all ranks; else in the
    /// one that they need.
    int in_last_window() {
        sums::Format& window = kept_.windows[numbers_.arithmetic.kind];
        unsigned& uses = kept_.uses[numbers_.arithmetic.kind];
        bool fits = false;
        if (window && uses++ < kUses) HOPBINE_TRY(in_window(window, &fits));
        if (fits) return MPI_SUCCESS;
        uses = 0;
        const int slack = std::max(kSlack, kSlackOfOne / static_cast<int>(numbers_.n));
        HOPBINE_TRY(agree(slack, &window));
        return in_window(window, &fits);
    }

    /// An allreduce in a window. *fits: it has all values; else there is no result.
    int in_window(const sums::Format& f, bool* fits) {
        return bytes_in(f) < kScatteredBytes ? together(f, fits) : scattered(f, fits);
    }

    /// One allreduce. Ranks whose values do not fit add a flag to a word: with a word more, a
    /// message of a power of two bytes would be above the limits of MPI libraries, of which many
    /// are such.
    int together(const sums::Format& f, bool* fits) {
        const auto all = static_cast<std::int64_t>(numbers_.n) * f.words();
        const std::size_t flag = f.flag_at(numbers_.n);
        std::int64_t *const mine = words(2 * all), *const sums = mine + all;
        if (!numbers_.arithmetic.encode(numbers_.from, numbers_.n, f, mine)) mine[flag] = f.flag();
        HOPBINE_TRY(make(allreduce(MPI_SUM, mine, sums, all)));
        *fits = !f.has_flags(sums[flag]);
        if (*fits) numbers_.arithmetic.round(sums, numbers_.n, f, numbers_.to);
        return MPI_SUCCESS;
    }

    /// A reduce_scatter of the words, of which every rank rounds its part, and an allgather of the
    /// sums. Each part ends with the word that tells whether the values fit.
    int scattered(const sums::Format& f, bool* fits) {
        const auto ranks = static_cast<std::size_t>(state_.size),
                   me = static_cast<std::size_t>(state_.rank);
        const auto begin = [&](std::size_t r) { return numbers_.n * r / ranks; };
        const std::size_t bytes = numbers_.arithmetic.bytes, sums = begin(me + 1) - begin(me);
        std::vector<int> sizes(ranks), places(ranks), words_of(ranks);
        for (std::size_t r = 0; r < ranks; ++r) {
            const std::size_t n = begin(r + 1) - begin(r);
            places[r] = static_cast<int>(begin(r) * bytes);
            sizes[r] = static_cast<int>(n * bytes);
            words_of[r] = static_cast<int>(n) * f.words() + 1;
        }
        std::int64_t* const at = words(static_cast<std::int64_t>(numbers_.n) * f.words() +
                                       static_cast<std::int64_t>(ranks));
        encode_parts(f, begin, at);
        auto* const mine = reinterpret_cast<std::int64_t*>(
            kept_.result.at_least(words_of[me] * std::int64_t{sizeof(std::int64_t)}));
        HOPBINE_TRY(make({.collective = Collective::reduce_scatter,
                          .send = at,
                          .recv = mine,
                          .recv_type = MPI_INT64_T,
                          .counts = words_of.data(),
                          .op = MPI_SUM,
                          .comm = c_.comm}));
        *fits = mine[words_of[me] - 1] == 0;
        if (!*fits) return MPI_SUCCESS;
        numbers_.arithmetic.round(mine, sums, f, numbers_.to + begin(me) * bytes);
        return make({.collective = Collective::allgather,
                     .send = MPI_IN_PLACE,
                     .recv = numbers_.to,
                     .recv_type = MPI_BYTE,
                     .counts = sizes.data(),
                     .displacements = places.data(),
                     .comm = c_.comm});
    }

    template <class Begin>
    void encode_parts(const sums::Format& f, const Begin& begin, std::int64_t* at) {
        const auto ranks = static_cast<std::size_t>(state_.size);
        bool all = true;
        const auto flag = [&](std::size_t r) {
            return at + begin(r + 1) * static_cast<std::size_t>(f.words()) + r;
        };
        for (std::size_t r = 0; r < ranks; ++r) {
            const std::size_t n = begin(r + 1) - begin(r);
            all &=
                numbers_.arithmetic.encode(numbers_.from + begin(r) * numbers_.arithmetic.bytes, n,
                                           f, flag(r) - n * static_cast<std::size_t>(f.words()));
        }
        for (std::size_t r = 0; r < ranks; ++r) *flag(r) = !all;
    }

    /// The window that the values of all ranks need.
    int agree(int slack, sums::Format* window) {
        sums::Range r = numbers_.arithmetic.range(numbers_.from, numbers_.n);
        const std::int64_t mine[3] = {-r.low, r.end, r.special};
        std::int64_t most[3];
        HOPBINE_TRY(make(allreduce(MPI_MAX, mine, most, std::size(most))));
        r = {static_cast<int>(-most[0]), static_cast<int>(most[1]), most[2] != 0};
        *window = numbers_.arithmetic.window(r, state_.size, slack);
        return MPI_SUCCESS;
    }

    /// An allreduce of n words.
    Call allreduce(MPI_Op op, const std::int64_t* from, std::int64_t* to, std::int64_t n) const {
        return {.collective = Collective::allreduce,
                .send = from,
                .recv = to,
                .recv_count = n,
                .recv_type = MPI_INT64_T,
                .op = op,
                .comm = c_.comm};
    }
    std::int64_t* words(std::int64_t n) {
        return reinterpret_cast<std::int64_t*>(
            kept_.words.at_least(n * std::int64_t{sizeof(std::int64_t)} + 1));
    }

    const Call& c_;
    Communicator& state_;
    const Summand& of_;
    int (*const serve_)(const Call&);
    const Numbers numbers_;
    sums::SumState& kept_;
};

/// Words of the call in the format of all values.
std::int64_t most_words(const Call& c, const ExactCall& exact) {
    const Numbers all(c, exact.state->rank, exact.state->size, exact.of);
    const std::int64_t each = all.arithmetic.full(exact.state->size).words();
    std::int64_t out = 0;
    const bool overflows = __builtin_mul_overflow(static_cast<std::int64_t>(all.n), each, &out);
    return overflows ? INT64_MAX : out;
}

/// Whether a call can be made in parts, which have results of their own.
bool has_parts(const Call& c, Form form) {
    return form == Form::blocking && spec(c.collective).after != Owner::number;
}

/// Why a sum that is rounded is not exact; empty: it is.
std::string why_not_exact(const Call& c, Form form, const ExactCall& exact) {
    if (exact.state->unusable()) return exact.state->why_unusable();
    if (!exact.of.arithmetic) return "elements of this type";
    if (exact.state->size > sums::kMostAddends) return "too many ranks";
    if (device::Runtime::get().opaque()) return "device memory that cannot be told";
    return exact.words > kMostAtOnce && !has_parts(c, form) ? "too many elements" : "";
}

/// Serves a call on host memory, in parts where it has very many words.
int sum_on_host(const Call& whole, const ExactCall& exact, int (*serve)(const Call&)) {
    if (exact.words <= kMostAtOnce) return Sum(whole, exact, serve).run();
    Call c = whole;
    const std::int64_t parts = (exact.words - 1) / kMostAtOnce + 1, count = c.recv_count,
                       bytes = std::int64_t{exact.of.parts} *
                               static_cast<std::int64_t>(exact.of.arithmetic->bytes);
    const auto skip = [&](const void* at, std::int64_t elements) -> char* {
        const bool buffer = at && at != MPI_IN_PLACE;
        char* const begin = static_cast<char*>(const_cast<void*>(at));
        return buffer ? begin + elements * bytes : begin;
    };
    for (std::int64_t k = 0; k < parts; ++k) {
        const std::int64_t begin = count / parts * k,
                           end = k + 1 < parts ? begin + count / parts : count;
        c.send = skip(whole.send, begin);
        c.recv = skip(whole.recv, begin);
        c.recv_count = end - begin;
        HOPBINE_TRY(Sum(c, exact, serve).run());
    }
    return MPI_SUCCESS;
}

}  // namespace

std::optional<ExactCall> examine_sum(const Call& c, Form form) {
    if (!World::alive() || c.comm == MPI_COMM_NULL) return {};
    ExactCall out{.state = Communicator::of(c.comm), .of = summand_of(c.recv_type)};
    if (!out.of.rounds) return {};
    int between = 0;
    if (!out.state || (PMPI_Comm_test_inter(c.comm, &between), between)) {
        note_not_exact(c, form, between ? "an intercommunicator" : "a communicator of threads");
        return {};
    }
    if (out.state->size == 1) return {};  // the sum of one addend
    // The library knows more of elements that examine() does not know.
    if (out.of.arithmetic && (!examine(c, *out.state, &out.known) || out.known.bytes == 0))
        return {};
    if (out.of.arithmetic) out.words = most_words(c, out);
    const std::string why = why_not_exact(c, form, out);
    if (why.empty()) return out;
    note_not_exact(c, form, why);
    return {};
}

int sum_host_memory(const Call& c, const ExactCall& exact, int (*serve)(const Call&)) {
    sums::SumState& kept = exact.state->sums();
    ++kept.calls;
    const int error = sum_on_host(c, exact, serve);
    kept.trim();
    return error;
}

int sum_exactly(const Call& c, const ExactCall& exact, int (*serve)(const Call&)) {
    if (!on_device(c, *exact.state)) return sum_host_memory(c, exact, serve);
    DeviceMirror mirror(c, exact.state->rank, exact.state->size);
    return mirror.finish(sum_host_memory(mirror.arrived_call(), exact, serve));
}

}  // namespace hopbine::mpi
