/* All functions that the preload library calls, which finds them by one name: to look up each by
 * its own took as long as to load the runtime. */
#include "preload/runtime.h"

/* Their parameters are those of MPI here, and words in the preload library. */
#define BOTH(given, name) given(name, MPI_##name) given(name##_c, MPI_##name##_c)
#define FORMS(given, name, iname) BOTH(given, name) BOTH(given, iname) BOTH(given, name##_init)

#define DECLARE(name, symbol) void hopbine_##symbol(void);
#define DECLARE_FORMS(name, iname, ...) FORMS(DECLARE, name, iname)
#define DECLARE_PLAIN(name, ...) DECLARE(name, MPI_##name)
#define DECLARE_OWN(name, ...) DECLARE(name, name)
HOPBINE_ALL_FUNCTIONS(DECLARE_FORMS)
HOPBINE_PLAIN_FUNCTIONS(DECLARE_PLAIN)
HOPBINE_REQUEST_FUNCTIONS(DECLARE_PLAIN)
HOPBINE_WAIT_FUNCTIONS(DECLARE_PLAIN)
HOPBINE_ACCUMULATE_FUNCTIONS(DECLARE_PLAIN)
HOPBINE_RUNTIME_FUNCTIONS(DECLARE_OWN)

#define GIVE(name, symbol) .name = (__typeof__(((struct runtime *)0)->name))hopbine_##symbol,
#define GIVE_FORMS(name, iname, ...) FORMS(GIVE, name, iname)
#define GIVE_PLAIN(name, ...) GIVE(name, MPI_##name)
#define GIVE_OWN(name, ...) GIVE(name, name)
__attribute__((visibility("default"))) const struct runtime hopbine_functions = {
    .size = sizeof(struct runtime),
    HOPBINE_ALL_FUNCTIONS(GIVE_FORMS) HOPBINE_PLAIN_FUNCTIONS(GIVE_PLAIN)
        HOPBINE_REQUEST_FUNCTIONS(GIVE_PLAIN) HOPBINE_WAIT_FUNCTIONS(GIVE_PLAIN)
            HOPBINE_ACCUMULATE_FUNCTIONS(GIVE_PLAIN) HOPBINE_RUNTIME_FUNCTIONS(GIVE_OWN)};
