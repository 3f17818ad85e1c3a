/* Collectives from several places; the test finds these by their comments. */
#include <mpi.h>
#include <stddef.h>

static double from[512], to[512];

static __attribute__((noinline)) void sum(void) {
    MPI_Allreduce(from, to, 512, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* sum */
    to[0] += 1; /* no jump to the call: that would leave no return address here */
}

static __attribute__((noinline)) void tell(int times) {
    for (int i = 0; i < times; ++i) {
        MPI_Bcast(to, 512, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* tell */
        from[0] += to[0];
    }
    MPI_Bcast(to, 512, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* tell again */
    from[0] += to[0];
}

static __attribute__((noinline)) void later(void) {
    MPI_Request request;
    MPI_Iallreduce(from, to, 512, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request); /* later */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static __attribute__((noinline)) void alone(void) {
    MPI_Allreduce(from, to, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF); /* alone */
    to[0] += 1;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    sum();
    tell(3);
    later();
    alone();
    MPI_Finalize();
    return 0;
}
