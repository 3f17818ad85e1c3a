/* Datatypes of one signature in many layouts, each with the offsets of its numbers. */
#ifndef HOPBINE_ATTACK_LAYOUTS_H
#define HOPBINE_ATTACK_LAYOUTS_H
#include "kinds.h"

enum { UNIT_KINDS = 4 };

/* The unit of counts: `length` numbers whose kinds repeat with a period. */
typedef struct {
    int length, period;
    const Kind *kinds[UNIT_KINDS];
} Unit;

/* A committed datatype of `m` units; number i of an element lies at byte offset[i]. */
typedef struct {
    MPI_Datatype type;
    const Unit *unit;
    int m, predefined;
    long *offset, extent, low, high; /* an element's data lie in bytes [low, high) */
    const char *shape;
} Layout;

static inline const Kind *kind_of(const Unit *u, long i) { return u->kinds[i % u->period]; }

/* Draws a layout. `span`: elements lie at displacements 0..span-1. `plain`: the predefined datatype
 * itself, or one without gaps. */
void make_layout(Layout *l, Draw *d, const Unit *unit, int m, long span, int plain);
void free_layout(Layout *l);
/* Makes the layout's datatype relative to MPI_BOTTOM, with `base` as its origin. The caller frees
 * it. */
MPI_Datatype absolute(const Layout *l, char *base);

#endif
