/* Memory of this node's first GPU, by CUDA's driver or HIP, whose library is loaded here. */
#pragma once
#include <stddef.h>

/* Opens a GPU, ranks of a node by turns. Returns why there is none, or NULL. */
const char *gpu_open(int place);
/* Bytes on the GPU; NULL: there is not so much. */
void *gpu_allocate(size_t bytes);
/* Copies, and waits. Not 0: an error. */
int gpu_write(void *to, const void *from, size_t bytes);
int gpu_read(void *to, const void *from, size_t bytes);
