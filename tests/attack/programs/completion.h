/* The ways to wait for requests. */
#ifndef HOPBINE_ATTACK_COMPLETION_H
#define HOPBINE_ATTACK_COMPLETION_H
#include <mpi.h>

#include "draw.h"

enum { MOST_REQUESTS = 24 };
/* Called when request `i` has completed, with its error. */
typedef void (*Finished)(void *context, int i, int error);

int draw_way(Draw *d);
const char *way_name(int way);
/* Waits for all requests. The first `n` are active, and `finished` is called for them; those that
 * follow are null or inactive. */
void complete(int way, Draw *d, int n, int all, MPI_Request *requests, Finished finished,
              void *context);

#endif
