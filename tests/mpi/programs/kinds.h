/* Datatypes and operations for collectives: predefined, with gaps, user-defined, not
 * commutative. */
#ifndef HOPBINE_TEST_KINDS_H
#define HOPBINE_TEST_KINDS_H
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { PRIME = 10007, GAP_EXTENT = 20 };

/* A pair (a, b) is the function x -> a x + b mod PRIME; composition is associative and not
 * commutative. */
static void compose(int *left, int *right) {
    int a = (int)((long)left[0] * right[0] % PRIME),
        b = (int)(((long)left[0] * right[1] + left[1]) % PRIME);
    right[0] = a;
    right[1] = b;
}

static MPI_Datatype pair_type, gap_type; /* two contiguous ints; two ints at bytes 4 and 12 of 20 */
static MPI_Op in_order_op, swapping_op;

/* The datatype determines the distance of the two ints. */
static void combine(void *in, void *inout, int *n, MPI_Datatype *type) {
    int gaps = *type == gap_type;
    char *a = in, *b = inout;
    for (int i = 0; i < *n; ++i, a += gaps ? GAP_EXTENT : 8, b += gaps ? GAP_EXTENT : 8) {
        int left[2], right[2], at = gaps ? 4 : 0, next = gaps ? 12 : 4;
        memcpy(left, a + at, 4), memcpy(left + 1, a + next, 4);
        memcpy(right, b + at, 4), memcpy(right + 1, b + next, 4);
        compose(left, right);
        memcpy(b + at, right, 4), memcpy(b + next, right + 1, 4);
    }
}

static void add_pairs(void *in, void *inout, int *n, MPI_Datatype *type) {
    int gaps = *type == gap_type;
    char *a = in, *b = inout;
    for (int i = 0; i < *n; ++i, a += gaps ? GAP_EXTENT : 8, b += gaps ? GAP_EXTENT : 8)
        for (int k = 0; k < 2; ++k) {
            int x, y, at = gaps ? 4 + 8 * k : 4 * k;
            memcpy(&x, a + at, 4), memcpy(&y, b + at, 4);
            y += x;
            memcpy(b + at, &y, 4);
        }
}

static void make_kinds(void) {
    int ones[2] = {1, 1};
    MPI_Aint places[2] = {4, 12};
    MPI_Datatype ints[2] = {MPI_INT, MPI_INT}, bare;
    MPI_Type_contiguous(2, MPI_INT, &pair_type);
    MPI_Type_create_struct(2, ones, places, ints, &bare);
    MPI_Type_create_resized(bare, 0, GAP_EXTENT, &gap_type);
    MPI_Type_commit(&pair_type);
    MPI_Type_commit(&gap_type);
    MPI_Type_free(&bare);
    MPI_Op_create(combine, 0, &in_order_op);
    MPI_Op_create(add_pairs, 1, &swapping_op);
}

static void free_kinds(void) {
    MPI_Type_free(&pair_type);
    MPI_Type_free(&gap_type);
    MPI_Op_free(&in_order_op);
    MPI_Op_free(&swapping_op);
}

#endif
