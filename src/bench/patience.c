#define _GNU_SOURCE
#include "patience.h"

#include <time.h>

void wait_patiently(MPI_Request *request) {
    const struct timespec nap = {0, 200000};
    int done = 0;
    for (MPI_Test(request, &done, MPI_STATUS_IGNORE); !done;
         MPI_Test(request, &done, MPI_STATUS_IGNORE))
        nanosleep(&nap, NULL);
}
