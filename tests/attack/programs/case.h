/* One drawn call: its arguments, and the result that every rank must have. */
#ifndef HOPBINE_ATTACK_CASE_H
#define HOPBINE_ATTACK_CASE_H
#include "layouts.h"

/* Traits of a collective: who sends and receives how many blocks. A function of functions.h without
 * a line here does not compile. */
typedef struct {
    enum { NOBODY, SENDS, RECEIVES } root; /* role of the root */
    int send_many, recv_many, reduces, varies;
    enum { ALL, THROUGH, BELOW } prefix; /* ranks whose contributions a rank gets */
} Traits;

/* The blocks of a buffer: block b has units[b] units from displacement at[b] on, in extents. */
typedef struct {
    int blocks;
    long *units, *at, span;
    const Layout *layout;
} Blocks;

/* A buffer between guard bytes. */
typedef struct {
    char *all, *base;
    size_t bytes;
} Memory;

/* A communicator that cases run on. `inter`: an intercommunicator; `group` is 0 or 1 there. */
typedef struct {
    MPI_Comm comm;
    const char *name;
    int rank, size, inter, group, others; /* others: of the remote group, or of its own */
    int *world;                           /* their ranks in MPI_COMM_WORLD */
} TestComm;

typedef struct {
    int function;
    const Traits *traits;
    const TestComm *on;
    uint64_t key, data; /* data: of the numbers */
    long n;             /* units of a block */
    int root, root_group, is_root, in_place, bottom, large, profiled, null_empty, careless, spread;
    enum { EQUAL, RANDOM, SPARSE, ONE_ONLY } uneven;
    Unit unit;
    const Operation *operation; /* or null: user-defined */
    int users, exact;
    int plain;          /* no gaps: see tame */
    int m;              /* units of an element, where all ranks need the same */
    int supplies, gets; /* whether this rank sends, and receives */
    int in_recv;        /* the input is in the receive buffer */
    Blocks in, out;
    Layout made[2];
    MPI_Datatype absolute[2];
    uint64_t local; /* this rank's own key */
    char text[1200];
} Case;

/* Arguments of any collective, in MPI's widest types. */
typedef struct {
    void *send, *recv;
    MPI_Count send_count, recv_count, *send_counts, *recv_counts;
    MPI_Aint *send_at, *recv_at;
    MPI_Datatype send_type, recv_type;
    MPI_Op op;
    int root, ranks; /* ranks: length of the arrays */
    MPI_Comm comm;
} Arguments;

/* Leaves out the calls in which the MPI library itself is known to crash or hang. */
extern int tame, is_mpich, is_mpich_40;
void find_out_family(void);

extern const Traits traits[];
extern const char *const function_names[];
extern const int functions_known;

/* Whether this function is left out. */
int left_out(const TestComm *on, int function);
void draw_case(Case *c, const TestComm *on, uint64_t key, uint64_t local, int function);
void end_case(Case *c);
long units_between(const Case *c, int from_group, int from, int to_group, int to);

/* Allocates and fills the buffers of one run; `recv` has the input too where that is in place. */
void fill_buffers(Case *c, Memory *send, Memory *recv);
/* Writes the contents before a call into buffers that exist. */
void refill_buffers(Case *c, Memory *send, Memory *recv);
/* Checks the result in `recv`. Null: correct; else the error, in a static buffer of this thread. */
const char *check_buffers(const Case *c, const Memory *send, const Memory *recv);
void free_memory(Memory *m);
/* A hash of the numbers in `recv`. */
uint64_t hash_result(const Case *c, const Memory *recv);

void arguments_of(Case *c, const Memory *send, const Memory *recv, Arguments *a);
void free_arguments(Case *c, Arguments *a);

/* User-defined operations. */
enum { ADD_UNITS, MULTIPLY_MATRICES, FIRST, LAST, ADD_AS_IF_ORDERED, USER_OPERATIONS };
MPI_Op user_operation(int which);
/* Another operation with the same function. The caller frees it. */
MPI_Op new_user_operation(int which);
const char *user_operation_name(int which);
void make_user_operations(void);
void free_user_operations(void);
void apply_user(int which, const uint32_t *left, uint32_t *right, int length);
/* The functions of user-defined operations find the layout of a datatype among those known here. */
void know_layout(const Layout *l);
void forget_layout(const Layout *l);

#endif
