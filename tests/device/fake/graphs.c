/* Graphs: work of a stream that is kept while the stream is captured, and begun again and again. */
#include <stdlib.h>

#include "fake.h"

static int replays;
int fake_replays(void) { return __atomic_load_n(&replays, __ATOMIC_RELAXED); }

/* The stream is one that the default one does not wait for: others would hinder the program. */
int fake_begin_capture(void *stream, int mode) {
    enum { RELAXED = 2 };
    struct works *const captured = calloc(1, sizeof *captured);
    if (mode == RELAXED && captured && fake_capture(stream, captured)) return GOOD;
    free(captured);
    return INVALID;
}
int fake_end_capture(void *stream, void **out) {
    return (*out = fake_capture_ends(stream)) ? GOOD : INVALID;
}

int fake_make_graph(void **out, const void *captured) {
    struct works *const made = calloc(1, sizeof *made);
    for (const struct work *w = ((const struct works *)captured)->first; w; w = w->next)
        fake_add(made, w);
    *out = made;
    return made->first ? GOOD : INVALID;
}
int fake_launch_graph(const void *graph, void *stream) {
    int error = GOOD;
    for (const struct work *w = ((const struct works *)graph)->first; w && !error; w = w->next)
        error = fake_enqueue(stream, w);
    __atomic_add_fetch(&replays, 1, __ATOMIC_RELAXED);
    return error;
}
int fake_free_works(void *of) {
    for (struct work *w = ((struct works *)of)->first, *next; w; w = next) next = w->next, free(w);
    free(of);
    return GOOD;
}
