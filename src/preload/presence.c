#define _GNU_SOURCE
#include "presence.h"

#include <stdio.h>

#include "pmi.h"
#include "pmix.h"
#include "silence.h"

static int declined;

void presence_decline(void) {
    declined = 1;
    pmix_decline();
}

void presence_publish(void) {
    if (!pmix_is_launcher() && !declined)
        pmi_publish(); /* with PMIx: when the MPI library starts its client, see pmix.c */
}

void presence_ask(void) {
    if (!pmix_published()) pmi_ask();
}

void presence_drop(void) {
    if (!pmix_published()) pmi_are_present(0);
}

void presence_say(const char *what) {
    if (hopbine_is_first()) fprintf(stderr, "hopbine: %s\n", what);
}

/* Asks for the key of each of `size` ranks. The first that has one reports where not all have. */
static enum presence find_by_keys(int size) {
    int (*const is_present)(int) = pmix_published() ? pmix_is_present : pmi_is_present;
    int present = 0, first = -1;
    for (int r = 0; r < size; ++r) {
        const int here = is_present(r);
        if (here && first < 0) first = r;
        present += here;
    }
    if (present == size) return PRESENCE_ALL;
    if ((pmix_published() ? pmix_rank() : pmi_rank()) == first)
        fprintf(stderr,
                "hopbine: %d of %d ranks of the job run under hopbine; the MPI library serves all "
                "calls\n",
                present, size);
    return PRESENCE_SOME;
}

enum presence presence_find(int size) {
    if (!pmix_published() && !pmi_published()) return declined ? PRESENCE_SOME : PRESENCE_UNKNOWN;
    if (!pmix_published() && pmi_are_present(size)) return PRESENCE_ALL;
    if (pmix_published() && pmix_asks_too_many(size))
        return pmix_is_one_command() ? PRESENCE_ALL : PRESENCE_UNKNOWN;
    return find_by_keys(size);
}
