/* The sum of all ranks of a node in one kernel on each device, without the host in between. Part of
 * reductions.cu.
 *
 * Each block of threads does the same share of the vector as the blocks of its number on the other
 * ranks, and waits for these alone:
 *
 *   1. It copies its share of the input to the arena, and tells all ranks (stage 1).
 *   2. It waits until all have told, and adds the shares of all ranks, in their order, so that all
 *      ranks get the same bits. Short vectors (one part): all of the share, to the result.
 *   3. Long ones: of its rank's part only, to the arena. It tells all ranks (stage 2), waits until
 *      all have told, and copies the other parts from their arenas.
 *
 * A kernel that waits too long ends, so that others can run on the device, and is begun again. It
 * then goes on at its stage. */
#include "node.h"

/* First element of block b's share of part q, of n elements in `parts` parts; `each`: elements that
 * are loaded at once, which no share divides. */
HOPBINE_INLINE number share(const hopbine_node* node, number n, number each, unsigned q,
                            unsigned b) {
    const number wides = (n + each - 1) / each, part = (wides + node->parts - 1) / node->parts,
                 block = (part + HOPBINE_NODE_BLOCKS - 1) / HOPBINE_NODE_BLOCKS,
                 in_part = b * block < part ? b * block : part, at = (q * part + in_part) * each;
    return at < n ? at : n;
}

HOPBINE_INLINE char* node_input(const hopbine_node* node, unsigned rank) {
    return (char*)node->arena[rank] + HOPBINE_ARENA_BEGIN + node->turn % 2 * node->room;
}
HOPBINE_INLINE char* node_result(const hopbine_node* node, unsigned rank) {
    return (char*)node->arena[rank] + HOPBINE_ARENA_BEGIN + 2 * node->room +
           node->turn % 2 * (node->room / 2);
}

HOPBINE_INLINE hopbine_arena* node_arena(const hopbine_node* node, unsigned rank) {
    return (hopbine_arena*)node->arena[rank];
}

/* Copies bytes by all threads of the block: in as wide words as both addresses allow. */
HOPBINE_INLINE void node_copy(char* to, const char* from, number bytes) {
    typedef struct {
        uint64_t at[2];
    } __attribute__((aligned(16))) wide;
    const number me = threadIdx.x, all = blockDim.x, off = ((number)to | (number)from) % WIDE,
                 wides = off ? 0 : bytes / WIDE, words = off % 4 ? 0 : bytes / 4;
    for (number i = me; i < wides; i += all) ((wide*)to)[i] = ((const wide*)from)[i];
    for (number i = wides * 4 + me; i < words; i += all)
        ((uint32_t*)to)[i] = ((const uint32_t*)from)[i];
    const number done = words ? words * 4 : wides * WIDE;
    for (number i = done + me; i < bytes; i += all) to[i] = from[i];
}

/* Tells each rank, by one thread, that this block has reached a stage: its data is there. */
HOPBINE_INLINE void node_tell(const hopbine_node* node, unsigned stage) {
    const unsigned k = threadIdx.x;
    if (k < node->ranks)
        HOPBINE_STORE_FLAG(
            &node_arena(node, k)->reached[node->turn % 2][stage - 1][blockIdx.x][node->rank],
            node->turn);
}

/* Waits by one thread for each rank. Not 0: it took too long. */
HOPBINE_INLINE unsigned node_is_late(const hopbine_node* node, unsigned stage) {
    const unsigned k = threadIdx.x;
    if (k >= node->ranks) return 0;
    const uint32_t* const flag =
        &node_arena(node, node->rank)->reached[node->turn % 2][stage - 1][blockIdx.x][k];
    for (uint32_t looks = 0; HOPBINE_LOAD_FLAG(flag) != node->turn; ++looks) {
        if (looks == node->patience) return 1;
        HOPBINE_PAUSE();
    }
    HOPBINE_ACQUIRED();
    return 0;
}

/* How far the block is in this turn; OVER also where the turn before is not over: then this one has
 * to wait until the kernel is begun again. */
enum { OVER = 4 };
HOPBINE_INLINE unsigned node_begin(const hopbine_node* node) {
    const uint32_t before = 4 * (node->turn - 1),
                   progress = node_arena(node, node->rank)->progress[blockIdx.x] - before;
    return progress < OVER ? progress : OVER;
}
HOPBINE_INLINE void node_reach(const hopbine_node* node, unsigned stage) {
    node_arena(node, node->rank)->progress[blockIdx.x] = 4 * (node->turn - 1) + stage;
    if (stage == OVER) HOPBINE_STORE_FLAG(&node->over[blockIdx.x], node->turn);
}

/* Copies this block's shares of all parts from the input to the arena. */
HOPBINE_INLINE void node_give(const hopbine_node* node, const char* in, number n, number size) {
    for (unsigned q = 0; q < node->parts; ++q) {
        const number from = share(node, n, WIDE / size, q, blockIdx.x),
                     to = share(node, n, WIDE / size, q, blockIdx.x + 1);
        if (from < to)
            node_copy(node_input(node, node->rank) + from * size, in + from * size,
                      (to - from) * size);
    }
}

/* Copies this block's shares of all parts from those that have added them to the result. */
HOPBINE_INLINE void node_gather(const hopbine_node* node, char* out, number n, number size) {
    for (unsigned k = 0; k < node->parts; ++k) {
        const unsigned q = (node->rank + k) % node->parts; /* each rank begins at another */
        const number first = share(node, n, WIDE / size, q, 0),
                     from = share(node, n, WIDE / size, q, blockIdx.x),
                     to = share(node, n, WIDE / size, q, blockIdx.x + 1);
        if (from < to)
            node_copy(out + from * size, node_result(node, q) + (from - first) * size,
                      (to - from) * size);
    }
}

#define HOPBINE_NODE_KERNEL(operation, suffix, T, value)                                          \
    /* Adds elements [from, to) of all inputs to `out`, where element `from` is. */               \
    HOPBINE_INLINE void operation##_##suffix##_add(const hopbine_node* node, T* out, number from, \
                                                   number to) {                                   \
        typedef operation##_##suffix##_wide wide;                                                 \
        const number each = WIDE / sizeof(T), me = threadIdx.x, all = blockDim.x,                 \
                     wides = (number)out % WIDE ? 0 : (to - from) / each;                         \
        for (number i = me; i < wides; i += all) {                                                \
            wide sum = ((const wide*)((const T*)node_input(node, 0) + from))[i];                  \
            HOPBINE_UNROLLED(1) for (unsigned k = 1; k < node->ranks; ++k) {                      \
                const wide next = ((const wide*)((const T*)node_input(node, k) + from))[i];       \
                for (number e = 0; e < each; ++e)                                                 \
                    sum.at[e] = operation##_##suffix##_of(sum.at[e], next.at[e]);                 \
            }                                                                                     \
            ((wide*)out)[i] = sum;                                                                \
        }                                                                                         \
        for (number i = from + wides * each + me; i < to; i += all) {                             \
            T sum = ((const T*)node_input(node, 0))[i];                                           \
            HOPBINE_UNROLLED(1)                                                                   \
            for (unsigned k = 1; k < node->ranks; ++k)                                            \
                sum = operation##_##suffix##_of(sum, ((const T*)node_input(node, k))[i]);         \
            out[i - from] = sum;                                                                  \
        }                                                                                         \
    }                                                                                             \
    HOPBINE_ENTRY void operation##_##suffix##_node(HOPBINE_CONSTANT hopbine_node node,            \
                                                   const T* in, T* out, number n) {               \
        HOPBINE_SHARED unsigned stage, late;                                                      \
        const unsigned part = node.parts > 1 ? node.rank : 0, b = blockIdx.x;                     \
        const number each = WIDE / sizeof(T), first = share(&node, n, each, part, 0),             \
                     from = share(&node, n, each, part, b),                                       \
                     to = share(&node, n, each, part, b + 1);                                     \
        HOPBINE_EACH_THREAD(if (threadIdx.x == 0) late = 0, stage = node_begin(&node);)           \
        if (stage == OVER) return;                                                                \
        if (stage == 0) {                                                                         \
            HOPBINE_EACH_THREAD(node_give(&node, (const char*)in, n, sizeof(T));)                 \
            HOPBINE_EACH_THREAD(node_tell(&node, 1);)                                             \
            HOPBINE_EACH_THREAD(if (threadIdx.x == 0) node_reach(&node, stage = 1);)              \
        }                                                                                         \
        if (stage == 1) {                                                                         \
            HOPBINE_EACH_THREAD(if (node_is_late(&node, 1)) late = 1;)                            \
            if (late) return;                                                                     \
            T* const sum =                                                                        \
                node.parts > 1 ? (T*)node_result(&node, node.rank) + (from - first) : out + from; \
            HOPBINE_EACH_THREAD(if (from < to) operation##_##suffix##_add(&node, sum, from, to);) \
            if (node.parts > 1) HOPBINE_EACH_THREAD(node_tell(&node, 2);)                         \
            HOPBINE_EACH_THREAD(if (threadIdx.x == 0)                                             \
                                    node_reach(&node, stage = node.parts > 1 ? 2 : OVER);)        \
        }                                                                                         \
        if (stage == 2) {                                                                         \
            HOPBINE_EACH_THREAD(if (node_is_late(&node, 2)) late = 1;)                            \
            if (late) return;                                                                     \
            HOPBINE_EACH_THREAD(node_gather(&node, (char*)out, n, sizeof(T));)                    \
            HOPBINE_EACH_THREAD(if (threadIdx.x == 0) node_reach(&node, OVER);)                   \
        }                                                                                         \
    }
HOPBINE_REDUCTIONS(HOPBINE_NODE_KERNEL)
