/* Calls of the functions of functions.h: through the dynamic linker, and by the MPI library
 * itself. */
#ifndef HOPBINE_ATTACK_CALLS_H
#define HOPBINE_ATTACK_CALLS_H
#include "case.h"

/* Finds the MPI library behind the preload. */
void find_library(void);
void *library_symbol(const char *name);
/* Calls the first symbol in the search order: hopbine's preload where it is loaded; PMPI_ where the
 * case is `profiled`. */
int call_first(const Case *c, const Arguments *a);
/* Calls the MPI library's own function. */
int call_library(const Case *c, const Arguments *a);
/* hopbine's functions; null without hopbine. */
extern int (*select_algorithms)(const char *);
extern const char *(*last_served)(void);

#endif
