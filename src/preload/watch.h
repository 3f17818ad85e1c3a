/* Writes into the rank's record what call each thread is in (src/watch/record.h): a dozen stores
 * in memory that no other process writes. */
#ifndef HOPBINE_WATCH_H
#define HOPBINE_WATCH_H
#include <stddef.h>

#include "../watch/calls.h"
#include "../watch/record.h"
#include "words.h"

/* Null: nothing is watched. */
extern struct watch_record *watch_record __attribute__((visibility("hidden")));
extern __thread struct watch_slot *watch_slot
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* From now on calls are recorded there. */
void watch_begin(struct watch_record *record);
/* Finds a slot for this thread; null: there is none. */
struct watch_slot *watch_claim(void);
/* A communicator that is not where the search begins; one without id: it is not known. */
struct watch_comm *watch_search(uint64_t handle);
/* The call of a slot's thread has failed, as the other ranks' may not: it does not count. */
void watch_failed(struct watch_slot *slot, int answer);
/* A communicator is freed: its handle may come to mean another one. */
void watch_forget(const void *handle);
/* A communicator has got a name. */
void watch_rename(uint64_t handle, const char *name);
/* The program has made an operation. */
void watch_operation_created(const void *handle, int commutes);
/* An operation is freed: its handle may come to mean another one. */
void watch_operation_freed(const void *handle);
/* MPI_COMM_WORLD as an argument; 0 where nothing is watched. */
intptr_t watch_world(void);

/* Stores that follow are seen after those before: the watcher that sees a word of a call sees that
 * the one before has ended. x86-64 does so by itself. ThreadSanitizer knows no fences, and no other
 * process. */
static inline void watch_order(void) {
#ifndef __SANITIZE_THREAD__
    __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}
/* This thread's slot, where a call begins that is to be recorded. Null: nothing is watched, or the
 * call is made inside of another. `frame`: the stub's. A call that was left by longjmp has a frame
 * that is none any more. */
static inline struct watch_slot *watch_enter(uint64_t frame) {
    struct watch_slot *slot = watch_slot;
    if (__builtin_expect(!slot, 0)) {
        if (!watch_record || !(slot = watch_claim())) return NULL;
    }
    if (slot->changes & 1) {
        if (frame < slot->frame) return NULL;
        __atomic_store_n(&slot->changes, slot->changes + 1, __ATOMIC_RELEASE);
    }
    watch_order();
    slot->frame = frame;
    return slot;
}
/* The call that begins. */
static inline struct watch_call *watch_next(struct watch_slot *slot) {
    return &slot->calls[slot->changes / 2 % 2];
}
/* Ends watch_enter(), when the arguments are kept: `changes` is released after them. `at`: which of
 * them is the communicator; -1: none is. */
static inline void watch_entered(struct watch_slot *slot, uint32_t function, void *site, int at) {
    struct watch_call *const call = watch_next(slot);
    call->function = function;
    call->site = (uintptr_t)site;
    if (at >= 0) {
        struct watch_record *const record = watch_record;
        const uint64_t handle = (uint64_t)call->words[at] & record->handle_bits;
        struct watch_comm *comm = &record->comms[watch_place(handle)];
        if (__builtin_expect(comm->handle != handle, 0)) comm = watch_search(handle);
        call->comm = comm->id;
        if (watch_is_collective(function)) call->sequence = ++comm->sequence;
    } else {
        call->comm = 0;
    }
    __atomic_store_n(&slot->changes, slot->changes + 1, __ATOMIC_RELEASE);
}
/* Also called when an exception of the program unwinds the stack. */
static inline void watch_leave(struct watch_slot *const *slot) {
    if (*slot) __atomic_store_n(&(*slot)->changes, (*slot)->changes + 1, __ATOMIC_RELEASE);
}
/* Counts a call of MPI_Test and its kind, which programs make in loops: it is no call to wait in,
 * so the last one stays in the record. */
static inline void watch_poll(uint32_t function, void *site) {
    struct watch_slot *const slot = watch_slot;
    if (!slot) return;
    slot->poller = function;
    slot->poll_site = (uintptr_t)site;
    __atomic_store_n(&slot->polls, slot->polls + 1, __ATOMIC_RELEASE);
}

/* Records the call until the stub is left, where calls are watched. `function` is a constant, of
 * watch_function, and `at` which argument is the communicator. */
#define WATCH(function, n, at)                                                       \
    struct watch_slot *const watched __attribute__((cleanup(watch_leave), unused)) = \
        (function) ? watch_enter((uintptr_t)__builtin_frame_address(0)) : NULL;      \
    if (watched) {                                                                   \
        int64_t *const kept = watch_next(watched)->words;                            \
        KEEP_##n watch_entered(watched, function, __builtin_return_address(0), at);  \
    }

/* Whether ranks compare their collectives before they make them; set before MPI_Init returns. */
extern int watch_compares __attribute__((visibility("hidden")));
/* Compares a call, recorded in `slot` or, where that is null, of these arguments. */
void watch_compare(const struct watch_slot *slot, const struct watch_call *plain, int at);
/* After WATCH. */
#define COMPARE(function, n, at)                                                \
    if (watch_is_collective(function) && __builtin_expect(watch_compares, 0)) { \
        INSIDE;                                                                 \
        struct watch_call plain = {(function), 0, 0, 0, {0}};                   \
        int64_t *const kept = plain.words;                                      \
        KEEP_##n watch_compare(watched, &plain, at);                            \
    }

/* The answer of a call, which is noted where it is an error. */
static inline int watched_answer(struct watch_slot *watched, int answer) {
    if (__builtin_expect(answer && watched, 0)) watch_failed(watched, answer);
    return answer;
}
#define WATCHED_ANSWER(answer) watched_answer(watched, answer)

#endif
