/* Conjugate gradients whose residuals have the same bits on any number of ranks.
 *
 *   mpiexec -n 4 hopbine run ./cg [mpi]
 *
 * The scalar products are hopbine_dot()'s: summed exactly over all ranks, and rounded once. With
 * `mpi` every rank rounds its own part, and MPI_Allreduce sums those, as programs do: then the
 * residuals depend on the number of ranks. All else is done row by row, the same on any rank.
 *
 * Poisson's equation on a square of 96 points a side, whose rows are spread over ranks. Prints the
 * squared residual of every fifth iteration in hexadecimal, which shows every bit.
 *
 * Build: mpicc cg.c -o cg -I PREFIX/include -L PREFIX/lib -lhopbine_preload (hopbine info tells
 * where hopbine is) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hopbine/hopbine_mpi.h"

enum { SIDE = 96, ITERATIONS = 60, SHOWN = 5 };

static int rank, ranks, rows, exact = 1;

/* A vector of this rank's rows, with a row of each neighbour around them, all zero. */
static double *vector(void) {
    double *v = calloc((size_t)(rows + 2) * SIDE, sizeof *v);
    if (!v) {
        fprintf(stderr, "cg: rank %d has no memory for %d rows\n", rank, rows);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return v;
}

static double dot(const double *x, const double *y) {
    const size_t n = (size_t)rows * SIDE;
    x += SIDE, y += SIDE;
    if (exact) return hopbine_dot(x, y, n, MPI_COMM_WORLD);
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += x[i] * y[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* y = A x, the five-point stencil with zeros around the square. */
static void apply(double *x, double *y) {
    const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL,
              after = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    double *const last = x + rows * SIDE;
    MPI_Sendrecv(x + SIDE, SIDE, MPI_DOUBLE, before, 0, last + SIDE, SIDE, MPI_DOUBLE, after, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, SIDE, MPI_DOUBLE, after, 0, x, SIDE, MPI_DOUBLE, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int r = 1; r <= rows; ++r) {
        const double *const at = x + r * SIDE;
        for (int k = 0; k < SIDE; ++k)
            y[r * SIDE + k] = 4 * at[k] - at[k - SIDE] - at[k + SIDE] - (k ? at[k - 1] : 0) -
                              (k < SIDE - 1 ? at[k + 1] : 0);
    }
}

/* y = x * a + b, element by element. */
static void combine(double *y, double a, const double *x, const double *b) {
    for (int i = SIDE; i < (rows + 1) * SIDE; ++i) y[i] = x[i] * a + b[i];
}

static void solve(int first_row) {
    double *const x = vector(), *const r = vector(), *const p = vector(), *const q = vector();
    for (int i = 0; i < rows * SIDE; ++i) r[SIDE + i] = 1.0 / (1 + (first_row * SIDE + i) % 37);
    memcpy(p, r, (size_t)(rows + 2) * SIDE * sizeof *p);
    double rr = dot(r, r);
    for (int k = 0; k < ITERATIONS; ++k) {
        apply(p, q);
        const double alpha = rr / dot(p, q);
        combine(x, alpha, p, x);
        combine(r, -alpha, q, r);
        const double next = dot(r, r);
        combine(p, next / rr, p, r);
        rr = next;
        if (rank == 0 && k % SHOWN == 0) printf("%d %a\n", k, rr);
    }
    free(x), free(r), free(p), free(q);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 2 || (argc == 2 && strcmp(argv[1], "mpi")) || ranks > SIDE) {
        if (rank == 0) fprintf(stderr, "usage: cg [mpi], on at most %d ranks\n", SIDE);
        MPI_Finalize();
        return 2;
    }
    exact = argc == 1;
    const int first_row = SIDE * rank / ranks;
    rows = SIDE * (rank + 1) / ranks - first_row;
    solve(first_row);
    MPI_Finalize();
    return 0;
}
