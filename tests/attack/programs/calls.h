/* Calls of the functions of functions.h: through the dynamic linker, and by the MPI library
 * itself. */
#ifndef HOPBINE_ATTACK_CALLS_H
#define HOPBINE_ATTACK_CALLS_H
#include "case.h"

typedef enum { BLOCKING, NONBLOCKING, PERSISTENT, FORMS } Form;

/* The arrays of counts and displacements as the call takes them. They last as long as the call. */
typedef struct {
    void *words[4];
    int made;
} Arrays;

/* Finds the MPI library behind the preload. */
void find_library(void);
void *library_symbol(const char *name);
/* Calls the first symbol in the search order: hopbine's preload where it is loaded; PMPI_ where the
 * case is `profiled`. */
int call_first(const Case *c, const Arguments *a);
/* Calls the MPI library's own function. */
int call_library(const Case *c, const Arguments *a);

/* Calls in all forms. A function is its number in functions.h; the barrier comes after them, as
 * number `functions_known`. */
/* The name without MPI_ and _init. */
const char *name_of(int function, Form form);
/* Whether the MPI library has this form. */
int has_form(int function, Form form);
/* Calls, starts, or makes the persistent request. `own`: the MPI library's own function. */
int call_form(const Case *c, const Arguments *a, int own, Form form, MPI_Request *request,
              Arrays *kept);
void free_arrays(Arrays *kept);
int call_barrier(MPI_Comm comm, int own, int profiled, Form form, MPI_Request *request);
/* Whether the result may depend on the order of the operands, and every rank has it. */
int is_rounded(const Case *c);
/* Whether every rank has the same bits. */
int same_everywhere(const TestComm *w, uint64_t hash);
/* Whether the MPI library itself would crash: then it does not get the call
 * (docs/library-faults.md). */
int quiet_library(const Case *c);
/* hopbine's functions; null without hopbine. */
extern int (*select_algorithms)(const char *);
extern const char *(*last_served)(void);

#endif
