/* Data-parallel training: a layer of weights learns one step of diffusion on a ring.
 *
 *   mpiexec -n 16 ./training [-t] [STEPS]
 *
 * STEPS  of gradient descent, at least one (default 40)
 * -t     tells on standard error how long the steps took on the slowest rank
 *
 * In every step each rank draws new values on its part of the ring, gets the two values beside them
 * from its neighbours, and compares what the weights predict with the diffusion's own values. All
 * ranks add up their gradients (254 KiB, MPI_Allreduce) and their losses (8 B). In every fourth
 * step rank 0's weights replace all others, as training programs do lest ranks drift apart
 * (254 KiB, MPI_Bcast). */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 256, POINTS = INPUTS - 2, WEIGHTS = POINTS * INPUTS, REPLACED_EVERY = 4 };
static const float DIFFUSION = 0.25f;

static int rank, ranks;

/* Uniform in -1..1, the same on every machine (splitmix64). */
static float draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (float)((double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1);
}

/* New values on this rank's points, and around them those of its neighbours on the ring. */
static void draw_inputs(float *inputs, int step) {
    const int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
    uint64_t state = ((uint64_t)step << 32) + (uint64_t)rank;
    for (int k = 1; k <= POINTS; ++k) inputs[k] = draw(&state);
    MPI_Sendrecv(&inputs[1], 1, MPI_FLOAT, before, 0, &inputs[POINTS + 1], 1, MPI_FLOAT, after, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&inputs[POINTS], 1, MPI_FLOAT, after, 1, &inputs[0], 1, MPI_FLOAT, before, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Gradients of half the squared error of this rank's points, divided by the squared length of the
 * inputs. Returns the mean squared error. */
static double add_gradients(const float *weights, const float *inputs, float *gradients) {
    float length = 0;
    for (int i = 0; i < INPUTS; ++i) length += inputs[i] * inputs[i];
    double loss = 0;
    for (int k = 0; k < POINTS; ++k) {
        const float *in = &inputs[k], *row = &weights[k * INPUTS];
        float predicted = 0;
        for (int i = 0; i < INPUTS; ++i) predicted += row[i] * inputs[i];
        const float error = predicted - (in[1] + DIFFUSION * (in[0] - 2 * in[1] + in[2]));
        for (int i = 0; i < INPUTS; ++i) gradients[k * INPUTS + i] = error * inputs[i] / length;
        loss += error * error / POINTS;
    }
    return loss;
}

/* Mean loss over all ranks before the weights are changed. */
static double train(float *weights, float *gradients, float *inputs, int step) {
    draw_inputs(inputs, step);
    double loss = add_gradients(weights, inputs, gradients);
    MPI_Allreduce(MPI_IN_PLACE, gradients, WEIGHTS, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &loss, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    /* The largest eigenvalue of the sum of p projections on random directions in n dimensions is
     * near (1 + sqrt(p / n))^2 (Marchenko and Pastur); twice its inverse is the largest rate. */
    const float spread = 1 + sqrtf((float)ranks / INPUTS), rate = 1 / (spread * spread);
    for (int i = 0; i < WEIGHTS; ++i) weights[i] -= rate * gradients[i];
    if (step % REPLACED_EVERY == 0) MPI_Bcast(weights, WEIGHTS, MPI_FLOAT, 0, MPI_COMM_WORLD);
    return loss / ranks;
}

static int usage(void) {
    if (!rank) fprintf(stderr, "usage: training [-t] [STEPS]; STEPS is a whole number from 1 on\n");
    MPI_Finalize();
    return 2;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int told = 0, steps = 40, at = 1;
    if (at < argc && !strcmp(argv[at], "-t")) told = at++;
    if (at < argc) {
        char *end;
        const long value = strtol(argv[at], &end, 10);
        if (*end || value < 1 || value > INT32_MAX || at + 1 < argc) return usage();
        steps = (int)value;
    }
    float *weights = calloc(WEIGHTS, sizeof *weights), *gradients = malloc(WEIGHTS * sizeof(float));
    float inputs[INPUTS];
    if (!weights || !gradients) {
        fprintf(stderr, "training: rank %d has no memory for %d weights\n", rank, WEIGHTS);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double first = 0, last = 0, seconds = MPI_Wtime(), slowest;
    for (int step = 0; step < steps; ++step) {
        last = train(weights, gradients, inputs, step);
        if (!step) first = last;
    }
    seconds = MPI_Wtime() - seconds;
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (!rank) printf("loss %.6g in the first step, %.6g in step %d\n", first, last, steps);
    if (!rank && told) fprintf(stderr, "steps took %.3f s\n", slowest);
    free(weights);
    free(gradients);
    MPI_Finalize();
    return 0;
}
