/* Calls of the functions of functions.h by what the program is linked with, and by the MPI library
 * itself. */
#ifndef HOPBINE_ATTACK_CALLS_H
#define HOPBINE_ATTACK_CALLS_H
#include "case.h"

/* Looks for the MPI library behind the preload. */
void find_library(void);
void *library_symbol(const char *name);
/* By what comes first in line: hopbine's preload where there is one. `profiled`: as PMPI_. */
int call_first(const Case *c, const Arguments *a);
/* By the MPI library's own PMPI_ function. */
int call_library(const Case *c, const Arguments *a);
/* hopbine's; null without it. */
extern int (*select_algorithms)(const char *);
extern const char *(*last_served)(void);

#endif
