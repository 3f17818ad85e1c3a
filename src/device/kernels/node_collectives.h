/* A collective of the ranks of a node in one kernel on each device, without the host in between.
 * Part of reductions.cu.
 *
 * Each block of threads does the same share of each part of the data as the blocks of its number on
 * the other ranks, and waits for these alone:
 *
 *   1. It copies its shares of the parts that its rank gives to the arena, but for one that no
 *      other rank reads (`keeps`), and tells all ranks (stage 1).
 *   2. It waits until all have told, also where it needs nothing of them: so a rank that is in a
 *      turn has ended the one before, which it could not before all ranks had begun it, and had
 *      ended the one before that. It adds the inputs of all ranks, in their order, so that all
 *      ranks get the same bits; or it copies what others have given. This is the result,
 *   3. or a part that the rank does for all (`shares`), which goes to the arena. It tells all ranks
 *      (stage 2), waits until all have told, and copies all parts from their arenas.
 *
 *              gives                takes                                     shares
 *   allreduce  the vector           sum of the vector, or of a part for all   long vectors
 *   reduce     the vector           as allreduce; the root receives           long vectors
 *   bcast      the root its vector  the vector, or a part for all             long vectors
 *   reduce_scatter  all blocks      sum of the block of its number
 *   allgather  its block            all blocks, one from each rank
 *   alltoall   all blocks           the block of its number from each rank
 *
 * A kernel that waits too long ends, so that others can run on the device, and is begun again. It
 * then goes on at its stage. */
#include "node.h"

/* First element of block b's share of a part of n elements; `each`: elements that are loaded at
 * once, which no share divides. */
HOPBINE_INLINE number node_share(number n, number each, unsigned b) {
    const number wides = (n + each - 1) / each,
                 block = (wides + HOPBINE_NODE_BLOCKS - 1) / HOPBINE_NODE_BLOCKS,
                 at = b * block * each;
    return at < n ? at : n;
}

HOPBINE_INLINE hopbine_arena* node_arena(const hopbine_node* node, unsigned rank) {
    return (hopbine_arena*)node->arena[rank];
}

/* The turn that this block makes. A kernel that is replayed is given the same each time, but no
 * block of it begins before all have ended the turn before, nor is it begun again within a turn. */
HOPBINE_INLINE uint32_t node_turn(const hopbine_node* node) {
    return node->replayed ? HOPBINE_LOAD(&node_arena(node, node->rank)->over[blockIdx.x]) + 1
                          : node->turn;
}

HOPBINE_INLINE char* node_input(const hopbine_node* node, uint32_t turn, unsigned rank) {
    return (char*)node->arena[rank] + HOPBINE_ARENA_BEGIN + turn % 2 * node->room;
}
HOPBINE_INLINE char* node_result(const hopbine_node* node, uint32_t turn, unsigned rank) {
    return (char*)node->arena[rank] + HOPBINE_ARENA_BEGIN + 2 * node->room +
           turn % 2 * (node->room / 2);
}

/* Words that a thread of node_copy() loads before it stores them. On one H200 4 ranks copy 32 MiB
 * each at 3.0 TB/s by 8, at 1.6 one by one. */
enum { AT_ONCE = 8 };

/* Copies bytes by all threads of the block: in as wide words as both addresses allow. */
HOPBINE_INLINE void node_copy(char* to, const char* from, number bytes) {
    typedef struct {
        uint64_t at[2];
    } __attribute__((aligned(16))) wide;
    const number me = threadIdx.x, all = blockDim.x, off = ((number)to | (number)from) % WIDE,
                 wides = off ? 0 : bytes / WIDE, words = off % 4 ? 0 : bytes / 4;
    number w = me;
    for (; w + (AT_ONCE - 1) * all < wides; w += AT_ONCE * all) {
        wide held[AT_ONCE];
        HOPBINE_UNROLLED(AT_ONCE)
        for (unsigned u = 0; u < AT_ONCE; ++u) held[u] = ((const wide*)from)[w + u * all];
        HOPBINE_UNROLLED(AT_ONCE)
        for (unsigned u = 0; u < AT_ONCE; ++u) ((wide*)to)[w + u * all] = held[u];
    }
    for (; w < wides; w += all) ((wide*)to)[w] = ((const wide*)from)[w];
    for (number i = wides * 4 + me; i < words; i += all)
        ((uint32_t*)to)[i] = ((const uint32_t*)from)[i];
    const number done = words ? words * 4 : wides * WIDE;
    for (number i = done + me; i < bytes; i += all) to[i] = from[i];
}

/* Tells each rank, by one thread, that this block has reached a stage: its data is there. */
HOPBINE_INLINE void node_tell(const hopbine_node* node, uint32_t turn, unsigned stage) {
    const unsigned k = threadIdx.x;
    if (k < node->ranks)
        HOPBINE_STORE_FLAG(
            &node_arena(node, k)->reached[turn % 2][stage - 1][blockIdx.x][node->rank], turn);
}

/* Waits by one thread for each rank. Not 0: it took too long. */
HOPBINE_INLINE unsigned node_is_late(const hopbine_node* node, uint32_t turn, unsigned stage) {
    const unsigned k = threadIdx.x;
    if (k >= node->ranks) return 0;
    const uint32_t* const flag =
        &node_arena(node, node->rank)->reached[turn % 2][stage - 1][blockIdx.x][k];
    for (uint32_t looks = 0; HOPBINE_LOAD_FLAG(flag) != turn; ++looks) {
        if (looks == node->patience) return 1;
        HOPBINE_PAUSE();
    }
    HOPBINE_ACQUIRED();
    return 0;
}

/* The stage of a block whose turn is over. */
enum { OVER = 3 };
/* Whether a block of this rank is still in the turn before, as this thread has seen of some. Then
 * the kernel has to wait until it is begun again: the memory of two turns ago may be in use, and
 * shares of another turn are others. Sets the stage of this block, if it is one of those. */
HOPBINE_INLINE unsigned node_is_early(const hopbine_node* node, uint32_t turn, unsigned* stage) {
    const hopbine_arena* const own = node_arena(node, node->rank);
    unsigned early = 0;
    for (unsigned b = threadIdx.x; b < HOPBINE_NODE_BLOCKS; b += blockDim.x) {
        const int32_t ahead = (int32_t)(HOPBINE_LOAD(&own->over[b]) - turn);
        early |= ahead < -1;
        if (b == blockIdx.x) *stage = ahead < 0 ? HOPBINE_LOAD(&own->stage[b]) : OVER;
    }
    return early;
}
/* The block has reached a stage, or the end of the turn. */
HOPBINE_INLINE void node_reach(const hopbine_node* node, uint32_t turn, unsigned stage) {
    hopbine_arena* const own = node_arena(node, node->rank);
    HOPBINE_STORE(&own->stage[blockIdx.x], stage % OVER);
    if (stage < OVER) return;
    HOPBINE_STORE(&own->over[blockIdx.x], turn);
    HOPBINE_STORE_FLAG(&node->over[blockIdx.x], turn);
}

/* Copies this block's share of a part of n elements. */
HOPBINE_INLINE void node_copy_share(char* to, const char* from, number n, number size) {
    const number begin = node_share(n, WIDE / size, blockIdx.x),
                 end = node_share(n, WIDE / size, blockIdx.x + 1);
    if (begin < end) node_copy(to + begin * size, from + begin * size, (end - begin) * size);
}

/* Whether this rank keeps the part of its number where it lies: words can be loaded there. */
HOPBINE_INLINE unsigned node_keeps(const hopbine_node* node, const char* in) {
    return node->keeps && (number)(in + node->part[node->rank].in) % WIDE == 0;
}

/* Where rank k has given what this rank takes. */
HOPBINE_INLINE const char* node_given(const hopbine_node* node, uint32_t turn, const char* in,
                                      unsigned k) {
    const hopbine_part* const part = &node->part[node->takes];
    return k == node->rank && node_keeps(node, in) ? in + part->in
                                                   : node_input(node, turn, k) + part->place;
}

/* Copies what this rank gives from its buffer to its input. */
HOPBINE_INLINE void node_give(const hopbine_node* node, uint32_t turn, const char* in,
                              number size) {
    for (unsigned q = 0; q < node->ranks; ++q) {
        const hopbine_part* const part = &node->part[q];
        if ((node->gives >> q & 1) && !(q == node->rank && node_keeps(node, in)))
            node_copy_share(node_input(node, turn, node->rank) + part->place, in + part->in,
                            part->n, size);
    }
}

/* Where this rank's part k is to be; null: nowhere. */
HOPBINE_INLINE char* node_target(const hopbine_node* node, uint32_t turn, char* out, unsigned k) {
    return node->shares     ? node_result(node, turn, node->rank)
           : node->receives ? out + node->part[k].out
                            : (char*)0;
}

/* Copies what other ranks have given. */
HOPBINE_INLINE void node_take_copies(const hopbine_node* node, uint32_t turn, const char* in,
                                     char* out) {
    for (unsigned i = 0; i < node->ranks; ++i) {
        const unsigned k = (node->rank + i) % node->ranks, /* each rank begins at another */
            part = node->apart ? k : node->takes;
        char* const to = node_target(node, turn, out, part);
        if ((node->from >> k & 1) && to)
            node_copy_share(to, node_given(node, turn, in, k), node->part[part].n, 1);
    }
}

/* Copies all parts from those that have them to the output. */
HOPBINE_INLINE void node_gather(const hopbine_node* node, uint32_t turn, char* out, number size) {
    for (unsigned i = 0; i < node->ranks; ++i) {
        const unsigned q = (node->rank + i) % node->ranks;
        if (node->receives)
            node_copy_share(out + node->part[q].out, node_result(node, turn, q), node->part[q].n,
                            size);
    }
}

/* The stages of a kernel; `take` is the work of each thread in the second. */
#define HOPBINE_NODE_STAGES(size, take)                                                   \
    const uint32_t turn = node_turn(&node);                                               \
    HOPBINE_SHARED unsigned stage, late;                                                  \
    HOPBINE_EACH_THREAD(if (threadIdx.x == 0) late = 0;)                                  \
    HOPBINE_EACH_THREAD(if (node_is_early(&node, turn, &stage)) late = 1;)                \
    if (late || stage == OVER) return;                                                    \
    if (stage == 0) {                                                                     \
        HOPBINE_EACH_THREAD(node_give(&node, turn, (const char*)in, size);)               \
        HOPBINE_EACH_THREAD(node_tell(&node, turn, 1);)                                   \
        HOPBINE_EACH_THREAD(if (threadIdx.x == 0) node_reach(&node, turn, stage = 1);)    \
    }                                                                                     \
    if (stage == 1) {                                                                     \
        HOPBINE_EACH_THREAD(if (node_is_late(&node, turn, 1)) late = 1;)                  \
        if (late) return;                                                                 \
        HOPBINE_EACH_THREAD(take;)                                                        \
        if (node.shares) HOPBINE_EACH_THREAD(node_tell(&node, turn, 2);)                  \
        HOPBINE_EACH_THREAD(if (threadIdx.x == 0)                                         \
                                node_reach(&node, turn, stage = node.shares ? 2 : OVER);) \
    }                                                                                     \
    if (stage == 2) {                                                                     \
        HOPBINE_EACH_THREAD(if (node_is_late(&node, turn, 2)) late = 1;)                  \
        if (late) return;                                                                 \
        HOPBINE_EACH_THREAD(node_gather(&node, turn, (char*)out, size);)                  \
        HOPBINE_EACH_THREAD(if (threadIdx.x == 0) node_reach(&node, turn, OVER);)         \
    }

HOPBINE_ENTRY_OF(HOPBINE_NODE_THREADS)
void copies_node(HOPBINE_CONSTANT hopbine_node node, const char* in,
                 char* out){HOPBINE_NODE_STAGES(1, node_take_copies(&node, turn, in, out))}

#define HOPBINE_NODE_KERNEL(operation, suffix, T, value)                                           \
    /* Adds this block's share of what the rank takes: loads of all ranks, then their sum. */      \
    HOPBINE_INLINE void operation##_##suffix##_take(const hopbine_node* node, uint32_t turn,       \
                                                    const char* input, char* output) {             \
        typedef operation##_##suffix##_wide wide;                                                  \
        const hopbine_part* const part = &node->part[node->takes];                                 \
        const number each = WIDE / sizeof(T), from = node_share(part->n, each, blockIdx.x),        \
                     to = node_share(part->n, each, blockIdx.x + 1), me = threadIdx.x,             \
                     all = blockDim.x;                                                             \
        T* const out = (T*)node_target(node, turn, output, node->takes);                           \
        const T* given[HOPBINE_NODE_RANKS];                                                        \
        number off = (number)out;                                                                  \
        HOPBINE_UNROLLED(HOPBINE_NODE_RANKS)                                                       \
        for (unsigned k = 0; k < HOPBINE_NODE_RANKS; ++k)                                          \
            if (k < node->ranks)                                                                   \
                off |= (number)(given[k] = (const T*)node_given(node, turn, input, k));            \
        const number wides = off % WIDE ? 0 : (to - from) / each;                                  \
        if (!out) return;                                                                          \
        for (number i = me; i < wides; i += all) {                                                 \
            wide next[HOPBINE_NODE_RANKS];                                                         \
            HOPBINE_UNROLLED(HOPBINE_NODE_RANKS)                                                   \
            for (unsigned k = 0; k < HOPBINE_NODE_RANKS; ++k)                                      \
                if (k < node->ranks) next[k] = ((const wide*)(given[k] + from))[i];                \
            HOPBINE_UNROLLED(HOPBINE_NODE_RANKS)                                                   \
            for (unsigned k = 1; k < HOPBINE_NODE_RANKS; ++k)                                      \
                if (k < node->ranks)                                                               \
                    for (number e = 0; e < each; ++e)                                              \
                        next[0].at[e] = operation##_##suffix##_of(next[0].at[e], next[k].at[e]);   \
            ((wide*)(out + from))[i] = next[0];                                                    \
        }                                                                                          \
        for (number i = from + wides * each + me; i < to; i += all) {                              \
            T sum = given[0][i];                                                                   \
            HOPBINE_UNROLLED(HOPBINE_NODE_RANKS)                                                   \
            for (unsigned k = 1; k < HOPBINE_NODE_RANKS; ++k)                                      \
                if (k < node->ranks) sum = operation##_##suffix##_of(sum, given[k][i]);            \
            out[i] = sum;                                                                          \
        }                                                                                          \
    }                                                                                              \
    HOPBINE_ENTRY_OF(HOPBINE_NODE_THREADS)                                                         \
    void operation##_##suffix##_node(HOPBINE_CONSTANT hopbine_node node, const T* in, T* out) {    \
        HOPBINE_NODE_STAGES(sizeof(T),                                                             \
                            operation##_##suffix##_take(&node, turn, (const char*)in, (char*)out)) \
    }
HOPBINE_REDUCTIONS(HOPBINE_NODE_KERNEL)
