/* A job that loads links between groups: an allreduce at the same moments whatever serves it.
 *
 *   aggressor BYTES PERIOD BEGIN SECONDS
 *
 * BYTES    of each allreduce, in floats
 * PERIOD   seconds from the begin of a call to that of the next
 * BEGIN    of the first call, seconds of the real clock
 * SECONDS  after BEGIN in which calls begin
 *
 * A call that begins late, since the one before took longer than the period, is counted: then the
 * links cannot carry the period. */
#include <mpi.h>

#include "pace.h"

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: aggressor BYTES PERIOD BEGIN SECONDS\n");
        return 2;
    }
    const int count = (int)(positive("BYTES", argv[1]) / sizeof(float));
    const double period = positive("PERIOD", argv[2]), begin = positive("BEGIN", argv[3]);
    const int calls = (int)(positive("SECONDS", argv[4]) / period);
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    float *values = calloc((size_t)count, sizeof *values);
    if (!values) MPI_Abort(MPI_COMM_WORLD, 1);
    int late = 0;
    double spent = 0;
    for (int call = 0; call < calls; ++call) {
        const double due = begin + call * period;
        late += call && seconds_now() > due;
        wait_until(due);
        const double from = MPI_Wtime();
        MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        spent += MPI_Wtime() - from;
    }
    int latest;
    double slowest;
    MPI_Reduce(&late, &latest, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&spent, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (!rank) printf("aggressor calls %d late %d seconds %.6f\n", calls, latest, slowest / calls);
    free(values);
    MPI_Finalize();
    return 0;
}
