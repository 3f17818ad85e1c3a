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
    /* How far each block of this rank is: 4 for a turn that is over, 1 for a stage of the next. */
    uint32_t progress[HOPBINE_NODE_BLOCKS];
} hopbine_arena;
enum { HOPBINE_ARENA_BEGIN = 4096 }; /* where the inputs begin */

typedef struct {
    void *arena[HOPBINE_NODE_RANKS]; /* of each rank, by its number, as this device sees it */
    uint32_t ranks, rank;
    uint32_t turn;     /* the number of the call, from 1: the same on all ranks */
    uint32_t parts;    /* 1: each rank adds all; else as many as ranks: each adds a part for all */
    uint32_t patience; /* looks at a flag before the kernel gives up until it is begun again */
    uint64_t room;     /* bytes of an input; half as many are a result's */
    uint32_t *over;    /* host memory, of each block: the last turn that is over */
} hopbine_node;
