#define _GNU_SOURCE
#include "watch.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime.h"

struct watch_record *watch_record;
int watch_compares;
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

void watch_failed(struct watch_slot *slot, int answer) {
    if (runtime.has_happened(answer)) return;
    struct watch_call *const call = watch_next(slot);
    for (int i = 0; i < WATCH_COMMS && call->comm && call->sequence; ++i)
        if (watch_record->comms[i].id == call->comm) --watch_record->comms[i].sequence;
    call->sequence = 0;
    if (watch_compares) runtime.compared_failed();
}

/* The handle at an address, as an argument of MPI has it. */
static uint64_t handle_at(const void *address) {
    uint64_t word = 0;
    memcpy(&word, address, watch_record->handle_bits >> 32 ? 8 : 4);
    return word;
}

void watch_forget(const void *handle) {
    if (!watch_record) return;
    struct watch_comm *const comm = watch_search(handle_at(handle));
    if (comm->id) comm->handle = 1;
}

void watch_rename(uint64_t handle, const char *name) {
    if (!name) return;
    struct watch_comm *const comm = watch_search(handle & watch_record->handle_bits);
    if (comm->id) snprintf(comm->name, sizeof comm->name, "%s", name);
}

static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;

/* The place of a handle among the names; null: there is none. */
static struct watch_name *find_name(uint64_t handle) {
    for (uint32_t i = 0; i < watch_record->names_known; ++i)
        if (watch_record->names[i].handle == handle) return &watch_record->names[i];
    return NULL;
}

void watch_operation_created(const void *handle, int commutes) {
    pthread_mutex_lock(&names_lock);
    struct watch_name *place = find_name(0);
    if (!place && watch_record->names_known < WATCH_NAMES)
        place = &watch_record->names[watch_record->names_known];
    if (place) {
        *place = (struct watch_name){.bytes = commutes ? WATCH_COMMUTES : WATCH_IN_ORDER,
                                     .name = WATCH_OWN_OPERATION};
        __atomic_store_n(&place->handle, handle_at(handle), __ATOMIC_RELEASE);
        if (place == &watch_record->names[watch_record->names_known])
            __atomic_store_n(&watch_record->names_known, watch_record->names_known + 1,
                             __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&names_lock);
}

void watch_operation_freed(const void *handle) {
    if (!watch_record || !handle) return;
    pthread_mutex_lock(&names_lock);
    struct watch_name *const name = find_name(handle_at(handle));
    if (name && !strcmp(name->name, WATCH_OWN_OPERATION))
        __atomic_store_n(&name->handle, 0, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&names_lock);
}

void watch_compare(const struct watch_slot *slot, const struct watch_call *plain, int at) {
    runtime.compare(slot ? &slot->calls[slot->changes / 2 % 2] : plain, at);
}

intptr_t watch_world(void) { return watch_record ? (intptr_t)watch_record->world : 0; }
