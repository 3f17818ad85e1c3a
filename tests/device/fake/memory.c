/* Memory: pages without access for the program, and a second mapping. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake.h"

enum { MOST = 4096 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory all[MOST];
static int number, pins;
static void *pinned[MOST];

static struct memory *look(const void *p) {
    for (int i = 0; i < number; ++i)
        if ((size_t)((uintptr_t)p - (uintptr_t)all[i].device) < all[i].bytes) return &all[i];
    return NULL;
}

/* A copy: the entry may move when memory is freed. */
struct memory fake_find(const void *p) {
    pthread_mutex_lock(&lock);
    struct memory *const m = look(p), found = m ? *m : (struct memory){0};
    pthread_mutex_unlock(&lock);
    return found;
}

int fake_is_device(const void *p) { return fake_find(p).device != NULL; }

int fake_holds(const void *p, size_t bytes) {
    const struct memory m = fake_find(p);
    return !m.device || bytes <= m.bytes - (size_t)((const char *)p - m.device);
}

void *fake_keep(const struct memory *m) {
    pthread_mutex_lock(&lock);
    const int room = number < MOST;
    if (room) all[number++] = *m;
    pthread_mutex_unlock(&lock);
    return room ? m->device : NULL;
}

int fake_map(struct memory *out, int file, size_t bytes) {
    char *const host = mmap(NULL, bytes + ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
                *const device = mmap(NULL, bytes, PROT_NONE, MAP_SHARED, file, 0);
    *out = (struct memory){device, host, bytes, 0, file, (int *)(host + bytes), 0};
    return host != MAP_FAILED && device != MAP_FAILED;
}

static void *alloc_managed(size_t bytes) {
    char *const at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const struct memory m = {at, at, bytes, 1, -1, NULL, 0};
    return at == MAP_FAILED ? NULL : fake_keep(&m);
}

long fake_device_bytes(void) {
    long out = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < number; ++i)
        if (!all[i].managed && !all[i].foreign) out += (long)all[i].bytes;
    pthread_mutex_unlock(&lock);
    return out;
}

int fake_has_handle(const void *p) { return fake_find(p).openings != NULL; }

void *fake_alloc(size_t bytes, int kind) {
    bytes = (bytes + ROOM - 1) / ROOM * ROOM;
    if (kind == OF_BOTH) return bytes ? alloc_managed(bytes) : NULL;
    const int file = memfd_create("device", MFD_CLOEXEC);
    struct memory m;
    if (!bytes || file < 0 || ftruncate(file, (off_t)(bytes + ROOM)) || !fake_map(&m, file, bytes))
        return NULL;
    if (kind == OF_POOL) m.openings = NULL;
    return fake_keep(&m);
}

struct memory fake_forget(const void *p, int foreign) {
    pthread_mutex_lock(&lock);
    struct memory *const m = look(p);
    const int is = m && m->device == p && m->foreign == foreign;
    const struct memory gone = is ? *m : (struct memory){0};
    if (is) *m = all[--number];
    pthread_mutex_unlock(&lock);
    return gone;
}

void fake_unmap(const struct memory *m) {
    munmap(m->device, m->bytes);
    if (m->host != m->device) munmap(m->host, m->bytes + ROOM);
    if (m->file >= 0) close(m->file);
}

int fake_free(void *p) {
    const struct memory gone = fake_forget(p, 0);
    if (!gone.device) return INVALID;
    if (fake_busy(p, gone.bytes, 1)) fake_fault("memory is freed that work has not ended on");
    if (gone.openings && __atomic_load_n(gone.openings, __ATOMIC_ACQUIRE))
        fake_fault("memory is freed that another process has open");
    fake_unmap(&gone);
    return GOOD;
}

void fake_fault(const char *what) {
    fprintf(stderr, "fake device: %s\n", what);
    abort();
}

void *fake_twin(const void *p) {
    const struct memory m = fake_find(p);
    return m.device ? m.host + ((const char *)p - m.device) : (void *)p;
}

void fake_write(void *to, const void *from, size_t bytes) { memcpy(fake_twin(to), from, bytes); }
void fake_read(void *to, const void *from, size_t bytes) { memcpy(to, fake_twin(from), bytes); }

int fake_pin(void *memory, size_t bytes) {
    (void)bytes;
    pthread_mutex_lock(&lock);
    int again = 0;
    for (int i = 0; i < pins; ++i) again |= pinned[i] == memory;
    if (!again && pins < MOST) pinned[pins++] = memory;
    pthread_mutex_unlock(&lock);
    return again ? PINNED : GOOD;
}

int fake_unpin(void *memory) {
    int found = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < pins && !found; ++i)
        if (pinned[i] == memory) pinned[i] = pinned[--pins], found = 1;
    pthread_mutex_unlock(&lock);
    return found ? GOOD : INVALID;
}
int fake_pins(void) { return pins; }
