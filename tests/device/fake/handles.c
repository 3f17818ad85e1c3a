/* Memory of other processes: the pages of a file that its owner keeps open. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake.h"

/* What a handle holds. */
struct origin {
    pid_t owner;
    int file;
    size_t bytes;
};

/* Whether the test wants this to go wrong. */
static int is_to_be(const char *wrong) {
    const char *const how = getenv("HOPBINE_TEST_OPEN");
    return how && !strcmp(how, wrong);
}

int fake_make_handle(struct handle *out, const void *p) {
    const struct memory m = fake_find(p);
    if (is_to_be("unmade") || !m.openings || m.foreign || m.device != p) return INVALID;
    const struct origin of = {getpid(), m.file, m.bytes};
    memset(out, 0, sizeof *out);
    memcpy(out->bytes, &of, sizeof of);
    return GOOD;
}

/* The owner's file, or one that is not. */
static int opened_file(const struct origin *of) {
    char path[64];
    if (is_to_be("refused")) return -1;
    if (is_to_be("other")) {
        const int other = memfd_create("other", MFD_CLOEXEC);
        return ftruncate(other, (off_t)(of->bytes + ROOM)) ? -1 : other;
    }
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)of->owner, of->file);
    return open(path, O_RDWR | O_CLOEXEC);
}

/* The marks of what is open here, so that nothing is twice. */
enum { MOST = 256 };
static struct {
    struct origin of;
    void *at;
} open_here[MOST];

static int slot_of(const struct origin *of) {
    int free_slot = -1;
    for (int i = 0; i < MOST; ++i) {
        if (!open_here[i].at)
            free_slot = i;
        else if (open_here[i].of.owner == of->owner && open_here[i].of.file == of->file)
            return -1;
    }
    return free_slot;
}

int fake_open_handle(void **out, const struct handle *given) {
    struct origin of;
    memcpy(&of, given->bytes, sizeof of);
    const int slot = slot_of(&of);
    if (of.owner == getpid() || slot < 0) return INVALID;
    const int file = opened_file(&of);
    struct memory m;
    if (file < 0 || !fake_map(&m, file, of.bytes)) return INVALID;
    m.foreign = 1;
    __atomic_add_fetch(m.openings, 1, __ATOMIC_ACQ_REL);
    open_here[slot].of = of;
    *out = open_here[slot].at = fake_keep(&m);
    return *out ? GOOD : NO_MEMORY;
}

int fake_close_handle(void *p) {
    const struct memory gone = fake_forget(p, 1);
    if (!gone.device) return INVALID;
    if (fake_busy(p, gone.bytes, 1)) fake_fault("memory is closed that work has not ended on");
    for (int i = 0; i < MOST; ++i)
        if (open_here[i].at == p) open_here[i].at = NULL;
    __atomic_sub_fetch(gone.openings, 1, __ATOMIC_ACQ_REL);
    fake_unmap(&gone);
    return GOOD;
}
