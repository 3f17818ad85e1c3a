/* What a message costs here, roughly: enough to see which candidates are many times too slow. */
#ifndef HOPBINE_BENCH_PROBE_H
#define HOPBINE_BENCH_PROBE_H

struct probe {
    double
        alpha; /* s: a small message between the first and the last rank, half of there and back */
    double beta;     /* s/byte: what each byte of a large one adds */
    double gamma;    /* s/byte of a sum of float32 */
    double overhead; /* s: a further small message of rank 0, in flight together with others */
};

/* Called by all ranks, at least two of them; the numbers are rank 0's. */
struct probe probe(void);

#endif
