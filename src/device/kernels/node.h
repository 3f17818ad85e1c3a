/* A collective of the ranks of a node as one kernel on each of their devices, which read one
 * another's memory: what the kernel is given, and where things lie in that memory. For C, C++, CUDA
 * and HIP. */
#pragma once
#include <stdint.h>

enum {
    HOPBINE_NODE_RANKS = 8,    /* at most */
    HOPBINE_NODE_BLOCKS = 16,  /* of each kernel: those of 8 ranks fit on one device of 132 SMs */
    HOPBINE_NODE_THREADS = 512 /* of a block: at least one for each rank */
};

/* What others see of a rank, its arena: this, then two inputs (of odd and even turns) of `room`
 * bytes each, then two results of half as many. All zeros before the first turn. */
typedef struct {
    /* [turn % 2][stage - 1][block][rank]: the turn in which a rank's block has reached the stage,
     * that rank writes it. Of the turn after next none can be written before all have read this. */
    uint32_t reached[2][2][HOPBINE_NODE_BLOCKS][HOPBINE_NODE_RANKS];
    /* Each block of this rank has the last turn that is over, and its stage in the next. */
    uint32_t over[HOPBINE_NODE_BLOCKS], stage[HOPBINE_NODE_BLOCKS];
} hopbine_arena;
enum { HOPBINE_ARENA_BEGIN = 4096 }; /* where the inputs begin */

/* One of the parts that a call's data has, as many as ranks. */
typedef struct {
    uint64_t in, out; /* bytes from where this rank's buffers begin */
    uint64_t place;   /* bytes from where the input of a rank begins that gives it */
    uint64_t n;       /* elements */
} hopbine_part;

typedef struct {
    void *arena[HOPBINE_NODE_RANKS]; /* of each rank, by its number, as this device sees it */
    hopbine_part part[HOPBINE_NODE_RANKS];
    uint32_t ranks, rank;
    uint32_t turn;     /* the number of the call, from 1: the same on all ranks */
    uint32_t replayed; /* it is the turn after the block's last one instead */
    uint32_t gives;    /* bit q: this rank copies part q to its input */
    uint32_t keeps;    /* not that of its number, which it alone takes */
    uint32_t takes;    /* the part of the ranks' inputs that this rank adds or copies */
    uint32_t from;     /* bit k: it is copied from rank k (copies_node only) */
    uint32_t apart;    /* what is copied from rank k is part k of the output; else part `takes` */
    uint32_t shares;   /* what is taken is a share, which all ranks that receive copy at last */
    uint32_t receives; /* this rank gets a result */
    uint32_t patience; /* looks at a flag before the kernel gives up until it is begun again */
    uint64_t room;     /* bytes of an input; half as many are a result's */
    uint32_t *over;    /* host memory, of each block: the last turn that is over */
} hopbine_node;
