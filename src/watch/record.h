/* What a rank keeps of its calls, in memory that the node's watcher reads while the rank waits.
 *
 * - Only the rank writes (but `told`), and no system call is made for it. The watcher reads the
 *   clock: a call that has not changed for long is one that the rank waits in.
 * - The memory is a file without a name, of which the watcher alone has a descriptor. It goes when
 *   the last process does, however that ends. */
#ifndef HOPBINE_WATCH_RECORD_H
#define HOPBINE_WATCH_RECORD_H
#include <stdint.h>

enum {
    WATCH_WORDS = 9,   /* arguments of a call that are kept: all of a blocking collective's */
    WATCH_SLOTS = 32,  /* threads that call MPI; others are not watched */
    WATCH_COMMS = 512, /* a power of two; calls on further communicators are watched without one */
    WATCH_STEPS = 16,  /* of a search: communicators that begin at one place lie in the next */
    WATCH_NAMES = 160, /* predefined datatypes and operations (MPI 5 has 56 and 14 of them), and
                        * operations of the program; further ones are not compared */
    WATCH_LAYOUT = 3   /* changes with this file */
};

struct watch_call {
    uint64_t function; /* of watch_function, with WATCH_LARGE */
    uint64_t comm;     /* id of its communicator; 0: it is not known */
    uint64_t sequence; /* of collectives: the number of the call on its communicator, from 1; 0: it
                        * has failed, which is no call to others */
    uint64_t site;     /* return address */
    int64_t words[WATCH_WORDS]; /* arguments, as the machine passes them */
};

/* The calls of one thread. While `changes` is odd the thread is in calls[changes / 2 % 2]; the
 * other is the call that it left before. While it is even the thread is in none, and the other of
 * calls[changes / 2 % 2] is the last one. */
struct watch_slot {
    uint64_t changes;
    uint64_t frame;  /* address in the stack of the call's stub */
    int32_t thread;  /* of Linux; 0: no thread has had this slot */
    uint32_t poller; /* MPI_Test or one of its kind that was called last */
    uint64_t polls, poll_site;
    uint64_t unused;
    struct watch_call calls[2];
};

struct watch_comm {
    uint64_t handle; /* 0: this place is free; 1: it was freed */
    uint64_t id;     /* the same on all of its ranks */
    uint64_t sequence;
    int32_t size, rank;
    uint64_t made_at; /* return address of the call that has made it; 0: MPI has */
    uint32_t made_by; /* function */
    char name[36];
};

/* A predefined datatype, or an operation. */
#define WATCH_OWN_OPERATION "an operation of the program"
enum { WATCH_COMMUTES = -1, WATCH_IN_ORDER = -2 };
struct watch_name {
    uint64_t handle; /* 0: this place is free */
    int32_t bytes;   /* of a datatype; of an operation, whether it commutes */
    char name[36];
};

/* Where the watcher of the job's first rank listens for those of other nodes. */
enum { WATCH_ADDRESSES = 4, WATCH_KEY = 16 };
struct watch_head {
    uint32_t port; /* 0: it does not */
    char address[WATCH_ADDRESSES][46];
};

struct watch_record {
    int32_t rank, ranks;
    uint32_t finished;    /* MPI_Finalize has returned */
    uint32_t lost;        /* calls of threads without a slot, or on communicators without a place */
    uint32_t has_head;    /* `head` is written */
    uint32_t differs;     /* how often calls that do not match were found before they were made */
    uint32_t told;        /* of these, how many are reported: the watcher's */
    uint64_t handle_bits; /* of a word, those that are a handle */
    int64_t in_place;     /* MPI_IN_PLACE */
    uint64_t world;       /* MPI_COMM_WORLD */
    char node[72];
    struct watch_head head;
    struct watch_call differing; /* this rank's call that was last found to match others' not */
    int64_t differing_bytes;     /* of it; -1: these may differ */
    int32_t differing_commutes;  /* of its operation; -1: there is none */
    uint32_t names_known;
    struct watch_name names[WATCH_NAMES];
    struct watch_comm comms[WATCH_COMMS];
    struct watch_slot slots[WATCH_SLOTS] __attribute__((aligned(64)));
};

/* The place in the table where the search for a communicator begins. */
static inline uint32_t watch_place(uint64_t handle) {
    return (uint32_t)(handle * 0x9E3779B97F4A7C15u >> 40) % WATCH_COMMS;
}

#endif
