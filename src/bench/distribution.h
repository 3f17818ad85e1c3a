/* Sizes of an alltoallv's blocks, drawn from a distribution that is written as text. Independent of
 * MPI.
 *
 *   BYTES                         uniform with this mean: dist:uniform of twice as much
 *   dist:uniform:MAX              0 to MAX bytes, all numbers of elements equally likely
 *   dist:normal:MEAN[:SD]         normal, cut off at 0; default SD: 0.24 of the mean
 *                                 (the ParLogNa paper's 240 of 1,000)
 *   dist:power:MAX[:EXPONENT]     1 to MAX bytes, density as x^-EXPONENT; default: 0.95
 *                                 (the paper's)
 *
 * Drawn sizes are rounded to the nearest whole element. */
#ifndef HOPBINE_BENCH_DISTRIBUTION_H
#define HOPBINE_BENCH_DISTRIBUTION_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum distribution_kind { UNIFORM, NORMAL, POWER };

struct distribution {
    enum distribution_kind kind;
    double size;   /* bytes: MAX or MEAN */
    double shape;  /* normal: standard deviation in bytes; power: exponent */
    size_t width;  /* bytes of an element */
    char text[80]; /* "dist:KIND:..." with defaults filled in; needs no quotes in CSV */
};

/* Reads `text`. NULL, or the error. BYTES below one element count as one element. */
const char *distribution_open(struct distribution *d, const char *text, size_t width);
/* Probability that a block has at most k elements: the whole definition of a distribution. */
double distribution_up_to(const struct distribution *d, double k);
/* Most elements that a block can have. */
int64_t distribution_longest(const struct distribution *d);
/* Mean bytes of a block. */
double distribution_mean(const struct distribution *d);
/* Elements of the block from one rank to another: the same on all ranks, another number in another
 * round. */
int64_t distribution_draw(const struct distribution *d, int from, int to, int round);

#ifdef __cplusplus
}
#endif
#endif
