/* Random numbers from a seed. Ranks that start with the same key draw the same numbers. */
#ifndef HOPBINE_ATTACK_DRAW_H
#define HOPBINE_ATTACK_DRAW_H
#include <stdint.h>

typedef struct {
    uint64_t state;
} Draw;

/* The finalizer of splitmix64. */
static inline uint64_t mix(uint64_t x) {
    x ^= x >> 30, x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27, x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Derives a key from a key and a number. */
static inline uint64_t key_of(uint64_t key, uint64_t number) {
    return mix(key + 0x9e3779b97f4a7c15u * (number + 1));
}

static inline uint64_t draw_bits(Draw *d) { return mix(d->state += 0x9e3779b97f4a7c15u); }

/* Draws from 0..n-1. */
static inline long draw_below(Draw *d, long n) { return (long)(draw_bits(d) % (uint64_t)n); }

/* True once in n times. */
static inline int one_in(Draw *d, long n) { return draw_below(d, n) == 0; }

#endif
