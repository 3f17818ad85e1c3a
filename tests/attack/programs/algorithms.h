/* The algorithms that hopbine has, and drawn choices of them. */
#ifndef HOPBINE_ATTACK_ALGORITHMS_H
#define HOPBINE_ATTACK_ALGORITHMS_H
#include "draw.h"

/* Lines: COLLECTIVE ALGORITHM [PARAMETER LOW HIGH]... 0 when the file cannot be read. */
int read_algorithms(const char *path);
/* An algorithm for every collective, as hopbine_select takes it; now and then the defaults. Null
 * for these. */
const char *draw_algorithms(Draw *d, int p, char *text, int bytes);
/* Does this choice promise the same bits on all ranks? */
int promises_same_bits(const char *choice);

#endif
