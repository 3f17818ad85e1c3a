/** \file
 *  C API of hopbine, with a stable ABI: the registry, schedules and the check. Independent of MPI.
 *
 *  Functions that can fail return a hopbine_status. hopbine_last_error() then says what was given
 * and what is allowed. */
#ifndef HOPBINE_H
#define HOPBINE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define HOPBINE_API __attribute__((visibility("default")))
#else
#define HOPBINE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hopbine_status {
    HOPBINE_OK = 0,
    HOPBINE_INVALID = 1, /**< a name, p, root, parameter, rank or step that is not allowed */
    HOPBINE_NO_MEMORY = 2,
    HOPBINE_REFUTED =
        3 /**< hopbine_check: the schedule is wrong; hopbine_last_error() says where */
} hopbine_status;

/** Version of the library, MAJOR.MINOR.PATCH (docs/versions.md says what each promises). */
HOPBINE_API const char *hopbine_version(void);
/** Message of this thread's last error, or "". Valid until the thread's next call. */
HOPBINE_API const char *hopbine_last_error(void);

/** An algorithm of the registry; the strings live as long as the program. */
typedef struct hopbine_algorithm {
    const char *collective, *name, *summary, *paper, *section;
    const char *ranks;     /**< "any", "even" or "power of two" */
    int needs_commutative; /**< reductions: requires a commutative operation */
} hopbine_algorithm;

/** Number of algorithms. */
HOPBINE_API size_t hopbine_algorithm_count(void);
/** The i-th algorithm, by collective, then name. HOPBINE_INVALID unless i is below the count. */
HOPBINE_API hopbine_status hopbine_algorithm_at(size_t i, hopbine_algorithm *out);

/** Value of a parameter of an algorithm, such as {"segment", 65536}. */
typedef struct hopbine_parameter {
    const char *name;
    int64_t value;
} hopbine_parameter;

/** A schedule: what each rank sends and receives in each step. */
typedef struct hopbine_schedule hopbine_schedule;

/** One send or receive of blocks. These are n_runs half-open runs: runs[2i] .. runs[2i+1]-1.
 * `hopbine schedule --help` defines the blocks of each collective. */
typedef struct hopbine_move {
    int sends;   /**< 1: this rank sends, 0: it receives */
    int reduces; /**< 1: the receiver reduces the value with its own, 0: it copies it */
    int peer, channel;
    size_t n_runs;
    const int64_t *runs;
} hopbine_move;

/** Creates a schedule for p ranks. root is 0 for collectives without one; parameters may be null if
 * n is 0. */
HOPBINE_API hopbine_status hopbine_schedule_create(const char *collective, const char *algorithm,
                                                   int p, int root,
                                                   const hopbine_parameter *parameters, size_t n,
                                                   hopbine_schedule **out);
HOPBINE_API void hopbine_schedule_free(hopbine_schedule *schedule);
HOPBINE_API int hopbine_schedule_steps(const hopbine_schedule *schedule);
/** Number of parts of a block. The runs of moves are of parts, numbered block * parts + part. */
HOPBINE_API int hopbine_schedule_parts(const hopbine_schedule *schedule);
/** The moves of a rank in a step. They belong to the schedule and are valid until its next call. */
HOPBINE_API hopbine_status hopbine_schedule_moves(hopbine_schedule *schedule, int rank, int step,
                                                  const hopbine_move **moves, size_t *n);

/** Checks the algorithm for one p and root. HOPBINE_OK, or HOPBINE_REFUTED. */
HOPBINE_API hopbine_status hopbine_check(const char *collective, const char *algorithm, int p,
                                         int root, const hopbine_parameter *parameters, size_t n);

#ifdef __cplusplus
}
#endif
#endif
