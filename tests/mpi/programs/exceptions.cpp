/* An error handler that throws: the exception passes through the function of MPI that was called,
 * after which calls are served as before. */
#include <mpi.h>

#include <cstdio>
#include <stdexcept>

namespace {

constexpr int kCalls = 3;
int passed, failed;

void expect(bool holds, const char* what) {
    ++(holds ? passed : failed);
    if (!holds) std::fprintf(stderr, "%s\n", what);
}

void throws(MPI_Comm*, int*, ...) { throw std::runtime_error("an error of MPI"); }

int sum_of_ranks(int count) {
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

}  // namespace

int main(int argc, char** argv) {
    int p = 0, rank = 0;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(throws, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    for (int i = 0; i < kCalls; ++i) {
        bool caught = false;
        try {
            sum_of_ranks(-1);
        } catch (const std::runtime_error&) {
            caught = true;
        }
        expect(caught, "the exception is caught");
        expect(sum_of_ranks(1) == p, "the next sum is right");
    }
    MPI_Finalize();
    if (rank == 0) std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
