/* A GPU library without a GPU, hostile where the real ones may be.
 *
 * - Device memory is pages that the program cannot touch; the device's threads have a second
 *   mapping.
 * - A stream is a thread that waits a random time before each of its works.
 *
 * Built as libcuda.so.1, libamdhip64.so.6 or libze_loader.so.1: it has the functions of CUDA's
 * driver and of HIP. HOPBINE_TEST_SEED: of the random times. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Error codes that CUDA's driver and HIP share. */
enum { GOOD = 0, INVALID = 1, NO_CONTEXT = 201, BAD_HANDLE = 400, PINNED = 712 };
enum { ROOM = 4096 };

/* Memory of the device or managed memory; NULL: none has `p`. */
struct memory {
    char *device, *host; /* the program's mapping, the device's */
    size_t bytes;
    int managed;
};
struct memory *fake_find(const void *p);
/* Whether [p, p + bytes) is in one allocation, or in none. */
int fake_holds(const void *p, size_t bytes);
int fake_pin(void *memory, size_t bytes);
int fake_unpin(void *memory);

/* For the tests: allocates memory, returns its readable mapping (other addresses
 * unchanged), and the numbers of queries and of copies so far, of pinned ranges, and of contexts or
 * devices that this thread has entered. fake_reset() makes all streams invalid. */
void *fake_alloc(size_t bytes, int managed);
void *fake_twin(const void *p);
int fake_questions(void);
int fake_copies(void);
int fake_pins(void);
int fake_depth(void);
void fake_reset(void);

/* Work of a stream; NULL: the default stream. */
struct work {
    void (*run)(struct work *);
    struct work *next;
    char arguments[ROOM];
};
int fake_stream(void **out);
int fake_enqueue(void *stream, void (*run)(struct work *), const void *arguments, size_t bytes);
int fake_wait(void *stream);
/* A copy by the device's threads. */
int fake_copy(void *to, const void *from, size_t bytes, void *stream);
void fake_asked(void);
