/* Counts letter trigrams of a text on all ranks and prints the most frequent ones, the entropy and
 * where they gather.
 *
 *   mpiexec -n 8 ./trigrams TEXT
 *
 * Rank 0 reads the file and scatters it; counts are summed everywhere; every rank then rates its
 * own part of the text. */
#include <ctype.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LETTERS = 27, TRIGRAMS = LETTERS * LETTERS * LETTERS };

static int letter(int c) { return isalpha(c) ? tolower(c) - 'a' + 1 : 0; }

static char *read_text(const char *path, long *length) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    *length = ftell(f);
    rewind(f);
    char *text = calloc((size_t)*length + 1, 1);
    if (fread(text, 1, (size_t)*length, f) != (size_t)*length) *length = 0;
    fclose(f);
    return text;
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    long length = 0;
    char *text = rank == 0 && argc > 1 ? read_text(argv[1], &length) : NULL;
    MPI_Bcast(&length, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    if (length < ranks) {
        if (rank == 0) fprintf(stderr, "trigrams: give a text of at least one letter per rank\n");
        MPI_Finalize();
        return 2;
    }

    int share = (int)(length / ranks);
    char *mine = malloc((size_t)share);
    MPI_Scatter(text, share, MPI_CHAR, mine, share, MPI_CHAR, 0, MPI_COMM_WORLD);

    static int counts[TRIGRAMS], all[TRIGRAMS];
    for (int i = 0; i + 2 < share; ++i)
        ++counts[(letter(mine[i]) * LETTERS + letter(mine[i + 1])) * LETTERS + letter(mine[i + 2])];
    MPI_Allreduce(counts, all, TRIGRAMS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

    long total = 0;
    double entropy = 0;
    for (int t = 0; t < TRIGRAMS; ++t) total += all[t];
    for (int t = 0; t < TRIGRAMS; ++t)
        if (all[t]) entropy -= (double)all[t] / total * log2((double)all[t] / total);

    /* The rank whose part is least like the whole text: chi-squared of its counts. */
    struct {
        double value;
        int rank;
    } odd = {0, rank}, oddest;
    for (int t = 0; t < TRIGRAMS; ++t) {
        double expected = (double)all[t] / ranks;
        if (all[t]) odd.value += (counts[t] - expected) * (counts[t] - expected) / expected;
    }
    MPI_Reduce(&odd, &oddest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);
    double *per_rank = malloc(sizeof(double) * (size_t)ranks);
    MPI_Gather(&odd.value, 1, MPI_DOUBLE, per_rank, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);

    if (rank == 0) {
        printf("%ld trigrams, %.6f bits each\n", total, entropy);
        for (int k = 0; k < 10; ++k) {
            int best = 0;
            for (int t = 0; t < TRIGRAMS; ++t)
                if (all[t] > all[best]) best = t;
            const char *name = "_abcdefghijklmnopqrstuvwxyz";
            printf("%c%c%c %d\n", name[best / LETTERS / LETTERS], name[best / LETTERS % LETTERS],
                   name[best % LETTERS], all[best]);
            all[best] = 0;
        }
        printf("least like the rest: part %d (%.3f)\n", oddest.rank, per_rank[oddest.rank]);
    }
    free(mine);
    free(text);
    free(per_rank);
    MPI_Finalize();
    return 0;
}
