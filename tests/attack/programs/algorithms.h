/* hopbine's algorithms, and random choices of them. */
#ifndef HOPBINE_ATTACK_ALGORITHMS_H
#define HOPBINE_ATTACK_ALGORITHMS_H
#include "draw.h"

/* Reads lines of COLLECTIVE ALGORITHM [PARAMETER LOW HIGH]... 0 when the file cannot be read. */
int read_algorithms(const char *path);
/* Draws an algorithm for every collective, as hopbine_select takes them. Null selects the
 * defaults. */
const char *draw_algorithms(Draw *d, int p, char *text, int bytes);
/* Whether this choice guarantees the same bits on all ranks. */
int promises_same_bits(const char *choice);

#endif
