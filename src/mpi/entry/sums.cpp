// hopbine_sum and hopbine_dot: exact sums of numbers that are spread over ranks.
#include <limits>
#include <vector>

#include "mpi/arguments/library_call.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/state/errors.hpp"
#include "runtime/log.hpp"
#include "sums/accumulator.hpp"
#include "sums/round.hpp"

namespace hopbine::mpi {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Ranks of an intracommunicator; 0: it is none, or too large for such sums.
int ranks_of(MPI_Comm comm) {
    int ranks = 0;
    if (comm == MPI_COMM_NULL || intercommunicates(comm)) return 0;
    PMPI_Comm_size(comm, &ranks);
    return ranks <= sums::kMostAddends ? ranks : 0;
}

/// Rounds what all ranks have added. The last word counts ranks that have added something: a sum
/// without addends is +0.
double rounded(sums::Accumulator& mine, const sums::Format& f, int ranks, MPI_Comm comm,
               int* error) {
    std::vector<std::int64_t> words(static_cast<std::size_t>(f.words()) + 1);
    mine.write(f, words.data());
    words.back() = mine.any();
    const Call call{.collective = Collective::allreduce,
                    .send = MPI_IN_PLACE,
                    .recv = words.data(),
                    .recv_count = static_cast<std::int64_t>(words.size()),
                    .recv_type = MPI_INT64_T,
                    .op = MPI_SUM,
                    .comm = comm};
    *error = ranks > 1 ? complete(serve_words(call), call) : MPI_SUCCESS;
    double out = kNone;
    if (*error != MPI_SUCCESS) return out;
    sums::round_sums(words.data(), 1, f, &out);
    return words.back() ? out : 0;
}

/// The sum of what `add` adds. Returns NaN where *error is an MPI error code.
template <class Add>
double sum_over(MPI_Comm comm, sums::Format (*format)(int), const Add& add, int* error) {
    const int ranks = ranks_of(comm);
    *error = ranks ? MPI_SUCCESS : raise_later(comm, MPI_ERR_COMM);
    if (!ranks) return kNone;
    sums::Accumulator mine;
    add(mine);
    return rounded(mine, format(ranks), ranks, comm, error);
}

}  // namespace

}  // namespace hopbine::mpi

using namespace hopbine::mpi;
using hopbine::sums::Accumulator;

extern "C" {

/// See include/hopbine/hopbine_mpi.h. Sets *error to an MPI error code, for hopbine_raise().
double hopbine_sum_values(const double* x, std::size_t n, MPI_Comm comm, int* error) {
    return sum_over(
        comm, Accumulator::format_of_values,
        [=](Accumulator& to) {
            for (std::size_t i = 0; i < n; ++i) to.add(x[i]);
        },
        error);
}

double hopbine_sum_products(const double* x, const double* y, std::size_t n, MPI_Comm comm,
                            int* error) {
    return sum_over(
        comm, Accumulator::format_of_products,
        [=](Accumulator& to) {
            for (std::size_t i = 0; i < n; ++i) to.add_product(x[i], y[i]);
        },
        error);
}
}
