/* Communicators of every kind, all alive at once. */
#ifndef HOPBINE_ATTACK_PLACES_H
#define HOPBINE_ATTACK_PLACES_H
#include "case.h"

enum { THREADS = 3, THREAD_PLACES = 2 };
extern Place places[];
extern int places_known;
/* Of threads: each has communicators of its own. */
extern Place thread_places[THREADS][THREAD_PLACES];

void make_places(void);
void free_places(void);
/* A new communicator like another; to be freed by free_place. */
Place new_place(const Place *like, Draw *d);
void free_place(Place *w);

#endif
