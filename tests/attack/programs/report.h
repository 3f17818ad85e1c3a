/* What a run counts and prints. */
#ifndef HOPBINE_ATTACK_REPORT_H
#define HOPBINE_ATTACK_REPORT_H
#include "case.h"
#include "test_comms.h"

enum { RUNNING_TEXT = 6000 };
/* What each thread runs now, for the signal handler. Thread 0 is the main one. */
extern char now_running[THREADS + 1][RUNNING_TEXT];
extern long served_calls, differences, faults_of_library;
/* This process' place in the job. */
extern int rank, ranks;
extern uint64_t seed;

/* One thread's share of a case. */
typedef struct {
    const TestComm *on;
    uint64_t key;
    long number;
    const char *choice;
    int function, repeats, in_thread; /* in_thread: 0, or the thread's number */
} Task;

/* Adds to a number above. */
void count(long *number, long more);
/* Prints a wrong result. `ours`: hopbine's; else the MPI library's. */
void tell(const Task *k, const char *text, const char *by, const char *what, int ours);
/* Signal handler: prints what runs, and ends the process. */
void tell_and_die(int number);

#endif
