/* Drawn programs: collectives in all forms on several communicators, under way together, and
 * point-to-point messages among them. */
#ifndef HOPBINE_ATTACK_PROGRAM_H
#define HOPBINE_ATTACK_PROGRAM_H
#include "calls.h"
#include "report.h"

/* Operations that have completed in each form; a persistent one counts for each start. */
extern long operations_of_form[FORMS];
/* Persistent requests of MPICH's own, which are made and not started (docs/library-faults.md). */
extern long left_to_mpich;
/* Operations of the programs to keep, a bit for each: to reduce a program that fails. */
extern unsigned kept_operations;

/* Draws a program on some of `known` communicators from the task's key, and runs it. `all`: a
 * communicator of all ranks that run it. */
void run_program(const Task *k, const TestComm *from, int known, const TestComm *all);

#endif
