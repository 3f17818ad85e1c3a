/* A GPU library without a GPU, hostile where the real ones may be.
 *
 * - Device memory is pages that the program cannot touch; the device's threads have a second
 *   mapping.
 * - A stream is a thread that waits a random time before each of its works. Blocks of kernels that
 *   wait for flags are threads too.
 *
 * Built as libcuda.so.1, libamdhip64.so.6 or libze_loader.so.1: it has the functions of CUDA's
 * driver and of HIP. HOPBINE_TEST_SEED: of the random times. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "../../../src/device/kernels/node.h"
#include "../../../src/device/kernels/operands.h"

/* Error codes that CUDA's driver and HIP share. */
enum {
    GOOD = 0,
    INVALID = 1,
    NO_MEMORY = 2,
    NO_CONTEXT = 201,
    BAD_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    PINNED = 712
};
enum { ROOM = 4096 };

/* Memory of the device or managed memory; without pages: none has `p`. */
struct memory {
    char *device, *host; /* the program's mapping, the device's */
    size_t bytes;
    int managed, file; /* file: whose pages it is, or -1 */
    int *openings;     /* of it in other processes, behind its data; NULL: it can have no handle */
    int foreign;       /* another process has allocated it */
};
struct memory fake_find(const void *p);
int fake_is_device(const void *p);
/* Adds memory, or returns NULL. */
void *fake_keep(const struct memory *m);
/* Removes memory that begins at `p`, and returns what it was; without pages where there is none. */
struct memory fake_forget(const void *p, int foreign);
void fake_unmap(const struct memory *m);
/* Maps a file of `bytes` and what is behind them, without access for the program. */
int fake_map(struct memory *out, int file, size_t bytes);
/* Gives memory back. Work on it must have ended. */
int fake_free(void *p);
/* Whether [p, p + bytes) is in one allocation, or in none. */
int fake_holds(const void *p, size_t bytes);
/* What the driver's functions for memory of other processes do.
 * HOPBINE_TEST_OPEN: "unmade": there are no handles; "refused": nothing can be opened; "other":
 * what is opened is other memory. */
struct handle {
    char bytes[64];
};
int fake_make_handle(struct handle *out, const void *p);
int fake_open_handle(void **out, const struct handle *of);
int fake_close_handle(void *p);
/* Ends the process with a line: hopbine has done what a device would punish at random. */
void fake_fault(const char *what);
int fake_pin(void *memory, size_t bytes);
int fake_unpin(void *memory);

/* Kinds of memory: of the device; managed; from a pool, or mapped by the program: it can have no
 * handle, and CUDA tells no context of it. */
enum { OF_DEVICE, OF_BOTH, OF_POOL };
int fake_has_handle(const void *p);
/* Copies at once from or to host memory. */
void fake_write(void *to, const void *from, size_t bytes);
void fake_read(void *to, const void *from, size_t bytes);
/* For the tests: allocates memory, returns its readable mapping (other addresses unchanged), and
 * the numbers so far of queries, of copies between host and device, of bytes that were copied
 * within the device from memory of other processes, of kernels and of bytes that these read or
 * write, the number of pinned ranges, of events, and of contexts or devices that this thread has
 * entered. fake_reset() makes all streams invalid. */
void *fake_alloc(size_t bytes, int kind);
void *fake_twin(const void *p);
int fake_questions(void);
int fake_copies(void);
long fake_peer_bytes(void);
int fake_kernels(void);
long fake_device_bytes(void); /* allocated here */
int fake_node_kernels(void);  /* kernels of a node's ranks, begun */
int fake_replays(void);       /* graphs, begun */
long fake_kernel_bytes(void);
int fake_pins(void);
int fake_events(void);
int fake_depth(void);
void fake_reset(void);

typedef struct kernel kernel;
/* The kernel of a name; NULL: there is none. */
const kernel *fake_kernel(const char *name);
/* Bytes of its elements. */
size_t fake_width(const kernel *k);
/* Whether it adds operands. Others add the first of them to what gets the result. */
int fake_of_several(const kernel *k);
/* Whether it is one of a node's ranks: its blocks wait for those of other ranks. */
int fake_of_node(const kernel *k);
/* Runs a kernel of a node's ranks: each block by a thread of its own, which begins when it likes.
 */
void fake_run_node(const kernel *k, const hopbine_node *node, const void *in, void *out,
                   const unsigned grid[2]);
/* Runs one block of it, of so many threads. */
void fake_run_block(const kernel *k, const hopbine_node *node, const void *in, void *out,
                    unsigned x, unsigned threads);
/* A program's own kernel, which keeps the device for some time, by the calling thread. */
void fake_keep_busy(unsigned microseconds);
int fake_launch_node(const kernel *k, const hopbine_node *node, const void *in, void *out,
                     const unsigned grid[2], void *stream);
/* Runs a kernel by this many blocks of threads, one after the other. */
void fake_run(const kernel *k, const hopbine_operands *of, void *out, unsigned long long n,
              const unsigned grid[2]);
int fake_launch(const kernel *k, const hopbine_operands *of, void *out, unsigned long long n,
                const unsigned grid[2], void *stream);

/* Work of a stream: it reads `read` bytes at each of `from`, and writes `bytes` at `to`. */
struct work {
    void (*run)(struct work *);
    struct work *next;
    void *to;
    hopbine_operands from;
    size_t bytes, read;
    const kernel *kernel; /* of `n` elements */
    unsigned long long n;
    unsigned grid[2];
    hopbine_node node; /* of a kernel of a node's ranks */
    void *taken;       /* copy of what was at `from`; NULL: none */
    void *after;       /* waits for so much of another stream's work */
    long until;
};
struct works {
    struct work *first, *last;
};
/* Adds a copy of the work. */
struct work *fake_add(struct works *to, const struct work *w);
/* `apart`: neither it nor the default stream waits for the other. */
int fake_stream(void **out, int apart);
/* Copies the work. A NULL stream is the default one. */
int fake_enqueue(void *stream, const struct work *w);
int fake_wait(void *stream);
int fake_query(void *stream);
/* Keeps the stream's work from now on instead of doing it; 0: it cannot be. */
int fake_capture(void *stream, struct works *to);
/* What was kept; NULL: nothing was. */
struct works *fake_capture_ends(void *stream);
int fake_begin_capture(void *stream, int mode);
int fake_end_capture(void *stream, void **out);
int fake_make_graph(void **out, const void *captured);
int fake_launch_graph(const void *graph, void *stream);
int fake_free_works(void *of);
/* Whether work that has not ended writes to [p, p + bytes), or reads it where `reads`. */
int fake_busy(const void *p, size_t bytes, int reads);
int fake_event(void **out);
int fake_record(void *event, void *stream);
int fake_wait_event(void *event);
int fake_await_event(void *stream, void *event);
int fake_free_event(void *event);
/* A copy by the device's threads. Host memory that it writes holds other bytes until it ends; what
 * it reads of host memory is what was there when it was begun, or ends. */
int fake_copy(void *to, const void *from, size_t bytes, void *stream);
void fake_asked(void);
