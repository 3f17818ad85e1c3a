/* Table of the interposed MPI functions. Columns:
 * - name, and that of the nonblocking form; the persistent form is called name_init
 * - number of arguments, and that of the nonblocking form, which also has a request; the persistent
 *   form also has an info
 * - a bit for each argument that is a count (bit 0: the first argument)
 * - a bit for each argument that is an array of counts or displacements, one for every rank or
 * neighbour
 * - what these arrays are of: ALL_RANKS, AT_ROOT (the same, significant at the root only), or
 *   NEIGHBORS (one number for every neighbour)
 * The communicator is the last argument but for these, the root the one before. Each form also has
 * its _c form. */
#ifndef HOPBINE_FUNCTIONS_H
#define HOPBINE_FUNCTIONS_H
enum { ALL_RANKS, AT_ROOT, NEIGHBORS };
#define HOPBINE_FUNCTIONS(X)                                                 \
    X(Bcast, Ibcast, 5, 6, 0x02, 0, ALL_RANKS)                               \
    X(Reduce, Ireduce, 7, 8, 0x04, 0, ALL_RANKS)                             \
    X(Allreduce, Iallreduce, 6, 7, 0x04, 0, ALL_RANKS)                       \
    X(Gather, Igather, 8, 9, 0x12, 0, ALL_RANKS)                             \
    X(Scatter, Iscatter, 8, 9, 0x12, 0, ALL_RANKS)                           \
    X(Gatherv, Igatherv, 9, 10, 0x02, 0x30, AT_ROOT)                         \
    X(Scatterv, Iscatterv, 9, 10, 0x20, 0x06, AT_ROOT)                       \
    X(Allgather, Iallgather, 7, 8, 0x12, 0, ALL_RANKS)                       \
    X(Allgatherv, Iallgatherv, 8, 9, 0x02, 0x30, ALL_RANKS)                  \
    X(Reduce_scatter, Ireduce_scatter, 6, 7, 0, 0x04, ALL_RANKS)             \
    X(Reduce_scatter_block, Ireduce_scatter_block, 6, 7, 0x04, 0, ALL_RANKS) \
    X(Alltoall, Ialltoall, 7, 8, 0x12, 0, ALL_RANKS)                         \
    X(Alltoallv, Ialltoallv, 9, 10, 0, 0x66, ALL_RANKS)                      \
    X(Scan, Iscan, 6, 7, 0x04, 0, ALL_RANKS)                                 \
    X(Exscan, Iexscan, 6, 7, 0x04, 0, ALL_RANKS)

/* Table of the neighbourhood collectives, with the columns of the table above. */
#define HOPBINE_NEIGHBOR_FUNCTIONS(X)                                         \
    X(Neighbor_allgather, Ineighbor_allgather, 7, 8, 0x12, 0, NEIGHBORS)      \
    X(Neighbor_allgatherv, Ineighbor_allgatherv, 8, 9, 0x02, 0x30, NEIGHBORS) \
    X(Neighbor_alltoall, Ineighbor_alltoall, 7, 8, 0x12, 0, NEIGHBORS)        \
    X(Neighbor_alltoallv, Ineighbor_alltoallv, 9, 10, 0, 0x66, NEIGHBORS)

/* Table of the functions that are never served, but counted in statistics. */
#define HOPBINE_COUNTED_FUNCTIONS(X) X(Alltoallw, Ialltoallw, 9, 10, 0, 0x66, ALL_RANKS)

#define HOPBINE_ALL_FUNCTIONS(X)  \
    HOPBINE_FUNCTIONS(X)          \
    HOPBINE_NEIGHBOR_FUNCTIONS(X) \
    HOPBINE_COUNTED_FUNCTIONS(X)

/* Table of the interposed functions without counts, which have no _c form: name, number of
 * arguments, what they count as (counted_kind), and what is done before the call. */
#define HOPBINE_PLAIN_FUNCTIONS(X)                \
    X(Barrier, 1, COUNT_CALL, (void)0)            \
    X(Ibarrier, 2, COUNT_CALL, (void)0)           \
    X(Barrier_init, 3, COUNT_PERSISTENT, (void)0) \
    X(Cancel, 1, COUNT_NOT, (void)0)              \
    X(Type_free, 1, COUNT_NOT, (void)0)           \
    X(Op_free, 1, COUNT_NOT, watch_operation_freed((const void *)a))

/* Table of the functions of persistent requests: name and number of arguments. Interposed while
 * some of the requests are hopbine's. */
#define HOPBINE_REQUEST_FUNCTIONS(X) X(Start, 1) X(Startall, 2) X(Request_free, 1)

/* Table of the functions that wait: name and number of arguments. Interposed where statistics count
 * the time in them, or calls of hopbine's need them to go on. */
#define HOPBINE_WAIT_FUNCTIONS(X) X(Wait, 2) X(Waitall, 3) X(Waitany, 4) X(Waitsome, 5)

/* Table of the functions that add to memory of other ranks: name and number of arguments.
 * Interposed where sums are to be exact. */
#define HOPBINE_ACCUMULATE_FUNCTIONS(X) \
    X(Accumulate, 9)                    \
    X(Raccumulate, 10)                  \
    X(Get_accumulate, 12)               \
    X(Rget_accumulate, 13)              \
    X(Accumulate_c, 9)                  \
    X(Raccumulate_c, 10)                \
    X(Get_accumulate_c, 12)             \
    X(Rget_accumulate_c, 13)            \
    X(Fetch_and_op, 7)

/* Table of the functions that make communicators, which all ranks of the first argument call: name,
 * number of arguments, and which of them (0: the first) is the address of the new one. Interposed
 * so that a watched rank knows its communicators. */
#define HOPBINE_MAKING_FUNCTIONS(X)      \
    X(Comm_dup, 2, 1)                    \
    X(Comm_dup_with_info, 3, 2)          \
    X(Comm_idup, 3, 1)                   \
    X(Comm_split, 4, 3)                  \
    X(Comm_split_type, 5, 4)             \
    X(Comm_create, 3, 2)                 \
    X(Cart_create, 6, 5)                 \
    X(Cart_sub, 3, 2)                    \
    X(Graph_create, 6, 5)                \
    X(Dist_graph_create, 9, 8)           \
    X(Dist_graph_create_adjacent, 10, 9) \
    X(Intercomm_create, 6, 5)            \
    X(Intercomm_merge, 3, 2)

/* Table of the functions in which a rank may wait for another one: name, number of arguments, and
 * which of them is the communicator (-1: none is). Interposed, by these names alone, so that a
 * watched rank tells where it waits. */
#define HOPBINE_POINT_FUNCTIONS(X) \
    X(Recv, 7, 5)                  \
    X(Send, 6, 5)                  \
    X(Ssend, 6, 5)                 \
    X(Probe, 4, 2)                 \
    X(Mprobe, 5, 2)                \
    X(Mrecv, 5, -1)                \
    X(Sendrecv, 12, -1)            \
    X(Sendrecv_replace, 9, 7)

/* Table of the functions that programs call in loops until something has come: name and number of
 * arguments. */
#define HOPBINE_POLL_FUNCTIONS(X) X(Test, 3) X(Testall, 4) X(Testany, 5) X(Testsome, 5) X(Iprobe, 5)

/* Table of persistent collectives that are only passed on: name and number of arguments. Programs
 * that find one (by a weak reference) expect all, and Open MPI 4.1 has them under other names. */
#define HOPBINE_PASSED_FUNCTIONS(X) X(Neighbor_alltoallw_init, 11)

#endif
