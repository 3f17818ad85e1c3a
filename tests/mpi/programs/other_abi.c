/* A program of an MPI library whose handles are pointers of its own. With LIBRARY defined: that
 * library, for one rank. */
#include <stddef.h>
#include <string.h>

typedef struct handle *handle;
#define BOTH(name) __attribute__((weak, alias("P" #name))) int name

#ifdef LIBRARY
struct handle {
    size_t bytes;
};
static struct handle world, number = {sizeof(double)}, sum;
handle other_world = &world, other_number = &number, other_sum = &sum;

int PMPI_Init(int *argc, char ***argv) { return !argc && !argv; }
int PMPI_Finalize(void) { return 0; }
int PMPI_Send(void) { return 1; }
int PMPI_Comm_size(handle comm, int *size) { return !(comm == &world && (*size = 1)); }
int PMPI_Allreduce(const void *from, void *to, int n, handle type, handle op, handle comm) {
    if (comm != &world || op != &sum) return 1;
    memcpy(to, from, (size_t)n * type->bytes);
    return 0;
}
BOTH(MPI_Init)(int *, char ***);
BOTH(MPI_Finalize)(void);
BOTH(MPI_Send)(void);
BOTH(MPI_Comm_size)(handle, int *);
BOTH(MPI_Allreduce)(const void *, void *, int, handle, handle, handle);
#else
#include <stdio.h>
extern handle other_world, other_number, other_sum;
int MPI_Init(int *, char ***), MPI_Finalize(void);
int MPI_Allreduce(const void *, void *, int, handle, handle, handle);

int main(int argc, char **argv) {
    double mine = 42, all = 0;
    if (MPI_Init(&argc, &argv)) return 1;
    const int error = MPI_Allreduce(&mine, &all, 1, other_number, other_sum, other_world);
    printf("error %d sum %g\n", error, all);
    return MPI_Finalize();
}
#endif
