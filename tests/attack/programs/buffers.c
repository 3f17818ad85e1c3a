/* Buffers of a case: their contents before the call, and the contents required after it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"

enum { GUARD = 256, MOST_NUMBERS = 8 };

/* Address of number j of block b. */
static char *address_of(const Blocks *s, char *base, int b, long j) {
    const long per = (long)s->layout->m * s->layout->unit->length, element = s->at[b] + j / per;
    return base + element * s->layout->extent + s->layout->offset[j % per];
}

static void reach(const Blocks *s, long *low, long *high) {
    for (int b = 0; b < s->blocks; ++b) {
        const long n = s->units[b] / s->layout->m;
        if (!n) continue;
        const long from = s->at[b] * s->layout->extent + s->layout->low,
                   to = (s->at[b] + n - 1) * s->layout->extent + s->layout->high;
        if (from < *low) *low = from;
        if (to > *high) *high = to;
    }
}

static void allocate(Memory *m, const Blocks *a, const Blocks *b) {
    long low = 0, high = 16;
    if (a) reach(a, &low, &high);
    if (b) reach(b, &low, &high);
    low = (-low + 15) / 16 * 16;
    m->bytes = (size_t)(2 * GUARD + low + high + 15) / 16 * 16;
    m->all = malloc(m->bytes);
    m->base = m->all + GUARD + low;
}

/* Fills a buffer and its guard bytes with noise. */
static void disturb(Memory *m, uint64_t key) {
    Draw d = {key};
    for (size_t i = 0; i < m->bytes; i += 8) {
        const uint64_t bits = draw_bits(&d);
        memcpy(m->all + i, &bits, 8);
    }
}

void free_memory(Memory *m) {
    free(m->all);
    m->all = NULL;
}

/* The input of rank `from` of a group: number j of its block b. */
static Value value_of(const Case *c, int group, int from, int b, long j, uint64_t *bits) {
    *bits = key_of(key_of(c->data, (uint64_t)(from + 64 * group + 128 * b)), (uint64_t)j);
    char bytes[64];
    if (!c->traits->reduces || c->users) return (Value){0};
    store(c->unit.kinds[0], bytes, draw_value(c->unit.kinds[0], c->operation, c->exact, *bits));
    return load(c->unit.kinds[0], bytes);
}

/* Copies the significant bytes of a number; a pair and a long double have others. */
static void copy_number(const Kind *k, char *to, const char *from) {
    const size_t bytes = (size_t)significant(k);
    if (!k->index_bytes && bytes == (size_t)k->part)
        memcpy(to, from, (size_t)k->bytes);
    else
        memcpy(to, from, bytes);
    if (k->class == COMPLEX) memcpy(to + k->part, from + k->part, bytes);
    if (k->index_bytes) memcpy(to + k->index_at, from + k->index_at, (size_t)k->index_bytes);
}

/* Copies the padding of a long double, which some MPI libraries copy and others do not. */
static void copy_padding(const Kind *k, char *to, const char *from) {
    for (int at = significant(k); at < k->part; ++at) {
        to[at] = from[at];
        if (k->class == COMPLEX) to[k->part + at] = from[k->part + at];
    }
}

static void put_moved(const Case *c, int group, int from, int b, long j, char *to) {
    const Kind *k = kind_of(&c->unit, j);
    uint64_t words[8], bits;
    value_of(c, group, from, b, j, &bits);
    for (int i = 0; i < 8; ++i) words[i] = mix(bits + (uint64_t)i);
    make_valid(k, (char *)words);
    copy_number(k, to, (const char *)words);
}

static void fill_blocks(const Case *c, const Blocks *s, char *base) {
    for (int b = 0; b < s->blocks; ++b)
        for (long j = 0; j < s->units[b] * c->unit.length; ++j) {
            char *to = address_of(s, base, b, j), made[64];
            uint64_t bits;
            if (!c->traits->reduces || c->users)
                put_moved(c, c->on->group, c->on->rank, b, j, to);
            else
                store(c->unit.kinds[0], made, value_of(c, c->on->group, c->on->rank, b, j, &bits)),
                    copy_number(c->unit.kinds[0], to, made);
        }
}

void refill_buffers(Case *c, Memory *send, Memory *recv) {
    disturb(send, c->local);
    disturb(recv, key_of(c->local, 1));
    if (c->supplies) fill_blocks(c, &c->in, c->in_recv ? recv->base : send->base);
}

void fill_buffers(Case *c, Memory *send, Memory *recv) {
    allocate(send, c->in_recv ? NULL : &c->in, NULL);
    allocate(recv, &c->out, c->in_recv ? &c->in : NULL);
    refill_buffers(c, send, recv);
}

static const char *wrong_number(int b, long j) {
    static __thread char text[120];
    snprintf(text, sizeof text, "number %ld of block %d is wrong", j, b);
    return text;
}

/* Checks unit u of a reduction, and copies to `want` what may differ. */
static const char *check_reduced(const Case *c, long u, char *got, char *want) {
    const int group = c->on->inter ? !c->on->group : c->on->group,
              block = c->traits->send_many ? c->on->rank : 0, length = c->unit.length;
    const Kind *k = c->unit.kinds[0];
    const int ranks =
        c->traits->prefix == ALL ? c->on->others : c->on->rank + (c->traits->prefix == THROUGH);
    Value all = {0};
    if (!ranks) return NULL; /* nothing is to be written */
    uint32_t left[MOST_NUMBERS], right[MOST_NUMBERS];
    uint64_t bits;
    for (int s = 0; s < ranks; ++s) {
        const Value one = value_of(c, group, s, block, u, &bits);
        for (int i = 0; c->users && i < length; ++i)
            put_moved(c, group, s, block, u * length + i, (char *)&right[i]);
        if (s && c->users) apply_user(c->users - 1, left, right, length);
        if (c->users)
            memcpy(left, right, sizeof left);
        else
            all = s ? fold(k, c->operation, all, one) : one;
    }
    for (int i = 0; i < length; ++i) {
        char *at = address_of(&c->out, got, 0, u * length + i),
             *to = address_of(&c->out, want, 0, u * length + i);
        if (c->users ? memcmp(at, &left[i], 4) != 0
                     : !same_value(k, c->operation, c->exact, all, load(k, at)))
            return wrong_number(0, u * length + i);
        memcpy(to, at, (size_t)k->bytes); /* rounding, and the gap of a pair */
    }
    return NULL;
}

static const char *check_moved(const Case *c, int b, char *got, char *want) {
    const Traits *t = c->traits;
    const int group = c->on->inter ? !c->on->group : c->on->group;
    const int from = t->root == SENDS ? c->root : b, block = t->send_many ? c->on->rank : 0;
    for (long j = 0; j < c->out.units[b] * c->unit.length; ++j) {
        char *to = address_of(&c->out, want, b, j), *at = address_of(&c->out, got, b, j);
        const Kind *k = kind_of(&c->unit, j);
        put_moved(c, group, from, block, j, to);
        copy_padding(k, to, at);
        if (memcmp(to, at, (size_t)k->part)) return wrong_number(b, j);
    }
    return NULL;
}

const char *check_buffers(const Case *c, const Memory *send, const Memory *recv) {
    Memory sent, want;
    const char *wrong = NULL;
    fill_buffers((Case *)c, &sent, &want);
    for (int b = 0; b < c->out.blocks && !wrong; ++b) {
        if (!c->traits->reduces) wrong = check_moved(c, b, recv->base, want.base);
        for (long u = 0; c->traits->reduces && u < c->out.units[b] && !wrong; ++u)
            wrong = check_reduced(c, u, recv->base, want.base);
    }
    for (int b = 0; c->in_recv && b < c->in.blocks;
         ++b) /* some MPI libraries send a root its own data */
        for (long j = 0; j < c->in.units[b] * c->unit.length; ++j)
            copy_padding(kind_of(&c->unit, j), address_of(&c->in, want.base, b, j),
                         address_of(&c->in, recv->base, b, j));
    if (!wrong && memcmp(send->all, sent.all, send->bytes))
        wrong = "the send buffer or what is around it was written to";
    if (!wrong && memcmp(recv->all, want.all, recv->bytes))
        wrong = "bytes in gaps or around the receive buffer were written to";
    free_memory(&sent);
    free_memory(&want);
    return wrong;
}

uint64_t hash_result(const Case *c, const Memory *recv) {
    uint64_t hash = 1;
    for (int b = 0; b < c->out.blocks; ++b)
        for (long j = 0; j < c->out.units[b] * c->unit.length; ++j) {
            uint64_t number[4] = {0};
            const Kind *k = kind_of(&c->unit, j);
            const char *at = address_of(&c->out, recv->base, b, j);
            memcpy(number, at, (size_t)significant(k));
            if (k->class == COMPLEX) memcpy(number + 2, at + k->part, (size_t)significant(k));
            for (int i = 0; i < 4; ++i) hash = key_of(hash, number[i]);
        }
    return hash;
}
