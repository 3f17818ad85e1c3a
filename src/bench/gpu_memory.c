#define _GNU_SOURCE
#include "gpu_memory.h"

#include <dlfcn.h>

/* Functions that CUDA's driver and HIP both have: CUdeviceptr is passed as a pointer is. */
static int (*allocate)(void **, size_t), (*to_device)(void *, const void *, size_t, void *),
    (*to_host)(void *, const void *, size_t, void *), (*finish)(void *);

static int find(void *library, const char *name, void *function) {
    return *(void **)function = dlsym(library, name), *(void **)function != NULL;
}

static const char *open_cuda(void *library, int place) {
    int (*begin)(unsigned), (*count)(int *), (*retain)(void **, int), (*enter)(void *), devices = 0;
    void *context;
    if (!find(library, "cuInit", &begin) || !find(library, "cuDeviceGetCount", &count) ||
        !find(library, "cuDevicePrimaryCtxRetain", &retain) ||
        !find(library, "cuCtxSetCurrent", &enter) || !find(library, "cuMemAlloc_v2", &allocate) ||
        !find(library, "cuMemcpyHtoDAsync_v2", &to_device) ||
        !find(library, "cuMemcpyDtoHAsync_v2", &to_host) ||
        !find(library, "cuStreamSynchronize", &finish))
        return "CUDA's driver lacks a function";
    if (begin(0) || count(&devices) || devices < 1) return "CUDA's driver finds no GPU here";
    return retain(&context, place % devices) || enter(context) ? "the GPU has no context" : NULL;
}

static const char *open_hip(void *library) {
    int (*enter)(int);
    if (!find(library, "hipSetDevice", &enter) || !find(library, "hipMalloc", &allocate) ||
        !find(library, "hipMemcpyHtoDAsync", &to_device) ||
        !find(library, "hipMemcpyDtoHAsync", &to_host) ||
        !find(library, "hipStreamSynchronize", &finish))
        return "HIP lacks a function";
    return enter(0) ? "HIP finds no GPU here" : NULL;
}

const char *gpu_open(int place) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library) return open_cuda(library, place);
    library = dlopen("libamdhip64.so.6", RTLD_NOW | RTLD_GLOBAL);
    if (!library) library = dlopen("libamdhip64.so", RTLD_NOW | RTLD_GLOBAL);
    return library ? open_hip(library)
                   : "this node has neither libcuda.so.1 nor libamdhip64.so: it has no GPU";
}

void *gpu_allocate(size_t bytes) {
    void *out = NULL;
    return allocate(&out, bytes) ? NULL : out;
}

int gpu_write(void *to, const void *from, size_t bytes) {
    return to_device(to, from, bytes, NULL) || finish(NULL);
}

int gpu_read(void *to, const void *from, size_t bytes) {
    return to_host(to, from, bytes, NULL) || finish(NULL);
}
