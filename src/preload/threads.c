#include "threads.h"

#include <stdlib.h>
#include <string.h>

#include "library.h"

static int level = -1;
static int asked; /* MPI_THREAD_MULTIPLE, by threads_init() */

int threads_wanted(void) {
    const char *progress = getenv("HOPBINE_PROGRESS");
    return !asked && progress && !strcmp(progress, "thread");
}

int threads_init(threads_begin *init, intptr_t argc, intptr_t argv, int required, int *provided) {
    const int multiple = strcmp(family_of_library(), "abi") ? 3 : 4096; /* MPI_THREAD_MULTIPLE */
    int given = 0;
    asked = 1;
    level = required; /* a tool may begin the runtime within this call */
    const int answer = init(argc, argv, multiple, &given);
    if (answer) return answer;
    if (given < required) level = given; /* levels are in ascending order */
    if (provided) *provided = level;
    return answer;
}

threads_begin *threads_initialiser(void *next, const char *symbol) {
    const int tool = is_tool(next, symbol);
    void *const found = real(tool ? "MPI_Init_thread" : "PMPI_Init_thread");
    threads_begin *out = NULL;
    if (*family_of_library() && (!tool || is_tool(found, "MPI_Init_thread")))
        *(void **)&out = found;
    return out;
}

int threads_level(void) { return level; }
