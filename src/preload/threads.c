#include "threads.h"

#include <stdlib.h>
#include <string.h>

#include "library.h"

static int level = -1;

int threads_wanted(void) {
    const char *progress = getenv("HOPBINE_PROGRESS");
    return progress && !strcmp(progress, "thread");
}

int threads_init(intptr_t argc, intptr_t argv, int required, int *provided) {
    const int multiple = strcmp(family_of_library(), "abi") ? 3 : 4096; /* MPI_THREAD_MULTIPLE */
    int given = 0, (*init)(intptr_t, intptr_t, int, int *);
    *(void **)&init = real("PMPI_Init_thread");
    if (!init) fatal("PMPI_Init_thread");
    const int answer = init(argc, argv, multiple, &given);
    if (answer) return answer;
    level = given < required ? given : required; /* levels are in ascending order */
    if (provided) *provided = level;
    return answer;
}

int threads_level(void) { return level; }
