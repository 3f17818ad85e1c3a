#include "kinds.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <wchar.h>

Kind kinds[64];
int kinds_known;
const Kind *uint32_kind;
Operation operations[16];
int operations_known;

static void add(const char *name, MPI_Datatype type, Class class, int groups) {
    int size = 0;
    MPI_Aint lb, extent;
    if (type == MPI_DATATYPE_NULL || MPI_Type_size(type, &size) || size <= 0) return;
    MPI_Type_get_extent(type, &lb, &extent);
    if (type == MPI_UINT32_T) uint32_kind = &kinds[kinds_known];
    kinds[kinds_known++] =
        (Kind){name, type, class, groups, (int)extent, class == COMPLEX ? size / 2 : size, 0, 0};
}

static void add_pair(const char *name, MPI_Datatype type, Class class, int part, int index_at,
                     int index_bytes) {
    add(name, type, class, PLACE);
    Kind *k = &kinds[kinds_known - 1];
    if (k->type == type) k->part = part, k->index_at = index_at, k->index_bytes = index_bytes;
}

#define ADD(type, class, groups) add(#type, type, class, groups)
#define PAIR(type, class, value, index)                                                       \
    do {                                                                                      \
        struct pair {                                                                         \
            value v;                                                                          \
            index i;                                                                          \
        };                                                                                    \
        add_pair(#type, type, class, sizeof(value), offsetof(struct pair, i), sizeof(index)); \
    } while (0)

void make_kinds(void) {
    enum { C = ARITHMETIC | LOGIC | BITS, F = ARITHMETIC | BITS };
    ADD(MPI_CHAR, BYTES, 0), ADD(MPI_WCHAR, BYTES, 0), ADD(MPI_BYTE, NATURAL, BITS),
        ADD(MPI_SIGNED_CHAR, WHOLE, C);
    ADD(MPI_UNSIGNED_CHAR, NATURAL, C), ADD(MPI_SHORT, WHOLE, C),
        ADD(MPI_UNSIGNED_SHORT, NATURAL, C), ADD(MPI_INT, WHOLE, C);
    ADD(MPI_UNSIGNED, NATURAL, C), ADD(MPI_LONG, WHOLE, C), ADD(MPI_UNSIGNED_LONG, NATURAL, C),
        ADD(MPI_LONG_LONG, WHOLE, C);
    ADD(MPI_UNSIGNED_LONG_LONG, NATURAL, C), ADD(MPI_INT8_T, WHOLE, C), ADD(MPI_INT16_T, WHOLE, C),
        ADD(MPI_INT32_T, WHOLE, C);
    ADD(MPI_INT64_T, WHOLE, C), ADD(MPI_UINT8_T, NATURAL, C), ADD(MPI_UINT16_T, NATURAL, C),
        ADD(MPI_UINT32_T, NATURAL, C);
    ADD(MPI_UINT64_T, NATURAL, C), ADD(MPI_AINT, WHOLE, F), ADD(MPI_OFFSET, WHOLE, F),
        ADD(MPI_COUNT, WHOLE, F);
    ADD(MPI_FLOAT, REAL, ARITHMETIC), ADD(MPI_DOUBLE, REAL, ARITHMETIC),
        ADD(MPI_LONG_DOUBLE, REAL, ARITHMETIC);
    ADD(MPI_C_BOOL, NATURAL, LOGIC), ADD(MPI_C_FLOAT_COMPLEX, COMPLEX, SUMS),
        ADD(MPI_C_DOUBLE_COMPLEX, COMPLEX, SUMS);
    ADD(MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX, SUMS);
    ADD(MPI_INTEGER, WHOLE, F), ADD(MPI_REAL, REAL, ARITHMETIC),
        ADD(MPI_DOUBLE_PRECISION, REAL, ARITHMETIC);
    ADD(MPI_COMPLEX, COMPLEX, SUMS), ADD(MPI_LOGICAL, NATURAL, LOGIC), ADD(MPI_CHARACTER, BYTES, 0);
    PAIR(MPI_2INT, WHOLE, int, int);
    PAIR(MPI_SHORT_INT, WHOLE, short, int);
    PAIR(MPI_LONG_INT, WHOLE, long, int);
    PAIR(MPI_FLOAT_INT, REAL, float, int);
    PAIR(MPI_DOUBLE_INT, REAL, double, int);
    PAIR(MPI_LONG_DOUBLE_INT, REAL, long double, int);
    PAIR(MPI_2INTEGER, WHOLE, int, int);
    PAIR(MPI_2REAL, REAL, float, float);
    PAIR(MPI_2DOUBLE_PRECISION, REAL, double, double);
    const Operation all[] = {{"MPI_SUM", MPI_SUM, ARITHMETIC | SUMS, 1, 0},
                             {"MPI_PROD", MPI_PROD, ARITHMETIC | SUMS, 0, 1},
                             {"MPI_MAX", MPI_MAX, ARITHMETIC, 0, 0},
                             {"MPI_MIN", MPI_MIN, ARITHMETIC, 0, 0},
                             {"MPI_LAND", MPI_LAND, LOGIC, 0, 0},
                             {"MPI_LOR", MPI_LOR, LOGIC, 0, 0},
                             {"MPI_LXOR", MPI_LXOR, LOGIC, 0, 0},
                             {"MPI_BAND", MPI_BAND, BITS, 0, 0},
                             {"MPI_BOR", MPI_BOR, BITS, 0, 0},
                             {"MPI_BXOR", MPI_BXOR, BITS, 0, 0},
                             {"MPI_MINLOC", MPI_MINLOC, PLACE, 0, 0},
                             {"MPI_MAXLOC", MPI_MAXLOC, PLACE, 0, 0}};
    memcpy(operations, all, sizeof all);
    operations_known = sizeof all / sizeof *all;
}

static void store_real(int bytes, char *to, long double x) {
    float f = (float)x;
    double d = (double)x;
    if (bytes == sizeof x) memset(to, 0, sizeof x);
    memcpy(to,
           bytes == sizeof f   ? (void *)&f
           : bytes == sizeof d ? (void *)&d
                               : (void *)&x,
           bytes == sizeof x ? 10 : (size_t)bytes);
}

static long double load_real(int bytes, const char *from) {
    float f;
    double d;
    long double x;
    if (bytes == sizeof f) return memcpy(&f, from, sizeof f), f;
    if (bytes == sizeof d) return memcpy(&d, from, sizeof d), d;
    return memcpy(&x, from, sizeof x), x;
}

static int64_t load_whole(int bytes, int natural, const char *from) {
    uint64_t u = 0;
    memcpy(&u, from, (size_t)bytes);
    if (!natural && bytes < 8 && u >> (8 * bytes - 1)) u |= ~(uint64_t)0 << 8 * bytes;
    return (int64_t)u;
}

void store(const Kind *k, char *to, Value v) {
    if (k->class == WHOLE || k->class == NATURAL)
        memcpy(to, &v.whole, (size_t)k->part);
    else
        store_real(k->part, to, v.re);
    if (k->class == COMPLEX) store_real(k->part, to + k->part, v.im);
    if (k->index_bytes && k->name[4] == '2' && k->class == REAL)
        store_real(k->index_bytes, to + k->index_at, (long double)v.index);
    else if (k->index_bytes)
        memcpy(to + k->index_at, &v.index, (size_t)k->index_bytes);
}

Value load(const Kind *k, const char *from) {
    Value v = {0};
    if (k->class == WHOLE || k->class == NATURAL)
        v.whole = load_whole(k->part, k->class == NATURAL, from);
    else
        v.re = load_real(k->part, from);
    if (k->class == COMPLEX) v.im = load_real(k->part, from + k->part);
    if (k->index_bytes && k->name[4] == '2' && k->class == REAL)
        v.index = (int64_t)load_real(k->index_bytes, from + k->index_at);
    else if (k->index_bytes)
        v.index = load_whole(k->index_bytes, 0, from + k->index_at);
    return v;
}

static int64_t draw_whole(const Kind *k, const Operation *o, uint64_t bits) {
    const int natural = k->class == NATURAL;
    if (o->group == LOGIC)
        return bits % 3 == 0 ? 0 : k->operations == LOGIC ? 1 : 1 + (int64_t)(bits % 90);
    if (o->group == PLACE) return (int64_t)(bits % 5) - 2;
    if ((!o->sums && !o->multiplies) || (natural && k->part >= 4)) return (int64_t)bits;
    if (o->sums)
        return k->part == 1 ? (int64_t)(bits % 31) - (natural ? 0 : 15)
                            : (int64_t)(bits % 1999) - (natural ? 0 : 999);
    if (k->part == 1) return natural ? bits % 8 > 0 : bits % 2 ? 1 : -1;
    return (int64_t)(bits % 4) - (natural ? 0 : 2) + (bits % 4 == 2);
}

Value draw_value(const Kind *k, const Operation *o, int exact, uint64_t bits) {
    Value v = {0};
    v.index = (int64_t)(bits >> 40) % 100;
    if (k->class == WHOLE || k->class == NATURAL)
        v.whole = draw_whole(k, o, bits);
    else if (o->group == PLACE)
        v.re = (long double)(bits % 5) - 2;
    else if (exact && o->multiplies)
        v.re = bits % 2 ? 1 : -2, v.im = bits / 2 % 2 ? 1 : 0;
    else if (exact || !o->sums)
        v.re = (long double)(bits % 201) - 100, v.im = (long double)(bits / 256 % 201) - 100;
    else
        v.re = ldexpl((long double)(int64_t)bits, -64 + (int)(bits % 10)),
        v.im = ldexpl((long double)(int64_t)mix(bits), -64);
    if (!exact && o->multiplies) v.re = 1 + ldexpl((long double)(int64_t)bits, -65), v.im = 0;
    return v;
}

static int64_t fold_whole(const Kind *k, const Operation *o, int64_t a, int64_t b) {
    const MPI_Op op = o->op;
    const int less = k->class == NATURAL ? (uint64_t)a < (uint64_t)b : a < b;
    if (op == MPI_SUM) return (int64_t)((uint64_t)a + (uint64_t)b);
    if (op == MPI_PROD) return (int64_t)((uint64_t)a * (uint64_t)b);
    if (op == MPI_MAX) return less ? b : a;
    if (op == MPI_MIN) return less ? a : b;
    if (op == MPI_LAND) return a && b;
    if (op == MPI_LOR) return a || b;
    if (op == MPI_LXOR) return !a != !b;
    return op == MPI_BAND ? a & b : op == MPI_BOR ? a | b : a ^ b;
}

/* Folds a value and its index; of equal values the smaller index stays. */
static Value fold_place(const Kind *k, const Operation *o, Value a, Value b) {
    const int order = k->class == WHOLE ? (a.whole > b.whole) - (a.whole < b.whole)
                                        : (a.re > b.re) - (a.re < b.re);
    if (!order) return a.index <= b.index ? a : b;
    return (order > 0) == (o->op == MPI_MAXLOC) ? a : b;
}

Value fold(const Kind *k, const Operation *o, Value a, Value b) {
    Value v = {0};
    if (o->group == PLACE) return fold_place(k, o, a, b);
    if (k->class == WHOLE || k->class == NATURAL) {
        char bytes[8];
        v.whole = fold_whole(k, o, a.whole, b.whole);
        memcpy(bytes, &v.whole, sizeof bytes);
        v.whole = load_whole(k->part, k->class == NATURAL, bytes); /* it wraps around */
    } else if (o->sums)
        v.re = a.re + b.re, v.im = a.im + b.im;
    else if (o->multiplies)
        v.re = a.re * b.re - a.im * b.im,
        v.im = k->class == COMPLEX ? a.re * b.im + a.im * b.re : 0;
    else
        v.re = (a.re < b.re) == (o->op == MPI_MAX) ? b.re : a.re;
    return v;
}

static int is_wide(const Kind *k) {
    return (k->class == REAL || k->class == COMPLEX) && k->part == sizeof(long double);
}

int significant(const Kind *k) { return is_wide(k) ? 10 : k->part; }

void make_valid(const Kind *k, char *number) {
    if (!is_wide(k)) return;
    const Value v = {.re = (long double)number[0] + number[1] / 256.0L,
                     .im = number[2] * 3.0L,
                     .index = number[3]};
    store(k, number, v);
}

int same_value(const Kind *k, const Operation *o, int exact, Value want, Value got) {
    if (k->class == WHOLE || k->class == NATURAL)
        return want.whole == got.whole && want.index == got.index;
    if (k->index_bytes) return want.re == got.re && want.index == got.index;
    if (exact || (!o->sums && !o->multiplies))
        return want.re == got.re && (k->class != COMPLEX || want.im == got.im);
    const long double eps = k->part == 4   ? 1e-6L
                            : k->part == 8 ? 1e-14L
                                           : 1e-16L,
                      bound = eps * 4096;
    return fabsl(want.re - got.re) <= bound &&
           (k->class != COMPLEX || fabsl(want.im - got.im) <= bound);
}
