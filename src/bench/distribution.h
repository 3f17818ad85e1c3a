/* The sizes of an alltoallv's blocks, drawn from a distribution that is written as text. Needs no
 * MPI.
 *
 *   BYTES                      uniform with this mean: dist:uniform of twice as much
 *   dist:uniform:MAX           0 to MAX bytes, every number of elements as likely
 *   dist:normal:MEAN[:SD]      normal, cut off at 0; SD 0.24 of the mean unless given (the ParLogNa
 * paper's 240 of 1,000) dist:power:MAX[:EXPONENT]  1 to MAX bytes, density as x^-EXPONENT, 0.95
 * unless given (the paper's)
 *
 * What is drawn is rounded to the nearest whole element. */
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
    char text[80]; /* "dist:KIND:...", with what was left out; nothing in it needs quotes in CSV */
};

/* Reads `text`; NULL, or what is wrong with it. BYTES less than an element are taken as one. */
const char *distribution_open(struct distribution *d, const char *text, size_t width);
/* The probability that a block has at most k elements: all that a distribution is. */
double distribution_up_to(const struct distribution *d, double k);
/* No block has more elements. */
int64_t distribution_longest(const struct distribution *d);
/* Mean bytes of a block. */
double distribution_mean(const struct distribution *d);
/* The elements of the block from one rank to another; another number in another round, the same on
 * all ranks. */
int64_t distribution_draw(const struct distribution *d, int from, int to, int round);

#ifdef __cplusplus
}
#endif
#endif
