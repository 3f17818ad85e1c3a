/* Unusual datatypes and operations, whatever algorithm serves. Prints "N passed, M failed" on rank
 * 0. With the argument "errors" also calls that MPI must refuse (some builds of MPI check no
 * arguments). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, p, passed, failed;

static void expect(int right, const char *what) {
    if (!right) fprintf(stderr, "rank %d: %s\n", rank, what);
    *(right ? &passed : &failed) += 1;
}

static void operations(MPI_Comm c) {
    struct {
        double value;
        int index;
    } mine, best;
    mine.value = rank;
    mine.index = rank;
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, c);
    expect(best.index == p - 1 && best.value == p - 1, "MAXLOC on a type with a gap");
    double z[2] = {1, rank}, sum[2];
    MPI_Allreduce(z, sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, c);
    expect(sum[0] == p && sum[1] == p * (p - 1) / 2, "a sum of complex numbers");
    long double one = 1, all = 0;
    MPI_Allreduce(&one, &all, 1, MPI_LONG_DOUBLE, MPI_SUM, c);
    expect(all == p, "a sum of long doubles");
    unsigned char bit = (unsigned char)(1 << rank % 8), bits = 0;
    MPI_Allreduce(&bit, &bits, 1, MPI_BYTE, MPI_BOR, c);
    expect(bits == (p >= 8 ? 255 : (1 << p) - 1), "BOR on bytes");
    _Bool mark = rank == 0, any = 0;
    MPI_Allreduce(&mark, &any, 1, MPI_C_BOOL, MPI_LOR, c);
    expect(any, "LOR on bool");
}

/* One signature, different datatypes: ranks must not decide by properties of their own datatype. */
static void signatures(MPI_Comm c) {
    int buffer[6] = {0};
    MPI_Datatype backwards, placed;
    MPI_Type_create_resized(MPI_INT, 0, -4, &backwards);
    MPI_Type_commit(&backwards);
    for (int i = 0; rank == 0 && i < 6; ++i) buffer[i] = i + 1;
    if (rank % 2)
        MPI_Bcast(buffer + 5, 6, backwards, 0, c);
    else
        MPI_Bcast(buffer, 6, MPI_INT, 0, c);
    for (int i = 0; i < 6; ++i)
        expect(buffer[i] == (rank % 2 ? 6 - i : i + 1), "a type of negative extent on some ranks");
    MPI_Aint address;
    const int length = 6;
    MPI_Get_address(buffer, &address);
    MPI_Type_create_hindexed(1, &length, &address, MPI_INT, &placed);
    MPI_Type_commit(&placed);
    if (rank == 0) buffer[3] = 77;
    MPI_Bcast(MPI_BOTTOM, 1, placed, 0, c);
    expect(buffer[3] == 77, "MPI_BOTTOM with absolute addresses");
    MPI_Type_free(&backwards);
    MPI_Type_free(&placed);
}

static void large_counts(MPI_Comm c) {
#if MPI_VERSION >= 4
    int sum = 0, parts[64], mine = -1, block[64];
    MPI_Count ones[64];
    for (int r = 0; r < p; ++r) ones[r] = 1, parts[r] = r;
    MPI_Allreduce_c(&rank, &sum, 1, MPI_INT, MPI_SUM, c);
    expect(sum == p * (p - 1) / 2, "MPI_Allreduce_c");
    MPI_Reduce_scatter_c(parts, &mine, ones, MPI_INT, MPI_SUM, c);
    expect(mine == rank * p, "MPI_Reduce_scatter_c");
    MPI_Alltoall_c(parts, 1, MPI_INT, block, 1, MPI_INT, c);
    expect(block[p - 1] == rank, "MPI_Alltoall_c");
#else
    (void)c;
#endif
}

static void refusals(MPI_Comm c) {
    float in[2] = {1, 2}, out[2];
    int class;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_FLOAT, &pair);
    MPI_Type_commit(&pair);
    MPI_Error_class(MPI_Allreduce(in, out, 1, MPI_FLOAT, MPI_BAND, c), &class);
    expect(class == MPI_ERR_OP, "BAND on floats is MPI's error");
    MPI_Error_class(MPI_Allreduce(in, out, 1, pair, MPI_SUM, c), &class);
    expect(class == MPI_ERR_OP, "SUM on a derived type is MPI's error");
    MPI_Type_free(&pair);
}

int main(int argc, char **argv) {
    MPI_Comm c, kept;
    int one = 1, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    operations(c);
    signatures(c);
    large_counts(c);
    if (argc > 1 && !strcmp(argv[1], "errors")) refusals(c);
    MPI_Comm_free(&c);
    /* Freed by MPI_Finalize, as in many programs. */
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &kept);
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, kept);
    expect(all == (p + 1 - rank % 2) / 2, "half of the ranks");
    PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    MPI_Finalize();
    return failed > 0;
}
