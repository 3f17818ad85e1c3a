/* A callback that throws: the exception passes through the function of MPI that was called, after
 * which calls are served as before. Attributes are copied before MPI_Comm_dup sends anything. */
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

int copied(MPI_Comm, int, void*, void*, void*, int*) {
    throw std::runtime_error("this attribute is not copied");
}

bool is_thrown_by_dup() {
    MPI_Comm other;
    try {
        MPI_Comm_dup(MPI_COMM_WORLD, &other);
    } catch (const std::runtime_error&) {
        return true;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    int p = 0, rank = 0, one = 1, sum = 0, key = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &one);
    for (int i = 0; i < kCalls; ++i) {
        expect(is_thrown_by_dup(), "the exception is caught");
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        expect(sum == p, "the next sum is right");
    }
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Finalize();
    if (rank == 0) std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
