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

/* The entry may move when memory is freed: a copy, of which each thread has one. */
struct memory *fake_find(const void *p) {
    static __thread struct memory found;
    pthread_mutex_lock(&lock);
    struct memory *const m = look(p);
    if (m) found = *m;
    pthread_mutex_unlock(&lock);
    return m ? &found : NULL;
}

int fake_holds(const void *p, size_t bytes) {
    const struct memory *const m = fake_find(p);
    return !m || bytes <= m->bytes - (size_t)((const char *)p - m->device);
}

/* Keeps the two mappings of an allocation: NULL when there is no room. */
static void *keep(char *device, char *host, size_t bytes, int managed) {
    pthread_mutex_lock(&lock);
    const int room = number < MOST;
    if (room) all[number++] = (struct memory){device, host, bytes, managed};
    pthread_mutex_unlock(&lock);
    return room ? device : NULL;
}

void *fake_alloc(size_t bytes, int managed) {
    bytes = (bytes + ROOM - 1) / ROOM * ROOM;
    const int file = memfd_create("device", MFD_CLOEXEC);
    if (!bytes || file < 0 || ftruncate(file, (off_t)bytes)) return NULL;
    void *const host = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    void *const device = managed ? host : mmap(NULL, bytes, PROT_NONE, MAP_SHARED, file, 0);
    close(file);
    if (host == MAP_FAILED || device == MAP_FAILED) return NULL;
    return keep(device, host, bytes, managed);
}

int fake_free(void *p) {
    pthread_mutex_lock(&lock);
    struct memory *const m = look(p), gone = m ? *m : (struct memory){0};
    if (m) *m = all[--number];
    pthread_mutex_unlock(&lock);
    if (gone.device != p) return INVALID;
    if (fake_busy(p, gone.bytes, 1)) fake_fault("memory is freed that work has not ended on");
    munmap(gone.device, gone.bytes);
    if (gone.host != gone.device) munmap(gone.host, gone.bytes);
    return GOOD;
}

void fake_fault(const char *what) {
    fprintf(stderr, "fake device: %s\n", what);
    abort();
}

void *fake_twin(const void *p) {
    const struct memory *const m = fake_find(p);
    return m ? m->host + ((const char *)p - m->device) : (void *)p;
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
