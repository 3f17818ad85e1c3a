/* An MPI library that takes device memory, hostile where a real one may be: linked into a program,
 * it is asked before the library itself for what hopbine's algorithms send and receive by.
 *
 * - Work of the device on memory that is sent or received must have ended: else the process does.
 * - It takes no memory that can have no handle: cudaMallocAsync's, or mapped by the program.
 * - Received memory holds other bytes until the message has come. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

static void *(*twin_of)(const void *);
static int (*busy)(const void *, size_t, int), (*has_handle)(const void *);
static void (*fault)(const char *);
static int taken;
static long sent;

/* For the tests: the number of buffers in device memory so far, and the bytes sent from them. */
int aware_taken(void);
int aware_taken(void) { return __atomic_load_n(&taken, __ATOMIC_RELAXED); }
long aware_sent(void);
long aware_sent(void) { return __atomic_load_n(&sent, __ATOMIC_RELAXED); }

static int has_device(void) {
    static const char *const names[] = {"libcuda.so.1", "libamdhip64.so.6"};
    for (int i = 0; !twin_of && i < 2; ++i) {
        void *const library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
        if (!library) continue;
        *(void **)&busy = dlsym(library, "fake_busy");
        *(void **)&has_handle = dlsym(library, "fake_has_handle");
        *(void **)&fault = dlsym(library, "fake_fault");
        *(void **)&twin_of = dlsym(library, "fake_twin");
    }
    return twin_of != NULL;
}

/* The address that the library itself can use. */
static void *at(const void *p, int n, MPI_Datatype type, int receives) {
    MPI_Aint before, reach; /* a datatype's first byte need not be where the buffer begins */
    int size;
    MPI_Type_get_true_extent(type, &before, &reach);
    MPI_Type_size(type, &size);
    const char *const first = (const char *)p + before;
    char *const twin = p && has_device() ? twin_of(first) : (void *)first;
    const size_t bytes = (size_t)n * (size_t)size;
    if (twin == first) return (void *)p;
    __atomic_add_fetch(&taken, 1, __ATOMIC_RELAXED);
    if (!has_handle(first)) fault("memory without a handle is sent or received");
    if (reach != size) fault("a datatype with gaps is sent or received");
    if (busy(p, bytes, receives)) fault("memory is sent or received that work has not ended on");
    if (!receives) __atomic_add_fetch(&sent, (long)bytes, __ATOMIC_RELAXED);
    if (receives) memset(twin, 0xa5, bytes);
    return twin;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define T MPI_Datatype
#define C MPI_Comm
#define R MPI_Request
int PMPI_Send(const void *b, int n, T t, int to, int tag, C c) {
    return REAL(PMPI_Send)(at(b, n, t, 0), n, t, to, tag, c);
}
int PMPI_Recv(void *b, int n, T t, int from, int tag, C c, MPI_Status *s) {
    return REAL(PMPI_Recv)(at(b, n, t, 1), n, t, from, tag, c, s);
}
int PMPI_Isend(const void *b, int n, T t, int to, int tag, C c, R *r) {
    return REAL(PMPI_Isend)(at(b, n, t, 0), n, t, to, tag, c, r);
}
int PMPI_Irecv(void *b, int n, T t, int from, int tag, C c, R *r) {
    return REAL(PMPI_Irecv)(at(b, n, t, 1), n, t, from, tag, c, r);
}
int PMPI_Sendrecv(const void *b, int n, T t, int to, int tag, void *d, int m, T u, int from,
                  int own, C c, MPI_Status *s) {
    return REAL(PMPI_Sendrecv)(at(b, n, t, 0), n, t, to, tag, at(d, m, u, 1), m, u, from, own, c,
                               s);
}
