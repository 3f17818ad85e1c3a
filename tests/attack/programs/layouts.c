#include "layouts.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    CONTIGUOUS,
    VECTOR,
    HVECTOR,
    BACKWARDS,
    NEGATIVE,
    BLOCKS,
    COLUMN,
    SUBARRAY,
    STRUCT,
    STRUCT_BACKWARDS,
    SHAPES
};
static const char *const shape_names[] = {"contiguous",
                                          "vector with gaps",
                                          "hvector of odd stride",
                                          "hindexed, last first",
                                          "negative lower bound",
                                          "indexed blocks",
                                          "interleaved column",
                                          "subarray",
                                          "struct with gaps",
                                          "struct, last first, negative lower bound"};

/* Slots of equal width: number i lies in slot `slot[i]`. */
static void slots(int shape, Draw *d, int n, long span, long *slot) {
    const long stride = 2 + draw_below(d, 3), shift = 1 + draw_below(d, n + 2);
    for (long i = 0; i < n; ++i)
        slot[i] = shape == VECTOR      ? i * stride
                  : shape == COLUMN    ? i * span
                  : shape == BACKWARDS ? (n - 1 - i) * stride
                  : shape == NEGATIVE  ? 2 * i - shift
                  : shape == BLOCKS    ? i / 2 * 5 + i % 2
                  : shape == SUBARRAY  ? i + shift
                                       : i;
}

/* All numbers have the width `w`. Their offsets are in slots, or at odd bytes for HVECTOR. */
static MPI_Datatype uniform(int shape, Draw *d, const Kind *k, int n, long span, long *offset) {
    MPI_Datatype made;
    const long w = k->bytes, stride = w + 1 + draw_below(d, 7);
    int *ones = malloc(sizeof(int) * (size_t)(n + 1)),
        *place = malloc(sizeof(int) * (size_t)(n + 1));
    MPI_Aint *bytes = malloc(sizeof(MPI_Aint) * (size_t)(n + 1));
    slots(shape, d, n, span, offset);
    for (int i = 0; i < n; ++i) {
        place[i] = (int)offset[i];
        offset[i] = shape == HVECTOR ? i * stride : offset[i] * w;
        bytes[i] = offset[i];
        ones[i] = 1;
    }
    if (shape == CONTIGUOUS)
        MPI_Type_contiguous(n, k->type, &made);
    else if (shape == VECTOR || shape == COLUMN)
        MPI_Type_vector(n, 1, n > 1 ? place[1] : 1, k->type, &made);
    else if (shape == HVECTOR)
        MPI_Type_create_hvector(n, 1, stride, k->type, &made);
    else if (shape == BLOCKS)
        MPI_Type_create_indexed_block(n, 1, place, k->type, &made);
    else if (shape == SUBARRAY) {
        const int whole = place[0] + n + 1;
        MPI_Type_create_subarray(1, &whole, &n, &place[0], MPI_ORDER_C, k->type, &made);
    } else
        MPI_Type_create_hindexed(n, ones, bytes, k->type, &made);
    free(ones), free(place), free(bytes);
    return made;
}

static MPI_Datatype structure(int shape, Draw *d, const Unit *u, int n, long *offset) {
    enum { WIDTH = 40 }; /* of the widest kind, with a gap */
    MPI_Datatype made, *types = malloc(sizeof *types * (size_t)(n + 1));
    int *ones = malloc(sizeof(int) * (size_t)(n + 1));
    MPI_Aint *bytes = malloc(sizeof(MPI_Aint) * (size_t)(n + 1));
    const long shift = shape == STRUCT ? 0 : 16 * (1 + draw_below(d, 2 * n + 2));
    for (int i = 0; i < n; ++i) {
        offset[i] = bytes[i] = (shape == STRUCT ? i : n - 1 - i) * WIDTH - shift;
        types[i] = kind_of(u, i)->type;
        ones[i] = 1;
    }
    MPI_Type_create_struct(n, ones, bytes, types, &made);
    free(ones), free(bytes), free(types);
    return made;
}

static void measure(Layout *l) {
    MPI_Aint lb, extent;
    MPI_Type_get_extent(l->type, &lb, &extent);
    l->extent = extent;
    l->low = l->high = 0;
    for (long i = 0; i < (long)l->m * l->unit->length; ++i) {
        const long end = l->offset[i] + kind_of(l->unit, i)->bytes;
        if (!i || l->offset[i] < l->low) l->low = l->offset[i];
        if (!i || end > l->high) l->high = end;
    }
}

static void resize(Layout *l, long lb, long extent) {
    MPI_Datatype bare = l->type;
    MPI_Type_create_resized(bare, lb, extent, &l->type);
    MPI_Type_free(&bare);
    measure(l);
}

void make_layout(Layout *l, Draw *d, const Unit *unit, int m, long span, int plain) {
    const int n = m * unit->length, even = unit->period == 1 && n > 0;
    int shape = n > 4096 || (plain && even) ? CONTIGUOUS
                : even                      ? (int)draw_below(d, SHAPES)
                                            : STRUCT + (int)draw_below(d, 2);
    if (shape == COLUMN && (span < 1 || span * n > 1 << 20)) shape = VECTOR;
    *l = (Layout){.unit = unit,
                  .m = m,
                  .offset = malloc(sizeof(long) * (size_t)(n + 1)),
                  .shape = shape_names[shape]};
    if (n == 1 && (plain || one_in(d, 2))) {
        l->type = unit->kinds[0]->type;
        l->offset[0] = 0;
        l->predefined = 1;
        l->shape = "predefined";
        measure(l);
        return;
    }
    if (shape >= STRUCT)
        l->type = structure(shape, d, unit, n, l->offset);
    else
        l->type = uniform(shape, d, unit->kinds[0], n, span, l->offset);
    measure(l);
    if (shape == COLUMN)
        resize(l, 0, unit->kinds[0]->bytes);
    else if (shape != SUBARRAY && !plain && one_in(d, 3))
        resize(l, l->low - draw_below(d, 20), l->high - l->low + draw_below(d, 40));
    if (one_in(d, 8)) {
        MPI_Datatype bare = l->type;
        MPI_Type_dup(bare, &l->type);
        MPI_Type_free(&bare);
    }
    MPI_Type_commit(&l->type);
}

void free_layout(Layout *l) {
    if (l->offset && !l->predefined) MPI_Type_free(&l->type);
    free(l->offset);
    l->offset = NULL;
}

MPI_Datatype absolute(const Layout *l, char *base) {
    MPI_Datatype made;
    MPI_Aint at;
    int one = 1;
    MPI_Get_address(base, &at);
    MPI_Type_create_hindexed(1, &one, &at, l->type, &made);
    MPI_Type_commit(&made);
    return made;
}
