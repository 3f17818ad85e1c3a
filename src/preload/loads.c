/* Learns when the process loads a library, at no cost in any call. */
#include "loads.h"

#include "runtime.h"

#define EXPORT __attribute__((visibility("default")))

/* Whether the runtime is told. Not where the program has a __gmon_start__ of its own (compiled with
 * -pg), or has opened this library for itself alone. */
EXPORT int hopbine_tells_loads;

static unsigned loads; /* acquired and released with what the loader has done before */

unsigned loads_so_far(void) { return __atomic_load_n(&loads, __ATOMIC_ACQUIRE); }

void loads_begin(unsigned before) {
    __atomic_store_n(&hopbine_tells_loads, loads_so_far() != before, __ATOMIC_RELEASE);
}

/* Sanitizers' own libraries call it too, before they can serve what is compiled for them. */
#define BEFORE_ALL __attribute__((no_sanitize("address", "thread", "undefined")))

/* The first code of every library (crti.o of the C library) calls this function where there is one:
 * the library is in the loader's list by then, and the program cannot use it yet. It was made for
 * profilers, which need no more to know. */
void __gmon_start__(void);
EXPORT BEFORE_ALL void __gmon_start__(void) {
    __atomic_add_fetch(&loads, 1, __ATOMIC_ACQ_REL);
    if (__atomic_load_n(&hopbine_tells_loads, __ATOMIC_ACQUIRE)) runtime.library_loaded();
}
