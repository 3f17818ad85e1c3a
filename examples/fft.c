/* A Fourier transform of complex numbers that are spread over all ranks, there and back again, and
 * checked.
 *
 *   mpiexec -n 8 ./fft [-i TIMES] [-t] [SIZE...]
 *
 * SIZE is a number of points, or one of the sizes of Fan et al., HPDC'25, 6.1, for P ranks (both
 * are transformed when none is given): N1  ceil(0.78125 P) * ceil(0.625 P) * 8 points: ceil(0.625
 * P) ranks hold data, 8 points for each of the first ceil(0.78125 P) ranks N2  ((P - 1) * 32 + 8) *
 * P points: nearly as many for all -i TIMES  transforms there and back (default 400)      -t  tells
 * on standard error how long that took
 *
 * The points are a matrix of R rows and C columns, by rows; a rank owns some rows. Three
 * transpositions by MPI_Alltoallv, with transforms of the columns between the first two and of the
 * rows between the last two, leave the result in order of frequency, by rows of the C x R matrix.
 */
#include <complex.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef double complex Point;

static int rank, ranks;
static double seconds_exchanging;

/* n things in blocks of equal size on the first `holders` ranks; the last block may be shorter, or
 * some have none. */
typedef struct {
    long n, holders;
} Spread;

static long first(Spread s, int r) {
    long begin = r * ((s.n + s.holders - 1) / s.holders);
    return begin < s.n ? begin : s.n;
}
static long count(Spread s, int r) { return first(s, r + 1) - first(s, r); }

/* What the transforms of one matrix need again and again. */
typedef struct {
    Spread rows, columns;
    Point *row_roots, *column_roots,
        *twiddles; /* the transforms' roots of unity, and what stands between them */
    Point *send, *receive, *scratch;
    int *counts[2], *places[2]; /* of what is sent, of what is received */
} Plan;

static Point root(long k, long n) { return cexp(-2 * M_PI * I * (double)k / (double)n); }

static Point *points(long n) {
    Point *p = malloc(sizeof(Point) * (size_t)(n + 1));
    if (!p) {
        fprintf(stderr, "fft: rank %d has no memory for %ld points\n", rank, n);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return p;
}

static Point *roots(long n) {
    Point *w = points(n);
    for (long k = 0; k < n; ++k) w[k] = root(k, n);
    return w;
}

static long room(Spread rows, Spread columns) {
    long by_rows = count(rows, rank) * columns.n, by_columns = count(columns, rank) * rows.n;
    return by_rows > by_columns ? by_rows : by_columns;
}

static Plan plan(Spread rows, Spread columns) {
    Plan p = {.rows = rows,
              .columns = columns,
              .row_roots = roots(columns.n),
              .column_roots = roots(rows.n)};
    p.twiddles = points(count(columns, rank) * rows.n);
    for (long c = 0; c < count(columns, rank); ++c)
        for (long k = 0; k < rows.n; ++k)
            p.twiddles[c * rows.n + k] = root((first(columns, rank) + c) * k, rows.n * columns.n);
    p.send = points(room(rows, columns));
    p.receive = points(room(rows, columns));
    p.scratch = points(rows.n > columns.n ? rows.n : columns.n);
    for (int k = 0; k < 2; ++k)
        p.counts[k] = malloc(sizeof(int) * (size_t)ranks),
        p.places[k] = malloc(sizeof(int) * (size_t)ranks);
    return p;
}

static void forget(Plan p) {
    Point *all[] = {p.row_roots, p.column_roots, p.twiddles, p.send, p.receive, p.scratch};
    for (int k = 0; k < 6; ++k) free(all[k]);
    for (int k = 0; k < 2; ++k) free(p.counts[k]), free(p.places[k]);
}

/* In place: of a matrix whose rows are spread as `rows`, this rank's columns, which are spread as
 * `columns`. */
static void transpose(Plan *p, Spread rows, Spread columns, Point *data) {
    long mine = count(rows, rank), k = 0;
    for (int to = 0; to < ranks; ++to)
        for (long c = first(columns, to); c < first(columns, to + 1); ++c)
            for (long r = 0; r < mine; ++r) p->send[k++] = data[r * columns.n + c];
    for (int r = 0; r < ranks; ++r) {
        p->counts[0][r] = (int)(mine * count(columns, r));
        p->places[0][r] = (int)(mine * first(columns, r));
        p->counts[1][r] = (int)(count(columns, rank) * count(rows, r));
        p->places[1][r] = (int)(count(columns, rank) * first(rows, r));
    }
    double begin = MPI_Wtime();
    MPI_Alltoallv(p->send, p->counts[0], p->places[0], MPI_C_DOUBLE_COMPLEX, p->receive,
                  p->counts[1], p->places[1], MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
    seconds_exchanging += MPI_Wtime() - begin;
    k = 0;
    for (int from = 0; from < ranks; ++from)
        for (long c = 0; c < count(columns, rank); ++c)
            for (long r = first(rows, from); r < first(rows, from + 1); ++r)
                data[c * rows.n + r] = p->receive[k++];
}

/* Cooley-Tukey of any n, a prime factor at a time: n values that are `stride` apart; w holds the
 * roots of unity of n * stride. */
static void local_transform(long n, long stride, const Point *in, Point *out, const Point *w,
                            Point *scratch) {
    if (n == 1) {
        *out = *in;
        return;
    }
    long p = 2;
    while (n % p) p = p * p > n ? n : p + 1;
    long m = n / p;
    for (long j = 0; j < p; ++j)
        local_transform(m, stride * p, in + j * stride, out + j * m, w, scratch);
    for (long k = 0; k < m; ++k) {
        for (long j = 0; j < p; ++j) scratch[j] = out[j * m + k];
        for (long q = k; q < n; q += m) {
            out[q] = scratch[0];
            for (long j = 1; j < p; ++j) out[q] += scratch[j] * w[j * q % n * stride];
        }
    }
}

static void transform_each(Plan *p, long lines, long n, Point *data, const Point *w) {
    for (long l = 0; l < lines; ++l) {
        local_transform(n, 1, data + l * n, p->send, w, p->scratch);
        memcpy(data + l * n, p->send, sizeof(Point) * (size_t)n);
    }
}

static void transform(Plan *p, Point *data) {
    transpose(p, p->rows, p->columns, data);
    transform_each(p, count(p->columns, rank), p->rows.n, data, p->column_roots);
    for (long k = 0; k < count(p->columns, rank) * p->rows.n; ++k) data[k] *= p->twiddles[k];
    transpose(p, p->columns, p->rows, data);
    transform_each(p, count(p->rows, rank), p->columns.n, data, p->row_roots);
    transpose(p, p->rows, p->columns, data);
}

/* A signal that can be told anywhere without its neighbours: noise, real and imaginary parts from
 * -1 to 1. */
static Point signal_at(long n) {
    uint64_t h = ((uint64_t)n + 1) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    return (double)(uint32_t)h / 0x1p31 - 1 + I * ((double)(h >> 32) / 0x1p31 - 1);
}

/* Some frequencies of the result, held against the definition of the transform. */
static int frequencies_are_right(Spread rows, Spread columns, const Point *result) {
    long n = rows.n * columns.n, begin = first(rows, rank) * columns.n,
         end = first(rows, rank + 1) * columns.n;
    long lowest = first(columns, rank) * rows.n, beyond = first(columns, rank + 1) * rows.n;
    int right = 1;
    for (int b = 0; b < 4; ++b) {
        long k = (n - 1) * b / 3;
        Point mine = 0, all;
        for (long j = begin; j < end; ++j) mine += signal_at(j) * root(j * k % n, n);
        MPI_Allreduce(&mine, &all, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
        if (lowest <= k && k < beyond && cabs(result[k - lowest] - all) > 1e-9 * (double)n)
            right = 0;
    }
    return right;
}

/* Transforms there and back `times` times. What root prints rests on every point: the sum of the
 * magnitudes, weighed by frequency. */
static int run(const char *name, Spread rows, Spread columns, int times, int timed) {
    long n = rows.n * columns.n, mine = count(rows, rank) * columns.n,
         begin = first(rows, rank) * columns.n;
    Plan there = plan(rows, columns), back = plan(columns, rows);
    Point *data = points(room(rows, columns));
    for (long k = 0; k < mine; ++k) data[k] = signal_at(begin + k);

    double sum = 0, total, seconds[2], slowest[2];
    int right = 1, all_right;
    seconds_exchanging = seconds[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int t = 0; t < times; ++t) {
        double start = MPI_Wtime();
        transform(&there, data);
        seconds[0] += MPI_Wtime() - start;
        if (t == 0) {
            right = frequencies_are_right(rows, columns, data);
            long lowest = first(columns, rank) * rows.n;
            for (long k = 0; k < count(columns, rank) * rows.n; ++k)
                sum += cabs(data[k]) * (double)(lowest + k + 1) / (double)n;
        }
        start = MPI_Wtime();
        for (long k = 0; k < count(columns, rank) * rows.n; ++k)
            data[k] = conj(data[k]) / (double)n;
        transform(&back, data);
        for (long k = 0; k < mine; ++k) data[k] = conj(data[k]);
        seconds[0] += MPI_Wtime() - start;
    }
    for (long k = 0; k < mine; ++k)
        if (cabs(data[k] - signal_at(begin + k)) > 1e-9) right = 0;

    seconds[1] = seconds_exchanging;
    MPI_Reduce(seconds, slowest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s: %ld points, %ld x %ld, %d times there and back: %s, checksum %.7e\n", name, n,
               rows.n, columns.n, times, all_right ? "right" : "WRONG", total);
        if (timed)
            fprintf(stderr, "time %s %.6f s, in MPI_Alltoallv %.6f s\n", name, slowest[0],
                    slowest[1]);
    }
    free(data);
    forget(there);
    forget(back);
    return all_right;
}

static long part_of_ranks(double part) { return (long)ceil(part * ranks); }

/* The matrix of a size and who holds it; 0 when there is none. */
static int shape_of(const char *size, Spread *rows, Spread *columns) {
    if (!strcmp(size, "N1")) {
        long workers = part_of_ranks(0.625), blocks = part_of_ranks(0.78125);
        *rows = (Spread){2 * workers, workers};
        *columns = (Spread){4 * blocks, blocks};
    } else if (!strcmp(size, "N2")) {
        *rows = (Spread){ranks, ranks};
        *columns = (Spread){(ranks - 1) * 32L + 8, ranks};
    } else {
        char *end;
        long n = strtol(size, &end, 10), r;
        if (*end || n < 1) return 0;
        for (r = (long)sqrt((double)n); n % r; --r) continue;
        *rows = (Spread){r, ranks};
        *columns = (Spread){n / r, ranks};
    }
    return rows->n * columns->n <= INT_MAX;
}

static int usage(const char *what, const char *given) {
    if (rank == 0)
        fprintf(stderr,
                "fft: %s '%s'; allowed: fft [-i TIMES, at least 1] [-t] [N1 | N2 | points, 1 to "
                "%d]...\n",
                what, given, INT_MAX);
    MPI_Finalize();
    return 2;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int times = 400, timed = 0, right = 1;
    opterr = 0;
    for (int option; (option = getopt(argc, argv, "i:t")) != -1;) {
        if (option == 't')
            timed = 1;
        else if (option != 'i')
            return usage("cannot read option", argv[optind - 1]);
        else if ((times = atoi(optarg)) < 1)
            return usage("cannot transform so many times:", optarg);
    }
    char *both[] = {"N1", "N2"};
    char **sizes = optind < argc ? argv + optind : both;
    int many = optind < argc ? argc - optind : 2;
    Spread rows, columns;
    for (int k = 0; k < many; ++k)
        if (!shape_of(sizes[k], &rows, &columns)) return usage("cannot transform size", sizes[k]);
    for (int k = 0; k < many; ++k) {
        shape_of(sizes[k], &rows, &columns);
        right &= run(sizes[k], rows, columns, times, timed);
    }
    MPI_Finalize();
    return right ? 0 : 1;
}
