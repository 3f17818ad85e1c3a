/* Memory: pages without access for the program, and a second mapping. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake.h"

enum { MOST = 4096 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory all[MOST];
static int number, pins;
static void *pinned[MOST];

struct named {
    int process, file;
    size_t bytes;
};

static struct memory *look(const void *p) {
    for (int i = 0; i < number; ++i)
        if ((size_t)((uintptr_t)p - (uintptr_t)all[i].device) < all[i].bytes) return &all[i];
    return NULL;
}

struct memory *fake_find(const void *p) {
    pthread_mutex_lock(&lock);
    struct memory *const m = look(p);
    pthread_mutex_unlock(&lock);
    return m;
}

int fake_holds(const void *p, size_t bytes) {
    const struct memory *const m = fake_find(p);
    return !m || bytes <= m->bytes - (size_t)((const char *)p - m->device);
}

/* Maps a file twice, and keeps it. */
static void *keep(int file, size_t bytes, int managed, int imported) {
    void *host = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    void *device = managed ? host : mmap(NULL, bytes, PROT_NONE, MAP_SHARED, file, 0);
    if (host == MAP_FAILED || device == MAP_FAILED) return NULL;
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < number && all[i].bytes) ++i;
    if (i < MOST) {
        all[i] = (struct memory){device, host, bytes, managed, file, imported};
        number += i == number;
    }
    pthread_mutex_unlock(&lock);
    return i < MOST ? device : NULL;
}

void *fake_alloc(size_t bytes, int managed) {
    bytes = (bytes + ROOM - 1) / ROOM * ROOM;
    int file = memfd_create("device", MFD_CLOEXEC);
    if (!bytes || file < 0 || ftruncate(file, (off_t)bytes)) return NULL;
    return keep(file, bytes, managed, 0);
}

static int drop(void *device, int imported) {
    pthread_mutex_lock(&lock);
    struct memory *const m = look(device);
    const int known = m && m->device == device && m->imported == imported;
    if (known) {
        munmap(m->device, m->bytes);
        if (m->host != m->device) munmap(m->host, m->bytes);
        close(m->file);
        memset(m, 0, sizeof *m);
    }
    pthread_mutex_unlock(&lock);
    return known ? GOOD : INVALID;
}
int fake_free(void *device) { return drop(device, 0); }
int fake_close(void *imported) { return drop(imported, 1); }

void *fake_twin(const void *p) {
    const struct memory *const m = fake_find(p);
    return m ? m->host + ((const char *)p - m->device) : (void *)p;
}

int fake_export(struct handle *out, const void *base) {
    const struct memory *const m = fake_find(base);
    if (!m || m->device != base || m->imported) return INVALID;
    const struct named name = {getpid(), m->file, m->bytes};
    memset(out, 0, sizeof *out);
    memcpy(out, &name, sizeof name);
    return GOOD;
}

int fake_import(void **out, const struct handle *of_other) {
    struct named name;
    char path[64];
    memcpy(&name, of_other, sizeof name);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", name.process, name.file);
    /* As the real libraries: not in the process that made it. */
    const int file = name.process == getpid() ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return INVALID;
    *out = keep(file, name.bytes, 0, 1);
    return *out ? GOOD : INVALID;
}

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
