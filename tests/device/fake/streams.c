/* Streams: threads that take their time. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

enum { MOST = 256 };
struct stream {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    struct work *first, *last;
    long put, done;
    unsigned random;
    int valid;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stream *all[MOST], *plain;
static int number, copies;

static unsigned draw(struct stream *s) {
    s->random = s->random * 1664525u + 1013904223u;
    return s->random >> 16;
}

/* One work in 8 waits for some microseconds, one in 256 for a millisecond: thousands of copies take
 * a second. */
static void delay(struct stream *s) {
    const unsigned drawn = draw(s);
    if (drawn % 8 == 0) usleep(drawn % 256 ? drawn % 40 : 1000);
}

static void *serve(void *of) {
    struct stream *const s = of;
    for (;;) {
        pthread_mutex_lock(&s->lock);
        while (!s->first) pthread_cond_wait(&s->moved, &s->lock);
        struct work *const w = s->first;
        s->first = w->next;
        if (!s->first) s->last = NULL;
        pthread_mutex_unlock(&s->lock);
        delay(s);
        w->run(w);
        free(w);
        pthread_mutex_lock(&s->lock);
        ++s->done;
        pthread_cond_broadcast(&s->moved);
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

/* The lock is held. */
static struct stream *make(void) {
    const char *const seed = getenv("HOPBINE_TEST_SEED");
    pthread_t thread;
    struct stream *const s = calloc(1, sizeof *s);
    if (number == MOST) abort();
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->moved, NULL);
    s->random = (unsigned)(seed ? atoi(seed) : 1) * 7919u + (unsigned)number;
    s->valid = 1;
    all[number++] = s;
    if (pthread_create(&thread, NULL, serve, s)) abort();
    pthread_detach(thread);
    return s;
}

static struct stream *find(void *of) {
    pthread_mutex_lock(&lock);
    struct stream *out = NULL;
    if (!of) out = plain ? plain : (plain = make());
    for (int i = 0; of && i < number; ++i)
        if (all[i] == of && all[i]->valid) out = of;
    pthread_mutex_unlock(&lock);
    return out;
}

int fake_stream(void **out) {
    pthread_mutex_lock(&lock);
    *out = make();
    pthread_mutex_unlock(&lock);
    return GOOD;
}

int fake_enqueue(void *of, void (*run)(struct work *), const void *arguments, size_t bytes) {
    struct stream *const s = find(of);
    if (!s) return BAD_HANDLE;
    struct work *const w = calloc(1, sizeof *w);
    w->run = run;
    memcpy(w->arguments, arguments, bytes);
    pthread_mutex_lock(&s->lock);
    *(s->last ? &s->last->next : &s->first) = w;
    s->last = w;
    ++s->put;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    return GOOD;
}

int fake_wait(void *of) {
    struct stream *const s = find(of);
    if (!s) return BAD_HANDLE;
    pthread_mutex_lock(&s->lock);
    const long until = s->put;
    while (s->done < until) pthread_cond_wait(&s->moved, &s->lock);
    pthread_mutex_unlock(&s->lock);
    return GOOD;
}

void fake_reset(void) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < number; ++i) all[i]->valid = all[i] == plain;
    pthread_mutex_unlock(&lock);
}

struct copied {
    void *to;
    const void *from;
    size_t bytes;
};
static void copy_now(struct work *w) {
    const struct copied *const c = (struct copied *)w->arguments;
    memcpy(fake_twin(c->to), fake_twin(c->from), c->bytes);
}
int fake_copy(void *to, const void *from, size_t bytes, void *stream) {
    const struct copied c = {to, from, bytes};
    /* As the real libraries: no copy across the end of an allocation. */
    if (!fake_holds(to, bytes) || !fake_holds(from, bytes)) return INVALID;
    __atomic_add_fetch(&copies, 1, __ATOMIC_RELAXED);
    return fake_enqueue(stream, copy_now, &c, sizeof c);
}
int fake_copies(void) { return __atomic_load_n(&copies, __ATOMIC_RELAXED); }
