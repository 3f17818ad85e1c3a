/* Barriers: nobody leaves one before all have come. */
#ifndef HOPBINE_ATTACK_BARRIERS_H
#define HOPBINE_ATTACK_BARRIERS_H
#include "case.h"

enum { BARRIER_SLOTS = 64 };

/* Shares memory among all ranks. Ranks on several machines have none: barriers are not checked. */
void make_barriers(void);
void free_barriers(void);
/* This rank comes to the barrier of a slot. `time` grows from one to the next. */
void come(int slot, long time);
/* Whether all ranks that a barrier on the communicator waits for have come. */
int all_came(const TestComm *w, int slot, long time);

#endif
