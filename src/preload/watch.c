#define _GNU_SOURCE
#include "watch.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct watch_record *watch_record;
__thread struct watch_slot *watch_slot;
static __thread int refused; /* there was no slot for this thread */

/* A forked child is no rank. */
static void forget(void) {
    watch_record = NULL;
    watch_slot = NULL;
}

void watch_begin(struct watch_record *record) {
    if (record && !pthread_atfork(NULL, NULL, forget)) watch_record = record;
}

struct watch_slot *watch_claim(void) {
    const int thread = (int)syscall(SYS_gettid), process = (int)getpid();
    if (refused) return NULL;
    for (int i = 0; i < WATCH_SLOTS; ++i) {
        struct watch_slot *const slot = &watch_record->slots[i];
        int32_t before = __atomic_load_n(&slot->thread, __ATOMIC_RELAXED);
        /* A slot of a thread which has ended is free again. The exchange is acquired, as another
         * thread may have had the slot, and released, so that the watcher sees the record begun. */
        if (before && !syscall(SYS_tgkill, process, before, 0)) continue;
        if (__atomic_compare_exchange_n(&slot->thread, &before, thread, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED)) {
            slot->frame = 0; /* of a call in which a thread has ended */
            return watch_slot = slot;
        }
    }
    refused = 1;
    watch_record->lost = 1;
    return NULL;
}

struct watch_comm *watch_search(uint64_t handle) {
    static struct watch_comm unknown;
    const uint32_t first = watch_place(handle);
    for (uint32_t step = 0; step < WATCH_STEPS; ++step) {
        struct watch_comm *const one = &watch_record->comms[(first + step) % WATCH_COMMS];
        if (one->handle == handle) return one;
        if (!one->handle) break;
    }
    return &unknown;
}

void watch_failed(struct watch_slot *slot) {
    struct watch_call *const call = watch_next(slot);
    for (int i = 0; i < WATCH_COMMS && call->comm && call->sequence; ++i)
        if (watch_record->comms[i].id == call->comm) --watch_record->comms[i].sequence;
    call->sequence = 0;
}

void watch_forget(const void *handle) {
    uint64_t word = 0;
    if (!watch_record) return;
    memcpy(&word, handle, watch_record->handle_bits >> 32 ? 8 : 4);
    struct watch_comm *const comm = watch_search(word);
    if (comm->id) comm->handle = 1;
}

void watch_rename(uint64_t handle, const char *name) {
    if (!watch_record || !name) return;
    struct watch_comm *const comm = watch_search(handle & watch_record->handle_bits);
    if (comm->id) snprintf(comm->name, sizeof comm->name, "%s", name);
}

intptr_t watch_world(void) { return watch_record ? (intptr_t)watch_record->world : 0; }
