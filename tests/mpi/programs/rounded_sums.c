/* Makes one call that exact sums do not serve, or need not.
 *
 *   rounded_sums f90real | between | accumulate | integers | products | refused
 *
 * Two ranks. Returns 0 where MPI does what it should. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;

/* A REAL of Fortran that is asked for by its digits: here it has 8 bytes. */
static int f90_reals(void) {
    MPI_Datatype type;
    double sum = 0, mine = rank + 1;
    MPI_Type_create_f90_real(15, 307, &type);
    MPI_Allreduce(&mine, &sum, 1, type, MPI_SUM, MPI_COMM_WORLD);
    return sum == 3;
}

/* Each rank is a group of its own, and gets the sum of the other one. */
static int between(void) {
    MPI_Comm other;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 5, &other);
    double sum = 0, mine = rank;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, other);
    MPI_Comm_free(&other);
    return sum == 1 - rank;
}

static int accumulate(void) {
    double sum = 0, mine = rank + 1;
    MPI_Win window;
    MPI_Win_create(&sum, sizeof sum, sizeof sum, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Accumulate(&mine, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_fence(0, window);
    const int right = sum == (rank ? 0 : 3);
    MPI_Win_free(&window);
    return right;
}

static int integers(void) {
    int sum = 0, mine = rank + 1;
    long long wide = 0, more = 1LL << 40;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&more, &wide, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum == 3 && wide == 1LL << 41;
}

static int products(void) {
    double product = 0, most = 0, mine = rank + 2;
    MPI_Allreduce(&mine, &product, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return product == 6 && most == 3;
}

/* What MPI refuses, a sum of a derived datatype, is refused; the next call is served. */
static int refused(void) {
    double sum = 0, mine = rank + 1;
    MPI_Datatype derived;
    MPI_Type_contiguous(1, MPI_DOUBLE, &derived);
    MPI_Type_commit(&derived);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int error = MPI_Allreduce(&mine, &sum, 1, derived, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Type_free(&derived);
    return error != MPI_SUCCESS && sum == 3;
}

int main(int argc, char **argv) {
    const struct {
        const char *name;
        int (*run)(void);
    } all[] = {{"f90real", f90_reals}, {"between", between},   {"accumulate", accumulate},
               {"integers", integers}, {"products", products}, {"refused", refused}};
    int right = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; ++i)
        if (!strcmp(argv[1], all[i].name)) right = all[i].run();
    if (!right) printf("rank %d: wrong\n", rank);
    MPI_Finalize();
    return !right;
}
