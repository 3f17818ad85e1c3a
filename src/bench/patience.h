/* Waits without keeping a core busy: other ranks, or the program that asks, may need it. */
#ifndef HOPBINE_BENCH_PATIENCE_H
#define HOPBINE_BENCH_PATIENCE_H
#include <mpi.h>

void wait_patiently(MPI_Request *request);

#endif
