#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"

/*                    root    send_many recv_many reduces varies */
#define TRAITS_Bcast {SENDS, 0, 0, 0, 0}
#define TRAITS_Reduce {RECEIVES, 0, 0, 1, 0}
#define TRAITS_Allreduce {NOBODY, 0, 0, 1, 0}
#define TRAITS_Gather {RECEIVES, 0, 1, 0, 0}
#define TRAITS_Scatter {SENDS, 1, 0, 0, 0}
#define TRAITS_Gatherv {RECEIVES, 0, 1, 0, 1}
#define TRAITS_Scatterv {SENDS, 1, 0, 0, 1}
#define TRAITS_Allgather {NOBODY, 0, 1, 0, 0}
#define TRAITS_Allgatherv {NOBODY, 0, 1, 0, 1}
#define TRAITS_Reduce_scatter {NOBODY, 1, 0, 1, 1}
#define TRAITS_Reduce_scatter_block {NOBODY, 1, 0, 1, 0}
#define TRAITS_Alltoall {NOBODY, 1, 1, 0, 0}
#define TRAITS_Alltoallv {NOBODY, 1, 1, 0, 1}
#define TRAITS_Scan {NOBODY, 0, 0, 1, 0, THROUGH}
#define TRAITS_Exscan {NOBODY, 0, 0, 1, 0, BELOW}

#define TRAITS_LINE(name, ...) TRAITS_##name,
const Traits traits[] = {HOPBINE_FUNCTIONS(TRAITS_LINE)};
#define NAME_LINE(name, ...) #name,
const char *const function_names[] = {HOPBINE_FUNCTIONS(NAME_LINE)};
const int functions_known = sizeof traits / sizeof *traits;

int tame, is_mpich, is_mpich_40;

void find_out_family(void) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    is_mpich = !strncmp(version, "MPICH", 5);
    is_mpich_40 = is_mpich && strstr(version, "4.0.");
}

/* Both MPI libraries mistake the counts of one group for the other's in some of these. */
int left_out(const TestComm *on, int function) {
    const Traits *t = &traits[function];
    if (on->inter && t->prefix) return 1; /* not defined by MPI */
    if (tame && is_mpich && on->size == 1 && t->recv_many && (t->send_many || is_mpich_40))
        return 1; /* a rank's message to itself with gaps */
    if (tame && is_mpich_40 && on->inter && t->reduces) return 1; /* hangs on long vectors */
    return tame && on->inter && (t->recv_many || t->varies || (t->reduces && t->send_many));
}

/* Whether the MPI library needs plain datatypes. In MPICH long messages between derived datatypes
 * hang, and the chunks of allgatherv depend on the extent. In Open MPI's allgatherv each rank
 * chooses an algorithm by the size of its own send datatype. */
static int must_be_plain(const Case *c) {
    if (tame && !is_mpich && c->traits->varies && c->traits->recv_many &&
        c->traits->root == NOBODY && !c->traits->send_many)
        return 1;
    if (tame && is_mpich && !c->traits->reduces && c->n * c->unit.length * 32 > 8192) return 1;
    return tame && is_mpich && c->traits->recv_many && c->traits->root == NOBODY &&
           c->n * c->unit.length * 32 > 512;
}

static int is_bcast(const Case *c) { return c->traits->root == SENDS && !c->traits->send_many; }

/* In a reduce_scatter on an intercommunicator the results of both groups have the same length. */
static long units_of_group(const Case *c, int to_group, int to) {
    const int size = to_group == c->on->group ? c->on->size : c->on->others;
    const long n = c->n * (to_group == c->on->group ? c->on->others : c->on->size);
    if (!c->traits->varies || c->uneven == EQUAL) return n;
    return to % 2 ? 0 : to + 1 < size ? 2 * n : n;
}

long units_between(const Case *c, int from_group, int from, int to_group, int to) {
    const Traits *t = c->traits;
    uint64_t h = c->key;
    if (c->on->inter && t->reduces && t->send_many) return units_of_group(c, to_group, to);
    if (!t->varies || c->uneven == EQUAL) return c->n;
    if (t->recv_many && t->send_many && c->in_place && from > to)
        return units_between(c, to_group, to, from_group, from);
    if (c->uneven == ONE_ONLY) return (t->send_many ? to : from) == (int)(h % 3) ? c->n : 0;
    if (t->recv_many) h = key_of(h, (uint64_t)(from + 1000 * from_group));
    if (t->send_many) h = key_of(h, (uint64_t)(to + 1000 * to_group));
    return c->uneven == SPARSE ? (h % 3 ? 0 : c->n) : (long)(h % (uint64_t)(c->n + 2));
}

static long draw_units(Draw *d, int p) {
    static const long few[] = {0, 1, 1, 2, 3, 5, 7, 8, 16, 17, 33, 64, 100, 257};
    switch (draw_below(d, 12)) {
    case 0: return p > 1 ? p - 1 : 0;
    case 1: return p + draw_below(d, 3);
    case 2: return draw_below(d, 2000);
    case 3: return one_in(d, 3) ? 1 + draw_below(d, 30000) : draw_below(d, 50);
    default: return few[draw_below(d, sizeof few / sizeof *few)];
    }
}

static void draw_moved_unit(Case *c, Draw *d) {
    Unit *u = &c->unit;
    u->period = one_in(d, 3) ? 1 + (int)draw_below(d, UNIT_KINDS) : 1;
    for (int i = 0; i < u->period; ++i) {
        do u->kinds[i] = &kinds[draw_below(d, kinds_known)];
        while (tame && !is_mpich &&
               u->kinds[i]->class == COMPLEX); /* Open MPI 5 unpacks these wrongly */
    }
    u->length = u->period * (one_in(d, 2) ? 1 : 1 + (int)draw_below(d, 6));
    if (one_in(d, 25)) u->length = u->period * (200 + (int)draw_below(d, 800));
    if (one_in(d, 40)) u->length = 0;
}

static void draw_reduced_unit(Case *c, Draw *d) {
    static const Operation of_user = {"a user's operation", MPI_OP_NULL, 0, 0, 0};
    c->unit.length = c->unit.period = 1;
    c->users = one_in(d, 3);
    if (c->users) {
        c->users = 1 + (int)draw_below(d, USER_OPERATIONS);
        if (tame && is_mpich && c->traits->send_many)
            c->users = 1 + ADD_UNITS; /* MPICH's in-order reduce_scatter writes past its memory */
        c->unit.kinds[0] = uint32_kind;
        c->unit.length = c->users - 1 == MULTIPLY_MATRICES ? 4 : 1 + (int)draw_below(d, 3);
        c->operation = &of_user;
        c->exact = 1;
        return;
    }
    do {
        c->unit.kinds[0] = &kinds[draw_below(d, kinds_known)];
        c->operation = &operations[draw_below(d, operations_known)];
    } while (!(c->unit.kinds[0]->operations & c->operation->group));
    c->exact = one_in(d, 2);
}

/* Sets the displacements of a buffer's blocks. */
static void lay_out_blocks(Case *c, Blocks *s, Draw *d, int m, int scattered) {
    int *order = malloc(sizeof(int) * (size_t)(s->blocks + 1));
    long next = 0;
    for (int b = 0; b < s->blocks; ++b) order[b] = b;
    for (int b = s->blocks - 1; scattered && c->spread && b > 0; --b) {
        const int other = (int)draw_below(d, b + 1), kept = order[b];
        order[b] = order[other], order[other] = kept;
    }
    for (int i = 0; i < s->blocks; ++i) {
        const int b = order[i];
        if (scattered && c->spread) next += draw_below(d, 4);
        s->at[b] = next;
        next += s->units[b] / m;
    }
    s->span = next;
    const long back = scattered && c->spread && one_in(d, 3) ? draw_below(d, 1 + next) : 0;
    for (int b = 0; b < s->blocks; ++b) s->at[b] -= back;
    free(order);
}

static void begin_blocks(Blocks *s, int blocks) {
    s->blocks = blocks;
    s->units = calloc((size_t)blocks + 1, sizeof(long));
    s->at = calloc((size_t)blocks + 1, sizeof(long));
}

/* Draws a number of units that divides all blocks. */
static int draw_m(Draw *d, const Blocks *s, const Unit *u) {
    static const long tried[] = {1, 1, 2, 3, 4};
    long m = tried[draw_below(d, 5)];
    if (one_in(d, 6) && s->blocks) m = s->units[0]; /* a block is one element */
    if (m < 1 || m * (u->length + 1) > 4096) return 1;
    for (int b = 0; b < s->blocks; ++b)
        if (s->units[b] % m) return 1;
    return (int)m;
}

static void make_sides(Case *c, Draw *shared, Draw *local) {
    const Traits *t = c->traits;
    const TestComm *w = c->on;
    const int mine = w->group, theirs = w->inter ? !w->group : w->group;
    begin_blocks(&c->in, !c->supplies ? 0 : t->send_many ? w->others : 1);
    begin_blocks(&c->out, !c->gets ? 0 : t->recv_many ? w->others : 1);
    for (int b = 0; b < c->in.blocks; ++b)
        c->in.units[b] = units_between(c, mine, w->rank, theirs, t->send_many ? b : w->rank);
    for (int b = 0; b < c->out.blocks; ++b)
        c->out.units[b] = units_between(c, theirs, t->recv_many ? b : w->rank, mine, w->rank);
    if (t->reduces) {
        const long n = c->n;
        c->m = t->varies || w->inter || !c->users
                   ? 1
                   : draw_m(shared, &(Blocks){.blocks = 1, .units = (long[]){n}}, &c->unit);
    }
    Draw *d = t->reduces ? shared : local;
    const int m_in = t->reduces ? c->m : c->plain ? 1 : draw_m(local, &c->in, &c->unit);
    const int m_out = t->reduces                              ? c->m
                      : c->plain                              ? 1
                      : c->in_recv && c->gets && t->send_many ? m_in
                                                              : draw_m(local, &c->out, &c->unit);
    lay_out_blocks(c, &c->out, d, m_out, t->varies && t->recv_many);
    lay_out_blocks(c, &c->in, d, m_in, t->varies && t->send_many && !t->reduces);
    const int plain = c->plain || (t->reduces && !c->users),
              shared_layout = t->reduces || (c->in_recv && c->gets);
    const long span = w->inter && t->reduces                   ? 0
                      : c->in.span > c->out.span || t->reduces ? c->in.span
                                                               : c->out.span;
    make_layout(&c->made[1], d, &c->unit, m_out, shared_layout ? span : c->out.span, plain);
    if (!shared_layout) make_layout(&c->made[0], d, &c->unit, m_in, c->in.span, plain);
    c->out.layout = &c->made[1];
    c->in.layout = &c->made[shared_layout];
    if (!c->in_recv || !c->gets || t->reduces) return;
    /* In place: the input is one block of the result, or all of them. */
    for (int b = 0; b < c->in.blocks; ++b) c->in.at[b] = c->out.at[t->send_many ? b : w->rank];
}

static const char *uneven_names[] = {"equal", "random", "sparse", "one only"};

static void describe(Case *c) {
    const Unit *u = &c->unit;
    int used = snprintf(
        c->text, sizeof c->text, "%s%s%s on %s (rank %d of %d%s), n=%ld units of %d numbers [",
        c->profiled ? "P" : "", function_names[c->function], c->large ? "_c" : "", c->on->name,
        c->on->rank, c->on->size, c->on->inter ? ", two groups" : "", c->n, u->length);
    for (int i = 0; i < u->period; ++i)
        used += snprintf(c->text + used, sizeof c->text - (size_t)used, "%s%s", i ? " " : "",
                         u->kinds[i]->name);
    used += snprintf(c->text + used, sizeof c->text - (size_t)used,
                     "], root %d, %s counts, send: %s x%d, recv: %s x%d", c->root,
                     uneven_names[c->uneven], c->in.layout->shape, c->in.layout->m,
                     c->out.layout->shape, c->out.layout->m);
    if (c->traits->reduces)
        used += snprintf(c->text + used, sizeof c->text - (size_t)used, ", op %s",
                         c->users ? user_operation_name(c->users - 1) : c->operation->name);
    snprintf(c->text + used, sizeof c->text - (size_t)used, "%s%s%s%s%s%s",
             c->in_place ? ", in place" : "", c->bottom ? ", from MPI_BOTTOM" : "",
             c->exact ? ", exact" : "", c->spread ? ", spread" : "",
             c->null_empty ? ", null if empty" : "",
             c->careless ? ", insignificant arguments wild" : "");
}

void draw_case(Case *c, const TestComm *on, uint64_t key, uint64_t local, int function) {
    Draw shared = {key}, own = {key_of(key, local + 77)};
    *c = (Case){.function = function,
                .traits = &traits[function],
                .on = on,
                .key = key_of(key, 5),
                .data = key_of(key, 5),
                .local = key_of(key, local + 78)};
    const Traits *t = c->traits;
    const int both = on->inter ? on->size + on->others : on->size;
    c->n = draw_units(&shared, both);
    if (t->reduces)
        draw_reduced_unit(c, &shared);
    else
        draw_moved_unit(c, &shared);
    while (c->n * c->unit.length * (t->send_many || t->recv_many ? both : 1) > 100000) c->n /= 4;
    c->plain = must_be_plain(c);
    if (c->plain) c->unit.period = 1;
    c->root_group = (int)draw_below(&shared, 2);
    /* In MPICH a gather of long blocks to some roots hangs. */
    if (tame && is_mpich && t->root == RECEIVES && !t->reduces && c->n * c->unit.length * 32 > 8192)
        c->n = c->n % 8, c->unit.length = c->unit.period;
    /* A scatter of no data between groups hangs there if counts of the empty type differ. */
    if (tame && is_mpich && on->inter && t->root == SENDS && t->send_many && !c->unit.length)
        c->n = 0;
    const int of_root = !on->inter || c->root_group == on->group ? on->size : on->others;
    c->root = t->root == NOBODY ? 0 : (int)(draw_bits(&shared) % (uint64_t)of_root);
    c->in_place = one_in(&shared, 3) && !on->inter && !is_bcast(c);
    if (tame && is_mpich_40 && t->reduces && c->root) c->in_place = 0; /* crashes */
    c->uneven = t->varies ? (int)draw_below(&shared, 4) : EQUAL;
    c->large = one_in(&shared, 5);
    c->profiled = one_in(&shared, 5);
    c->spread = one_in(&own, 2);
    c->null_empty = one_in(&own, 3);
    c->careless = one_in(&own, 3);
    c->bottom = !t->reduces && one_in(&own, 5);
    c->is_root =
        t->root != NOBODY && on->rank == c->root && (!on->inter || on->group == c->root_group);
    const int far = on->inter && on->group != c->root_group;
    c->supplies = t->root == NOBODY || (t->root == SENDS ? c->is_root : !on->inter || far);
    c->gets = t->root == NOBODY || (t->root == RECEIVES ? c->is_root
                                    : on->inter         ? far
                                    : is_bcast(c)       ? !c->is_root
                                                        : !(c->is_root && c->in_place));
    c->in_recv =
        is_bcast(c) || (c->in_place && (t->root == NOBODY || (t->root == RECEIVES && c->is_root)));
    make_sides(c, &shared, &own);
    if (c->users) know_layout(c->out.layout);
    describe(c);
}

void end_case(Case *c) {
    if (c->users) forget_layout(c->out.layout);
    for (int k = 0; k < 2; ++k) free_layout(&c->made[k]);
    free(c->in.units), free(c->in.at), free(c->out.units), free(c->out.at);
}
