/* The arguments of a case, as a program passes them. */
#include <stdlib.h>

#include "case.h"

enum { WILD = 12345 };

static void arrays(const Blocks *s, MPI_Count **counts, MPI_Aint **at) {
    *counts = malloc(sizeof(MPI_Count) * (size_t)(s->blocks + 1));
    *at = malloc(sizeof(MPI_Aint) * (size_t)(s->blocks + 1));
    for (int b = 0; b < s->blocks; ++b)
        (*counts)[b] = s->units[b] / s->layout->m, (*at)[b] = s->at[b];
}

/* Sets buffer, count and datatype of the send or receive buffer. `which`: 0 for send, 1 for
 * receive. */
static void give(Case *c, const Blocks *s, const Memory *m, int which, void **buffer,
                 MPI_Count *count, MPI_Datatype *type) {
    long total = 0;
    for (int b = 0; b < s->blocks; ++b) total += s->units[b];
    for (int b = 0; c->in_recv && b < c->in.blocks; ++b) total += c->in.units[b];
    *buffer = total || !c->null_empty ? m->base : NULL;
    *type = s->layout->type;
    *count = s->blocks ? s->units[0] / s->layout->m : 0;
    if (!c->bottom) return;
    *type = c->absolute[which] = absolute(s->layout, m->base);
    *buffer = MPI_BOTTOM;
}

/* Arguments that are not significant on this rank: harmless or wild. */
static void ignore(const Case *c, void **buffer, MPI_Count *count, MPI_Datatype *type) {
    *buffer = NULL;
    *count = c->careless ? WILD : 0;
    *type = c->careless ? MPI_DATATYPE_NULL : MPI_INT;
}

static int root_argument(const Case *c) {
    if (!c->on->inter || c->on->group != c->root_group) return c->root;
    return c->is_root ? MPI_ROOT : MPI_PROC_NULL;
}

void arguments_of(Case *c, const Memory *send, const Memory *recv, Arguments *a) {
    const Traits *t = c->traits;
    *a = (Arguments){.op = c->users       ? user_operation(c->users - 1)
                           : c->operation ? c->operation->op
                                          : MPI_OP_NULL,
                     .root = root_argument(c),
                     .comm = c->on->comm};
    c->absolute[0] = c->absolute[1] = MPI_DATATYPE_NULL;
    const int reuses = c->in_recv && (c->gets || !c->supplies),
              bcast = t->root == SENDS && !t->send_many;
    if (c->supplies && !c->in_recv)
        give(c, &c->in, send, 0, &a->send, &a->send_count, &a->send_type);
    else
        ignore(c, &a->send, &a->send_count, &a->send_type);
    if (c->gets)
        give(c, &c->out, recv, 1, &a->recv, &a->recv_count, &a->recv_type);
    else if (c->in_recv && c->supplies)
        give(c, &c->in, recv, 1, &a->recv, &a->recv_count, &a->recv_type);
    else
        ignore(c, &a->recv, &a->recv_count, &a->recv_type);
    if (reuses && !bcast) a->send = MPI_IN_PLACE;
    if (c->is_root && c->in_place && t->root == SENDS) a->recv = MPI_IN_PLACE;
    if (c->gets && t->recv_many) arrays(&c->out, &a->recv_counts, &a->recv_at);
    if (c->supplies && t->send_many && !c->in_recv) arrays(&c->in, &a->send_counts, &a->send_at);
    if (t->reduces) {
        /* Count, datatype and operation are significant on every rank. */
        const TestComm *w = c->on;
        a->send_type = a->recv_type = c->made[1].type;
        a->recv_count = units_between(c, !w->group, 0, w->group, w->rank) / c->m;
        if (!t->send_many) return;
        free(a->recv_counts), free(a->send_counts), free(a->send_at);
        a->send_counts = NULL, a->send_at = NULL;
        a->recv_counts = malloc(sizeof(MPI_Count) * (size_t)w->size);
        for (int b = 0; b < w->size; ++b)
            a->recv_counts[b] = units_between(c, !w->group, 0, w->group, b) / c->m;
    }
}

void free_arguments(Case *c, Arguments *a) {
    free(a->send_counts), free(a->recv_counts), free(a->send_at), free(a->recv_at);
    for (int k = 0; k < 2; ++k)
        if (c->absolute[k] != MPI_DATATYPE_NULL) MPI_Type_free(&c->absolute[k]);
}
