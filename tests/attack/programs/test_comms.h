/* Communicators of every kind, all alive at the same time. */
#ifndef HOPBINE_ATTACK_TEST_COMMS_H
#define HOPBINE_ATTACK_TEST_COMMS_H
#include "case.h"

enum { THREADS = 3, THREAD_COMMS = 2 };
extern TestComm test_comms[];
extern int test_comms_known;
/* Communicators of the threads: each has its own. */
extern TestComm thread_comms[THREADS][THREAD_COMMS];

void make_test_comms(void);
void free_test_comms(void);
/* A new communicator derived from another. The caller frees it by free_test_comm. */
TestComm new_test_comm(const TestComm *like, Draw *d);
void free_test_comm(TestComm *w);

#endif
