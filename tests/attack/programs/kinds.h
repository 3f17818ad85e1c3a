/* Predefined datatypes and operations: their values, and the results that MPI defines. */
#ifndef HOPBINE_ATTACK_KINDS_H
#define HOPBINE_ATTACK_KINDS_H
#include <mpi.h>
#include <stddef.h>

#include "draw.h"

typedef enum { WHOLE, NATURAL, REAL, COMPLEX, BYTES } Class;
enum { ARITHMETIC = 1, LOGIC = 2, BITS = 4, SUMS = 8, PLACE = 16 }; /* groups of operations */

/* A predefined datatype. `part`: bytes of one number. `index_at`: byte offset of a pair's index. */
typedef struct {
    const char *name;
    MPI_Datatype type;
    Class class;
    int operations, bytes, part, index_at, index_bytes;
} Kind;

typedef struct {
    const char *name;
    MPI_Op op;
    int group, sums, multiplies;
} Operation;

/* A value of any kind. */
typedef struct {
    long double re, im;
    int64_t whole, index;
} Value;

extern Kind kinds[];
extern int kinds_known;
extern const Kind *uint32_kind;
extern Operation operations[];
extern int operations_known;

void make_kinds(void);
void store(const Kind *k, char *to, Value v);
Value load(const Kind *k, const char *from);
/* Draws a value with which `o` cannot overflow on 8 ranks. `exact`: small integers, which no order
 * of summation rounds. */
Value draw_value(const Kind *k, const Operation *o, int exact, uint64_t bits);
/* a o b. */
Value fold(const Kind *k, const Operation *o, Value a, Value b);
/* Makes arbitrary bytes a valid number: 80-bit floating point has invalid ones. */
void make_valid(const Kind *k, char *number);
/* Significant bytes of a component. */
int significant(const Kind *k);
int same_value(const Kind *k, const Operation *o, int exact, Value want, Value got);

#endif
