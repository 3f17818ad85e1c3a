/* A GPU library without a GPU: memory that the program cannot touch, and a second mapping for
 * copies. Built as libcuda.so.1, libamdhip64.so.6 or libze_loader.so.1; it has the functions of all
 * three. */
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 256 };
static struct {
    char *device, *host;
    size_t bytes;
    int managed;
} all[MOST];
static int number, questions, copies, depth, context;

static int find(const void *p, size_t bytes) {
    for (int i = 0; i < number; ++i) {
        const size_t place = (size_t)((uintptr_t)p - (uintptr_t)all[i].device);
        if (place < all[i].bytes && bytes <= all[i].bytes - place) return i;
    }
    return -1;
}

/* For the tests: allocates memory, returns its readable mapping (other addresses unchanged), and
 * the numbers of queries and copies so far. */
void *fake_alloc(size_t bytes, int managed) {
    bytes = (bytes + 4095) / 4096 * 4096;
    int file = memfd_create("device", 0);
    if (number == MOST || file < 0 || ftruncate(file, (off_t)bytes)) return NULL;
    void *host = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    void *device = managed ? host : mmap(NULL, bytes, PROT_NONE, MAP_SHARED, file, 0);
    close(file);
    all[number].device = device;
    all[number].host = host;
    all[number].bytes = bytes;
    all[number++].managed = managed;
    return device;
}
void *fake_twin(const void *p) {
    int i = find(p, 1);
    return i < 0 ? (void *)p : all[i].host + ((const char *)p - all[i].device);
}
int fake_questions(void) { return questions; }
int fake_copies(void) { return copies; }
int fake_depth(void) { return depth; }

static int copy(void *to, const void *from, size_t bytes) {
    int a = find(to, 1), b = find(from, 1);
    /* As the real libraries: no copy across the end of an allocation. */
    if ((a >= 0 && find(to, bytes) < 0) || (b >= 0 && find(from, bytes) < 0)) return 1;
    memcpy(fake_twin(to), fake_twin(from), bytes);
    ++copies;
    return 0;
}

int cuPointerGetAttribute(void *out, int attribute, uint64_t p) {
    int i = find((void *)(uintptr_t)p, 1);
    ++questions;
    if (i < 0) return 1;
    if (attribute == 1)
        *(void **)out = &context;
    else if (attribute == 2)
        *(unsigned *)out = 2;
    else if (attribute == 8)
        *(unsigned *)out = (unsigned)all[i].managed;
    else
        return 1;
    return 0;
}
int cuCtxPushCurrent_v2(void *c) { return c == &context ? ++depth, 0 : 1; }
int cuCtxPopCurrent_v2(void **c) { return *c = &context, --depth, 0; }
int cuMemcpy(uint64_t to, uint64_t from, size_t bytes) {
    return depth != 1 ? 201 : copy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
}
int cuStreamSynchronize(void *stream) { return stream != NULL; }

struct attributes {
    int kind, device;
    void *device_pointer, *host_pointer;
    int managed;
    unsigned flags;
};
int hipPointerGetAttributes(struct attributes *out, const void *p) {
    int i = find(p, 1);
    ++questions;
    if (i < 0) return 1;
    out->kind = 2;
    out->device_pointer = (void *)p;
    out->host_pointer = all[i].managed ? (void *)p : NULL;
    out->managed = all[i].managed;
    return 0;
}
int hipMemcpy(void *to, const void *from, size_t bytes, int kind) {
    return kind != 4 || copy(to, from, bytes);
}
int hipStreamSynchronize(void *stream) { return stream != NULL; }
