/* What lets an exception of the program, or the end of one of its threads, pass through the stubs:
 * functions of libgcc_s, which is loaded by then. A program in C starts without it, as it does
 * without hopbine. The C library has the same two for its own code. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

static void *of_libgcc(const char *name) {
    void *const library = dlopen("libgcc_s.so.1", RTLD_NOW);
    void *const function = library ? dlsym(library, name) : NULL;
    if (!function) abort();
    return function;
}

/* Goes on with an exception behind a stub that has cleaned up. */
void _Unwind_Resume(void *exception);
void _Unwind_Resume(void *exception) {
    void (*resume)(void *);
    *(void **)&resume = of_libgcc("_Unwind_Resume");
    resume(exception);
    abort(); /* it does not return */
}

/* Finds what a stub has to clean up. */
int __gcc_personality_v0(int version, int actions, uint64_t language, void *exception,
                         void *context);
int __gcc_personality_v0(int version, int actions, uint64_t language, void *exception,
                         void *context) {
    int (*find)(int, int, uint64_t, void *, void *);
    *(void **)&find = of_libgcc("__gcc_personality_v0");
    return find(version, actions, language, exception, context);
}
