/* The flags of kernels/allreduce.h between ranks that are threads, which take their time: every sum
 * of every turn is compared.
 *
 *   node_litmus RANKS ROUNDS    ROUNDS: flags that a rank awaits, in all its blocks and stages
 *
 * - A rank waits now and then, between turns and between blocks.
 * - A kernel gives up soon, and is begun again; blocks run in one order or from another on.
 * - Sizes from none to several elements for each thread, in place or not, in one part or more. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake/fake.h"

enum { MOST = ROOM / 4, THREADS = HOPBINE_NODE_RANKS }; /* one awaits a rank */
static unsigned ranks;
static unsigned long rounds;
static void *arenas[HOPBINE_NODE_RANKS];
static int failed;
static unsigned long given_up;

struct rank {
    pthread_t thread;
    unsigned number, random;
    uint32_t over[HOPBINE_NODE_BLOCKS];
    int in[MOST + 4], out[MOST + 4];
};

static unsigned draw(unsigned *random) {
    *random = *random * 1664525u + 1013904223u;
    return *random >> 16;
}

static void dawdle(unsigned *random, unsigned seldom) {
    const unsigned drawn = draw(random);
    if (drawn % seldom == 0) usleep(drawn % 50);
    if (drawn % seldom == 1) sched_yield();
}

static int value(unsigned rank, unsigned turn, unsigned i) {
    return (int)(1000003 * turn + 17 * rank + i);
}

/* Runs the kernel once: all of its blocks. Whether all are over with the turn. */
static int run_once(struct rank *r, const kernel *k, const hopbine_node *node, const int *in,
                    int *out, unsigned n) {
    const unsigned from = draw(&r->random) % 64 ? 0 : draw(&r->random) % HOPBINE_NODE_BLOCKS;
    int over = 1;
    for (unsigned b = 0; b < HOPBINE_NODE_BLOCKS; ++b) {
        dawdle(&r->random, 4096);
        fake_run_block(k, node, in, out, n, (b + from) % HOPBINE_NODE_BLOCKS, THREADS);
    }
    for (unsigned b = 0; b < HOPBINE_NODE_BLOCKS; ++b)
        over &= __atomic_load_n(&r->over[b], __ATOMIC_ACQUIRE) == node->turn;
    return over;
}

static void turn(struct rank *r, const kernel *k, uint32_t number) {
    unsigned all = number * 2654435761u; /* drawn alike by all ranks */
    const unsigned n = draw(&all) % 8 ? draw(&all) % 200 : draw(&all) % (MOST + 1),
                   off = draw(&all) % 4;
    hopbine_node node = {.ranks = ranks, .rank = r->number, .turn = number, .room = ROOM};
    node.parts = draw(&all) % 2 ? ranks : 1;
    node.patience = 1 + draw(&r->random) % 200;
    node.over = r->over;
    memcpy(node.arena, arenas, sizeof arenas);
    int *const out = r->out + off, *const in = draw(&all) % 2 ? out : r->in + draw(&r->random) % 4;
    for (unsigned i = 0; i < n; ++i) in[i] = value(r->number, number, i);
    dawdle(&r->random, 64);
    while (!run_once(r, k, &node, in, out, n)) __atomic_add_fetch(&given_up, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < n; ++i) {
        int sum = 0;
        for (unsigned q = 0; q < ranks; ++q)
            sum = (int)((unsigned)sum + (unsigned)value(q, number, i));
        if (out[i] == sum) continue;
        if (!__atomic_exchange_n(&failed, 1, __ATOMIC_RELAXED))
            fprintf(stderr, "rank %u, turn %u, element %u of %u: %d, not %d\n", r->number, number,
                    i, n, out[i], sum);
        return;
    }
}

static void *run(void *of) {
    struct rank *const r = of;
    const kernel *const k = fake_kernel("sum_i32_node");
    const unsigned long turns = rounds / HOPBINE_NODE_BLOCKS * 2 / 3; /* 1.5 stages in the mean */
    for (uint32_t t = 1; t <= turns && !__atomic_load_n(&failed, __ATOMIC_RELAXED); ++t)
        turn(r, k, t);
    return NULL;
}

int main(int argc, char **argv) {
    static struct rank all[HOPBINE_NODE_RANKS];
    if (argc != 3 || (ranks = (unsigned)atoi(argv[1])) < 2 || ranks > HOPBINE_NODE_RANKS ||
        (rounds = strtoul(argv[2], NULL, 10)) < 1000) {
        fprintf(stderr, "usage: node_litmus RANKS ROUNDS, 2 to 8 ranks, 1000 rounds or more\n");
        return 2;
    }
    for (unsigned r = 0; r < ranks; ++r)
        arenas[r] = aligned_alloc(4096, HOPBINE_ARENA_BEGIN + 3 * ROOM + 4096),
        memset(arenas[r], 0, HOPBINE_ARENA_BEGIN + 3 * ROOM);
    for (unsigned r = 0; r < ranks; ++r) {
        all[r].number = r, all[r].random = 77u + 1000u * r;
        if (pthread_create(&all[r].thread, NULL, run, &all[r])) return 2;
    }
    for (unsigned r = 0; r < ranks; ++r) pthread_join(all[r].thread, NULL);
    printf("%lu rounds of %u ranks, %lu kernels gave up: %s\n", rounds, ranks, given_up,
           failed ? "FAILED" : "right");
    return failed;
}
