/* Poisson's equation on a square by conjugate gradients: plain, with two sums over all ranks in
 * each iteration that every rank waits for, and pipelined, with one that goes on while the matrix
 * is applied.
 *
 *   mpiexec -n 8 ./pipecg [-t] [SIDE]
 *
 * SIDE  points on a side, at least one for each rank (default 128)
 * -t    tells on standard error how long each took
 *
 * Pipelined: P. Ghysels, W. Vanroose, "Hiding global synchronization latency in the preconditioned
 * Conjugate Gradient algorithm", Parallel Computing 40 (2014), algorithm 3. Ranks own rows of the
 * square. The right-hand side is made from a known solution, so that both can be checked. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-9; /* of the residual, to the right-hand side */

static int rank, ranks, side, first_row, rows;

static size_t size(void) { return (size_t)(rows + 2) * (size_t)side; }

/* A vector of zeros, with a row of each neighbour around this rank's. */
static double *vector(void) {
    double *v = calloc(size(), sizeof *v);
    if (!v) {
        fprintf(stderr, "pipecg: rank %d has no memory for %zu numbers\n", rank, size());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return v;
}

static double dot(const double *a, const double *b) {
    double sum = 0;
    for (int k = side; k < (rows + 1) * side; ++k) sum += a[k] * b[k];
    return sum;
}

static double sum_of_all(double mine) {
    double all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void apply_row(int row, const double *x, double *y) {
    const double *at = x + row * side;
    for (int k = 0; k < side; ++k)
        y[row * side + k] = 4 * at[k] - at[k - side] - at[k + side] - (k ? at[k - 1] : 0) -
                            (k < side - 1 ? at[k + 1] : 0);
}

/* y = A x, the five-point stencil with zeros around the square. What else is under way goes on
 * while the neighbours' rows are awaited. */
static void apply(double *x, double *y) {
    const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL,
              after = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Request all[4];
    MPI_Irecv(x, side, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &all[0]);
    MPI_Irecv(x + (rows + 1) * side, side, MPI_DOUBLE, after, 0, MPI_COMM_WORLD, &all[1]);
    MPI_Isend(x + side, side, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &all[2]);
    MPI_Isend(x + rows * side, side, MPI_DOUBLE, after, 0, MPI_COMM_WORLD, &all[3]);
    for (int row = 2; row < rows; ++row) apply_row(row, x, y);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
    apply_row(1, x, y);
    if (rows > 1) apply_row(rows, x, y);
}

/* Solves A x = b from zero. Returns the number of iterations. */
static int plain(const double *b, double *x) {
    double *r = vector(), *p = vector(), *q = vector();
    memcpy(r, b, size() * sizeof *r);
    memcpy(p, b, size() * sizeof *p);
    double gamma = sum_of_all(dot(r, r));
    const double enough = TOLERANCE * TOLERANCE * gamma;
    int i = 0;
    for (; gamma > enough && i < side * side; ++i) {
        apply(p, q);
        const double alpha = gamma / sum_of_all(dot(p, q)), last = gamma;
        for (int k = side; k < (rows + 1) * side; ++k) x[k] += alpha * p[k], r[k] -= alpha * q[k];
        gamma = sum_of_all(dot(r, r));
        for (int k = side; k < (rows + 1) * side; ++k) p[k] = r[k] + gamma / last * p[k];
    }
    free(r), free(p), free(q);
    return i;
}

static int pipelined(const double *b, double *x) {
    double *r = vector(), *w = vector(), *q = vector(), *z = vector(), *s = vector(), *p = vector();
    memcpy(r, b, size() * sizeof *r);
    apply(r, w);
    double last = 0, alpha = 0, enough = 0;
    int i = 0;
    for (; i < side * side; ++i) {
        const double mine[2] = {dot(r, r), dot(w, r)};
        double sums[2];
        MPI_Request reduction;
        MPI_Iallreduce(mine, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &reduction);
        apply(w, q);
        MPI_Wait(&reduction, MPI_STATUS_IGNORE);
        const double gamma = sums[0], delta = sums[1], beta = i ? gamma / last : 0;
        if (i == 0) enough = TOLERANCE * TOLERANCE * gamma;
        if (gamma <= enough) break;
        alpha = gamma / (i ? delta - beta * gamma / alpha : delta);
        last = gamma;
        for (int k = side; k < (rows + 1) * side; ++k) {
            z[k] = q[k] + beta * z[k];
            s[k] = w[k] + beta * s[k];
            p[k] = r[k] + beta * p[k];
            x[k] += alpha * p[k];
            r[k] -= alpha * s[k];
            w[k] -= alpha * z[k];
        }
    }
    free(r), free(w), free(q), free(z), free(s), free(p);
    return i;
}

/* The known solution: noise, from -1 to 1. */
static double solution_at(int row, int column) {
    uint64_t h = ((uint64_t)row * (uint64_t)side + (uint64_t)column + 1) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    return (double)(h >> 32) / 0x1p31 - 1;
}

/* Solves and prints what root knows of it. Returns whether the solution is the known one. */
static int run(const char *name, int (*solve)(const double *, double *), double *known, int timed) {
    double *b = vector(), *x = vector(), *residual = vector(), most = 0, error, seconds;
    apply(known, b);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    const int iterations = solve(b, x);
    const double mine = MPI_Wtime() - begin;
    apply(x, residual);
    for (int k = side; k < (rows + 1) * side; ++k) {
        residual[k] = b[k] - residual[k];
        most = fmax(most, fabs(x[k] - known[k]));
    }
    const double left = sqrt(sum_of_all(dot(residual, residual)) / sum_of_all(dot(b, b)));
    MPI_Allreduce(&most, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    const int right = left < 2 * TOLERANCE && error < 1e-5;
    if (rank == 0) {
        printf("%s: %d x %d points, %d iterations, residual %.2e, largest error %.1e: %s\n", name,
               side, side, iterations, left, error, right ? "right" : "WRONG");
        if (timed) fprintf(stderr, "time %s %.6f s\n", name, seconds);
    }
    free(b), free(x), free(residual);
    return right;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int timed = argc > 1 && !strcmp(argv[1], "-t"), many = argc - 1 - timed;
    char *end = "";
    const long asked = many ? strtol(argv[1 + timed], &end, 10) : 128;
    if (many > 1 || *end || asked < ranks || asked > 10000) {
        if (rank == 0)
            fprintf(stderr,
                    "pipecg: cannot solve for '%s'; allowed: pipecg [-t] [SIDE, %d to 10000]\n",
                    many ? argv[1 + timed] : "128", ranks);
        MPI_Finalize();
        return 2;
    }
    side = (int)asked;
    first_row = (int)(asked * rank / ranks);
    rows = (int)(asked * (rank + 1) / ranks) - first_row;
    double *known = vector();
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < side; ++k)
            known[(row + 1) * side + k] = solution_at(first_row + row, k);
    const int right = run("plain", plain, known, timed) & run("pipelined", pipelined, known, timed);
    free(known);
    MPI_Finalize();
    return right ? 0 : 1;
}
