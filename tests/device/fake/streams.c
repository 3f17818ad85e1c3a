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
    struct works works, *captured; /* captured: has what is put meanwhile; NULL: it is done */
    long put, done;
    unsigned random;
    int valid, apart;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stream *all[MOST], *plain;
static int number, copies, kernels, node_kernels;
static long kernel_bytes, peer_bytes;

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
        while (!s->works.first) pthread_cond_wait(&s->moved, &s->lock);
        struct work *const w = s->works.first;
        pthread_mutex_unlock(&s->lock);
        delay(s);
        w->run(w);
        pthread_mutex_lock(&s->lock);
        s->works.first = w->next;
        if (!s->works.first) s->works.last = NULL;
        free(w);
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

int fake_stream(void **out, int apart) {
    pthread_mutex_lock(&lock);
    struct stream *const s = *out = make();
    s->apart = apart;
    pthread_mutex_unlock(&lock);
    return GOOD;
}

struct work *fake_add(struct works *to, const struct work *given) {
    struct work *const w = malloc(sizeof *w);
    *w = *given;
    w->next = NULL;
    *(to->last ? &to->last->next : &to->first) = w;
    return to->last = w;
}

int fake_enqueue(void *of, const struct work *given) {
    struct stream *const s = find(of);
    if (!s) return BAD_HANDLE;
    pthread_mutex_lock(&s->lock);
    fake_add(s->captured ? s->captured : &s->works, given);
    s->put += !s->captured;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    return GOOD;
}

int fake_capture(void *of, struct works *to) {
    struct stream *const s = find(of);
    const int can = s && s->apart && !s->captured;
    if (can) s->captured = to;
    return can;
}
struct works *fake_capture_ends(void *of) {
    struct stream *const s = find(of);
    struct works *const out = s ? s->captured : NULL;
    if (s) s->captured = NULL;
    return out;
}

int fake_query(void *of) {
    struct stream *const s = find(of);
    if (!s) return BAD_HANDLE;
    if (s->captured) return INVALID;
    pthread_mutex_lock(&s->lock);
    const int busy = s->done < s->put;
    pthread_mutex_unlock(&s->lock);
    return busy ? NOT_READY : GOOD;
}

/* Waits until so much of its work is done. */
static void wait_until(struct stream *s, long until) {
    pthread_mutex_lock(&s->lock);
    while (s->done < until) pthread_cond_wait(&s->moved, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

int fake_wait(void *of) {
    struct stream *const s = find(of);
    if (!s) return BAD_HANDLE;
    if (s->captured) return INVALID;
    pthread_mutex_lock(&s->lock);
    const long until = s->put;
    pthread_mutex_unlock(&s->lock);
    wait_until(s, until);
    return GOOD;
}

/* How much of a stream's work comes before it. */
struct event {
    struct stream *of;
    long until;
};
static int events;
int fake_events(void) { return __atomic_load_n(&events, __ATOMIC_RELAXED); }
int fake_event(void **out) {
    __atomic_add_fetch(&events, 1, __ATOMIC_RELAXED);
    return (*out = calloc(1, sizeof(struct event))) ? GOOD : NO_MEMORY;
}
int fake_record(void *event, void *stream) {
    struct event *const e = event;
    if (!(e->of = find(stream))) return BAD_HANDLE;
    pthread_mutex_lock(&e->of->lock);
    e->until = e->of->put;
    pthread_mutex_unlock(&e->of->lock);
    return GOOD;
}
int fake_wait_event(void *event) {
    const struct event *const e = event;
    if (!e->of) return GOOD; /* as the real ones: not recorded */
    if (!find(e->of)) return BAD_HANDLE;
    wait_until(e->of, e->until);
    return GOOD;
}
static void await_now(struct work *w) { wait_until(w->after, w->until); }
int fake_await_event(void *stream, void *event) {
    const struct event *const e = event;
    const struct work w = {.run = await_now, .after = e->of, .until = e->until};
    return e->of ? fake_enqueue(stream, &w) : GOOD;
}
int fake_free_event(void *event) {
    __atomic_sub_fetch(&events, 1, __ATOMIC_RELAXED);
    free(event);
    return GOOD;
}

void fake_reset(void) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < number; ++i) all[i]->valid = all[i] == plain;
    pthread_mutex_unlock(&lock);
}

static int meet(const void *p, size_t bytes, const void *q, size_t others) {
    return (const char *)p < (const char *)q + others && (const char *)q < (const char *)p + bytes;
}

static int reads_of(const struct work *w, const void *p, size_t bytes) {
    int out = 0;
    for (unsigned k = 0; k < w->from.count; ++k) out |= meet(p, bytes, w->from.at[k], w->read);
    return out;
}

int fake_busy(const void *p, size_t bytes, int reads) {
    int busy = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < number; ++i) {
        pthread_mutex_lock(&all[i]->lock);
        for (const struct work *w = all[i]->works.first; w; w = w->next)
            busy |= meet(p, bytes, w->to, w->bytes) || (reads && reads_of(w, p, bytes));
        pthread_mutex_unlock(&all[i]->lock);
    }
    pthread_mutex_unlock(&lock);
    return busy;
}

/* As the real libraries: no work across the end of an allocation. */
static int enqueue_checked(void *stream, const struct work *w) {
    if (!fake_holds(w->to, w->bytes)) return INVALID;
    for (unsigned k = 0; k < w->from.count; ++k)
        if (!fake_holds(w->from.at[k], w->read)) return INVALID;
    return fake_enqueue(stream, w);
}

/* Such work takes so long: HOPBINE_TEST_SLOW is "copies:MICROSECONDS", of those between host and
 * device, or "device:MICROSECONDS", of what it does in its own memory. */
static void be_slow(const char *kind) {
    const char *const slow = getenv("HOPBINE_TEST_SLOW");
    const size_t length = strlen(kind);
    if (slow && !strncmp(slow, kind, length) && slow[length] == ':')
        usleep((unsigned)atoi(slow + length + 1));
}
static void copy_now(struct work *w) {
    be_slow(w->taken || !fake_is_device(w->to) || !fake_is_device(w->from.at[0]) ? "copies"
                                                                                 : "device");
    memcpy(fake_twin(w->to), w->taken ? w->taken : fake_twin(w->from.at[0]), w->bytes);
    free(w->taken);
}
int fake_copy(void *to, const void *from, size_t bytes, void *stream) {
    struct work w = {
        .run = copy_now, .to = to, .from = {{from}, 1, 0}, .bytes = bytes, .read = bytes};
    const struct memory source = fake_find(from);
    const int from_host = !source.device, to_host = !fake_is_device(to);
    if (source.foreign && !to_host) __atomic_add_fetch(&peer_bytes, (long)bytes, __ATOMIC_RELAXED);
    if (to_host || from_host) __atomic_add_fetch(&copies, 1, __ATOMIC_RELAXED);
    if (!fake_holds(to, bytes) || !fake_holds(from, bytes)) return INVALID;
    static unsigned turn;
    const struct stream *const s = find(stream);
    const int is_kept = s && s->captured;
    if (from_host && !is_kept && __atomic_add_fetch(&turn, 1, __ATOMIC_RELAXED) % 2 &&
        (w.taken = malloc(bytes)))
        memcpy(w.taken, from, bytes);
    if (to_host && !is_kept) memset(to, 0xa5, bytes);
    const int error = enqueue_checked(stream, &w);
    if (error) free(w.taken);
    return error;
}
long fake_peer_bytes(void) { return __atomic_load_n(&peer_bytes, __ATOMIC_RELAXED); }
int fake_copies(void) { return __atomic_load_n(&copies, __ATOMIC_RELAXED); }

static void reduce_now(struct work *w) {
    be_slow("device");
    hopbine_operands from = w->from;
    for (unsigned k = 0; k < from.count; ++k) from.at[k] = fake_twin(from.at[k]);
    fake_run(w->kernel, &from, fake_twin(w->to), w->n, w->grid);
}
int fake_launch(const kernel *k, const hopbine_operands *of, void *out, unsigned long long n,
                const unsigned grid[2], void *stream) {
    const struct work w = {.run = reduce_now,
                           .to = out,
                           .from = *of,
                           .bytes = fake_width(k) * n,
                           .read = fake_width(k) * n,
                           .kernel = k,
                           .n = n,
                           .grid = {grid[0], grid[1]}};
    int read = fake_of_several(k) ? 0 : 1, is_operand = read; /* times that memory is read */
    for (unsigned i = 0; i < of->count; ++i, ++read) {
        if (!fake_is_device(of->at[i])) return INVALID;
        is_operand |= of->at[i] == out;
    }
    if (!fake_is_device(out) || !is_operand) return INVALID;
    __atomic_add_fetch(&kernels, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&kernel_bytes, (long)w.bytes * (read + 1), __ATOMIC_RELAXED);
    return enqueue_checked(stream, &w);
}

static void node_now(struct work *w) {
    for (unsigned k = 0; k < w->node.ranks; ++k) w->node.arena[k] = fake_twin(w->node.arena[k]);
    fake_run_node(w->kernel, &w->node, fake_twin(w->from.at[0]), fake_twin(w->to), w->grid);
}
/* The bytes of a buffer that the parts reach to, of those that are given, or received. */
static size_t reach(const hopbine_node *node, size_t width, int given) {
    size_t most = 0;
    for (unsigned q = 0; q < node->ranks; ++q) {
        const hopbine_part *const part = &node->part[q];
        const int is = given                         ? node->gives >> q & 1
                       : node->shares || node->apart ? node->receives
                                                     : node->receives && q == node->takes;
        const size_t end = (given ? part->in : part->out) + part->n * width;
        if (is && part->n && end > most) most = end;
    }
    return most;
}
/* Whether all that is given fits an input, and all arenas are there. */
static int has_room(const hopbine_node *node, size_t width) {
    if (node->ranks < 2 || node->ranks > HOPBINE_NODE_RANKS || node->rank >= node->ranks ||
        node->takes >= node->ranks)
        return 0;
    for (unsigned r = 0; r < node->ranks; ++r) {
        const hopbine_part *const part = &node->part[r];
        if (part->place % 16 || part->place + part->n * width > node->room ||
            (node->shares && part->n * width > node->room / 2) || !fake_is_device(node->arena[r]) ||
            !fake_holds(node->arena[r], HOPBINE_ARENA_BEGIN + 3 * node->room))
            return 0;
    }
    return 1;
}
int fake_launch_node(const kernel *k, const hopbine_node *node, const void *in, void *out,
                     const unsigned grid[2], void *stream) {
    const struct work w = {.run = node_now,
                           .to = out,
                           .from = {{in}, 1, 0},
                           .bytes = reach(node, fake_width(k), 0),
                           .read = reach(node, fake_width(k), 1),
                           .kernel = k,
                           .grid = {grid[0], grid[1]},
                           .node = *node};
    if (grid[0] != HOPBINE_NODE_BLOCKS || !has_room(node, fake_width(k)) ||
        (w.read && !fake_is_device(in)) || (w.bytes && !fake_is_device(out)))
        return INVALID;
    __atomic_add_fetch(&kernels, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&node_kernels, 1, __ATOMIC_RELAXED);
    return enqueue_checked(stream, &w);
}
int fake_node_kernels(void) { return __atomic_load_n(&node_kernels, __ATOMIC_RELAXED); }
int fake_kernels(void) { return __atomic_load_n(&kernels, __ATOMIC_RELAXED); }
long fake_kernel_bytes(void) { return __atomic_load_n(&kernel_bytes, __ATOMIC_RELAXED); }
