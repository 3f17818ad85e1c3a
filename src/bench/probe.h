/* Measures the cost of a message roughly: enough to find candidates that are many times too
 * slow. */
#ifndef HOPBINE_BENCH_PROBE_H
#define HOPBINE_BENCH_PROBE_H

struct probe {
    double
        alpha;   /* s: half the round trip of a small message between the first and the last rank */
    double beta; /* s/byte: what each byte of a large message adds */
    double gamma;    /* s/byte of a sum of float32 */
    double overhead; /* s: a further small message that rank 0 sends at the same time */
};

/* Called by all ranks, at least two of them. The result is valid on rank 0. */
struct probe probe(void);

#endif
