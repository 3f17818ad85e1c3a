/* Operands of one reduction on a device, for C, C++, CUDA and HIP: a kernel gets them by value. */
#pragma once
#include <stdint.h>

enum { HOPBINE_MOST_INPUTS = 8 };

/* In the order in which they are added to the sum of those before, which is the left operand of
 * each if `sum_is_left`, else the right one. The memory that gets the result is one of them. */
typedef struct {
    const void *at[HOPBINE_MOST_INPUTS + 1];
    uint32_t count, sum_is_left;
} hopbine_operands;
