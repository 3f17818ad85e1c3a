/* The functions of CUDA's driver and of HIP. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

static int context, questions;
static __thread int depth, current;

int fake_questions(void) { return __atomic_load_n(&questions, __ATOMIC_RELAXED); }
void fake_asked(void) { __atomic_add_fetch(&questions, 1, __ATOMIC_RELAXED); }
int fake_depth(void) { return depth + current; }

/* After some allocations every third one finds no memory left. */
static int allocate(void **out, size_t bytes) {
    enum { SAFE = 16 };
    static int made;
    const int now = __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    if (now > SAFE && now % 3 == 0) return NO_MEMORY;
    return (*out = fake_alloc(bytes, OF_DEVICE)) ? GOOD : INVALID;
}

/* Managed memory is either's. */
static int is_wrong(const void *p, int device) {
    return !fake_find(p).managed && fake_is_device(p) != device;
}

/* Copies from or to host memory name their direction. */
static int copy(void *to, const void *from, size_t bytes, void *stream, int to_device,
                int from_device) {
    if (is_wrong(to, to_device) || is_wrong(from, from_device)) return INVALID;
    return fake_copy(to, from, bytes, stream);
}

/* A module has all kernels, or those of the element that hiprtc.c has compiled. */
static const char made[] = "code of ";
static int load(void **out, const void *image) {
    const int is_made = image && !strncmp(image, made, sizeof made - 1);
    *out = is_made ? strdup(image) : (void *)&context;
    return image && *out ? GOOD : INVALID;
}
static int find(void **out, void *module, const char *name) {
    const char *const element = module == &context ? "" : (char *)module + sizeof made - 1,
                      *const found = strstr(name, element);
    const int ends = found && (!found[strlen(element)] || found[strlen(element)] == '_');
    if (*element && strcmp(name, "copies_node") && !(ends && found[-1] == '_')) return NOT_FOUND;
    return (*out = (void *)fake_kernel(name)) ? GOOD : NOT_FOUND;
}
static int launch(void *k, const unsigned grid[2], void *stream, void **parameters) {
    if (fake_of_node(k))
        return fake_launch_node(k, parameters[0], *(void **)parameters[1], *(void **)parameters[2],
                                grid, stream);
    const hopbine_operands one = {{*(void **)parameters[0]}, 1, 0}, *const all = fake_of_several(k)
                                                                                     ? parameters[0]
                                                                                     : &one;
    if (all->count < 1 || all->count > sizeof all->at / sizeof *all->at) return INVALID;
    return fake_launch(k, all, *(void **)parameters[1], *(unsigned long long *)parameters[2], grid,
                       stream);
}

/* Defines a function under both names. CUDA's needs a context. */
#define BOTH(cuda, hip, parameters, work)                           \
    int cuda parameters { return depth < 1 ? NO_CONTEXT : (work); } \
    int hip parameters { return (work); }
#define P void *
BOTH(cuMemAlloc_v2, hipMalloc, (void **out, size_t n), allocate(out, n))
BOTH(cuMemAllocManaged, hipMallocManaged, (void **out, size_t n, unsigned flags),
     flags == 1 && (*out = fake_alloc(n, OF_BOTH)) ? GOOD : INVALID)
BOTH(cuMemHostAlloc, hipHostMalloc, (void **out, size_t n, unsigned flags),
     flags == 3 && (*out = calloc(1, n)) ? GOOD : INVALID)
BOTH(cuMemFree_v2, hipFree, (P p), fake_free(p))
#ifndef WITHOUT_HANDLES
BOTH(cuIpcGetMemHandle, hipIpcGetMemHandle, (struct handle * out, P p), fake_make_handle(out, p))
BOTH(cuIpcOpenMemHandle_v2, hipIpcOpenMemHandle, (void **out, struct handle h, unsigned flags),
     flags == 1 ? fake_open_handle(out, &h) : INVALID)
BOTH(cuIpcCloseMemHandle, hipIpcCloseMemHandle, (P p), fake_close_handle(p))
#endif
BOTH(cuMemHostRegister_v2, hipHostRegister, (P p, size_t n, unsigned flags),
     flags == 1 ? fake_pin(p, n) : INVALID)
BOTH(cuMemHostUnregister, hipHostUnregister, (P p), fake_unpin(p))
BOTH(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync, (P to, const P from, size_t n, P s),
     copy(to, from, n, s, 0, 1))
BOTH(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync, (P to, const P from, size_t n, P s),
     copy(to, from, n, s, 1, 0))
BOTH(cuMemcpyDtoDAsync_v2, hipMemcpyDtoDAsync, (P to, const P from, size_t n, P s),
     copy(to, from, n, s, 1, 1))
BOTH(cuModuleLoadData, hipModuleLoadData, (void **out, const P image), load(out, image))
BOTH(cuModuleGetFunction, hipModuleGetFunction, (void **out, P module, const char *name),
     find(out, module, name))
BOTH(cuLaunchKernel, hipModuleLaunchKernel,
     (P k, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,
      unsigned shared, P s, void **parameters, void **more),
     y *z *by *bz != 1 || shared || more ? INVALID : launch(k, (unsigned[]){x, bx}, s, parameters))
BOTH(cuStreamCreate, hipStreamCreateWithFlags, (void **out, unsigned flags),
     flags > 1 ? INVALID : fake_stream(out, (int)flags))
BOTH(cuStreamSynchronize, hipStreamSynchronize, (P s), fake_wait(s))
BOTH(cuStreamQuery, hipStreamQuery, (P s), fake_query(s))
BOTH(cuStreamWaitEvent, hipStreamWaitEvent, (P s, P e, unsigned flags),
     flags ? INVALID : fake_await_event(s, e))
#ifndef WITHOUT_GRAPHS
BOTH(cuStreamBeginCapture_v2, hipStreamBeginCapture, (P s, int mode), fake_begin_capture(s, mode))
BOTH(cuStreamEndCapture, hipStreamEndCapture, (P s, void **out), fake_end_capture(s, out))
BOTH(cuGraphInstantiateWithFlags, hipGraphInstantiateWithFlags,
     (void **out, P captured, unsigned long long flags),
     flags ? INVALID : fake_make_graph(out, captured))
BOTH(cuGraphLaunch, hipGraphLaunch, (P graph, P s), fake_launch_graph(graph, s))
BOTH(cuGraphDestroy, hipGraphDestroy, (P captured), fake_free_works(captured))
BOTH(cuGraphExecDestroy, hipGraphExecDestroy, (P graph), fake_free_works(graph))
#endif
BOTH(cuEventCreate, hipEventCreateWithFlags, (void **out, unsigned flags),
     flags == 2 ? fake_event(out) : INVALID)
BOTH(cuEventRecord, hipEventRecord, (P e, P s), fake_record(e, s))
BOTH(cuEventSynchronize, hipEventSynchronize, (P e), fake_wait_event(e))
BOTH(cuEventDestroy_v2, hipEventDestroy, (P e), fake_free_event(e))

/* Answers questions of an address: zeros where no memory of the device is. */
int cuPointerGetAttributes(unsigned n, int *attributes, void **out, uint64_t p) {
    const struct memory m = fake_find((void *)(uintptr_t)p);
    fake_asked();
    for (unsigned i = 0; i < n; ++i) switch (attributes[i]) {
        case 1: *(void **)out[i] = m.openings ? &context : NULL; break;
        case 2: *(unsigned *)out[i] = m.device ? 2 : 0; break;
        case 8: *(unsigned *)out[i] = (unsigned)m.managed; break;
        case 9: *(int *)out[i] = 0; break;
        case 10: *(int *)out[i] = m.openings != NULL; break;
        default: return INVALID;
        }
    return GOOD;
}
int cuInit(unsigned flags) { return flags ? INVALID : GOOD; }
int cuDriverGetVersion(int *out) { return *out = 13000, GOOD; }
int cuDeviceGetCount(int *out) { return *out = 1, GOOD; }
int cuDeviceGetName(char *out, int bytes, int device) {
    snprintf(out, (size_t)bytes, "fake device %d", device);
    return GOOD;
}
int cuDevicePrimaryCtxRetain(void **out, int device) {
    *out = &context;
    return device ? INVALID : GOOD;
}
int cuCtxPushCurrent_v2(void *c) { return c == &context ? ++depth, GOOD : INVALID; }
int cuCtxSetCurrent(void *c) { return depth = 0, cuCtxPushCurrent_v2(c); }
int cuCtxPopCurrent_v2(void **c) { return *c = &context, --depth, GOOD; }

struct attributes {
    int kind, device;
    void *device_pointer, *host_pointer;
    int managed;
    unsigned flags;
};
int hipPointerGetAttributes(struct attributes *out, const void *p) {
    const struct memory m = fake_find(p);
    fake_asked();
    if (!m.device) return INVALID;
    out->kind = 2;
    out->device = (int)(m.bytes / ROOM % 2);
    out->device_pointer = (void *)p;
    out->host_pointer = m.managed ? (void *)p : NULL;
    out->managed = m.managed;
    return GOOD;
}
int hipPointerGetAttribute(void *out, int attribute, const void *p) {
    const struct memory m = fake_find(p);
    if (!m.device || attribute != 10) return INVALID;
    return *(int *)out = m.openings != NULL, GOOD;
}
int hipGetDevice(int *out) { return *out = current, GOOD; }
int hipSetDevice(int device) { return device > 1 ? INVALID : (current = device, GOOD); }
