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

void presence_say(const char *what) {
    if (hopbine_is_first()) fprintf(stderr, "hopbine: %s\n", what);
}

enum presence presence_find(int size) {
    int (*const is_present)(int) = pmix_published()  ? pmix_is_present
                                   : pmi_published() ? pmi_is_present
                                                     : NULL;
    if (!is_present) return declined ? PRESENCE_SOME : PRESENCE_UNKNOWN;
    if (is_present == pmi_is_present && pmi_are_present(size)) return PRESENCE_ALL;
    if (pmix_published() && pmix_asks_too_many(size))
        return pmix_is_one_command() ? PRESENCE_ALL : PRESENCE_UNKNOWN;
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
