/* HIP's compiler of kernels at run time, which makes nothing: its code is the name of the element
 * that it is asked for. A library of its own, libhiprtc.so.6, as ROCm's.
 *
 * It fails where a file that a source includes is not given to it, but for <stdint.h>, which the
 * real one has, and where HOPBINE_TEST_COMPILER is "broken". */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, INVALID = 3, FAILED = 6 };
struct program {
    const char *const *names;
    int files;
    char code[64], log[256];
};

static int has(const struct program *p, const char *name, size_t bytes) {
    for (int i = 0; i < p->files; ++i)
        if (strlen(p->names[i]) == bytes && !strncmp(p->names[i], name, bytes)) return 1;
    return 0;
}

/* Whether all files that a text includes are there. Notes the first that is not. Files for one
 * compiler alone, as cuda_fp16.h, are no matter. */
static int is_whole(struct program *p, const char *text) {
    for (const char *at = text; (at = strstr(at, "#include ")); ++at) {
        const char *const name = at + 10, *const end = name + strcspn(name, "\">");
        const size_t bytes = (size_t)(end - name);
        const int own = !strncmp(name, "stdint.h", bytes) || !strncmp(name, "cuda_", 5) ||
                        !strncmp(name, "sched.h", bytes);
        if (own || has(p, name, bytes)) continue;
        snprintf(p->log, sizeof p->log, "%.*s is missing", (int)bytes, name);
        return 0;
    }
    return 1;
}

int hiprtcCreateProgram(void **out, const char *source, const char *name, int files,
                        const char *const *texts, const char *const *names) {
    struct program *const p = calloc(1, sizeof *p);
    if (!source || !name || !p) return INVALID;
    p->names = names;
    p->files = files;
    int whole = is_whole(p, source);
    for (int i = 0; i < files && whole; ++i) whole = is_whole(p, texts[i]);
    *out = p;
    return GOOD;
}

int hiprtcCompileProgram(void *of, int options, const char *const *option) {
    struct program *const p = of;
    const char *const how = getenv("HOPBINE_TEST_COMPILER");
    for (int i = 0; i < options; ++i)
        if (!strncmp(option[i], "-DHOPBINE_ELEMENT=", 18))
            snprintf(p->code, sizeof p->code, "code of %s", option[i] + 18);
    if (how && !strcmp(how, "broken")) snprintf(p->log, sizeof p->log, "it is broken");
    return p->log[0] ? FAILED : p->code[0] ? GOOD : INVALID;
}

int hiprtcGetCodeSize(void *of, size_t *out) {
    return *out = strlen(((struct program *)of)->code) + 1, GOOD;
}
int hiprtcGetCode(void *of, char *out) { return strcpy(out, ((struct program *)of)->code), GOOD; }
int hiprtcGetProgramLogSize(void *of, size_t *out) {
    return *out = strlen(((struct program *)of)->log) + 1, GOOD;
}
int hiprtcGetProgramLog(void *of, char *out) {
    return strcpy(out, ((struct program *)of)->log), GOOD;
}
int hiprtcDestroyProgram(void **of) {
    free(*of);
    return *of = NULL, GOOD;
}
