/* Makes and frees communicators in every way, and calls a collective on each.
 *
 *   communicators PART...    PART: ways, many N, idup, threads, callback, sessions, spawn
 *
 * Each rank prints "rank R: N right, M wrong". The exit code is 1 when anything was wrong. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, p, right, wrong;

static void expect(int ok) { __atomic_add_fetch(ok ? &right : &wrong, 1, __ATOMIC_RELAXED); }

/* Calls allreduce and bcast on a communicator, of sizes that take more than one algorithm. */
static void use(MPI_Comm c) {
    int n, me, between, sums[3], ones[3] = {1, 2, 3}, long_one[600];
    if (c == MPI_COMM_NULL) return;
    MPI_Comm_test_inter(c, &between);
    MPI_Comm_rank(c, &me);
    MPI_Comm_size(c, &n);
    if (between) MPI_Comm_remote_size(c, &n);
    MPI_Allreduce(ones, sums, 3, MPI_INT, MPI_SUM, c);
    expect(sums[0] == n && sums[1] == 2 * n && sums[2] == 3 * n);
    if (between) return;
    for (int i = 0; i < 600; ++i) long_one[i] = me == n - 1 ? i : -1;
    MPI_Bcast(long_one, 600, MPI_INT, n - 1, c);
    expect(long_one[0] == 0 && long_one[599] == 599);
}

static void use_and_free(MPI_Comm c) {
    use(c);
    if (c != MPI_COMM_NULL) MPI_Comm_free(&c);
}

static void groups(void) {
    MPI_Group all, some;
    MPI_Comm made;
    int range[1][3] = {{p - 1, 0, -2}};
    if (p == 1) range[0][0] = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, range, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &made);
    use_and_free(made);
    int in;
    MPI_Group_rank(some, &in);
    if (in != MPI_UNDEFINED) {
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &made);
        use_and_free(made);
    }
    MPI_Group_free(&some);
    MPI_Group_free(&all);
}

static void topologies(void) {
    MPI_Comm made, row;
    int dims[2] = {0}, periods[2] = {0, 1}, keep[2] = {0, 1},
        *index = malloc(sizeof(int) * (size_t)p), *edges = malloc(sizeof(int) * (size_t)p);
    MPI_Dims_create(p, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &made);
    MPI_Cart_sub(made, keep, &row);
    use(made);
    use_and_free(row);
    use_and_free(made);
    for (int r = 0; r < p; ++r) index[r] = r + 1, edges[r] = (r + 1) % p;
    MPI_Graph_create(MPI_COMM_WORLD, p, index, edges, 0, &made);
    use_and_free(made);
    const int next = (rank + 1) % p, before = (rank + p - 1) % p, weight = 1;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, &weight, 1, &next, &weight,
                                   MPI_INFO_NULL, 0, &made);
    use_and_free(made);
    free(index), free(edges);
}

static void ways(void) {
    MPI_Comm made, half, between, merged;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    use(made);
    MPI_Comm_split(made, rank % 2, -rank, &half);
    MPI_Comm_free(&made); /* the parent goes first */
    use(half);
    if (p > 1) {
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? (p - 1) / 2 * 2 : (p / 2) * 2 - 1,
                             9, &between);
        use(between);
        MPI_Intercomm_merge(between, rank % 2, &merged);
        use(merged);
        use_and_free(between);
        use_and_free(merged);
    }
    use_and_free(half);
    MPI_Comm_split(MPI_COMM_WORLD, rank ? 1 : MPI_UNDEFINED, rank, &made);
    use_and_free(made);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &made);
    use_and_free(made);
    groups();
    topologies();
    use(MPI_COMM_SELF);
    use(MPI_COMM_WORLD);
}

/* Uses a parent while its duplicates are pending. */
static void idup(void) {
    for (int k = 0; k < 20; ++k) {
        MPI_Comm parent, made[3];
        MPI_Request requests[3];
        MPI_Comm_dup(MPI_COMM_WORLD, &parent);
        for (int i = 0; i < 3; ++i) MPI_Comm_idup(parent, &made[i], &requests[i]);
        if (k % 2) use(parent);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 3; ++i) use_and_free(made[i]);
        use_and_free(parent);
    }
}

/* Makes as many communicators as the MPI library has ids for, all alive and used. */
static void many(int n) {
    MPI_Comm *made = malloc(sizeof(MPI_Comm) * (size_t)n);
    int done = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (; done < n && !MPI_Comm_dup(MPI_COMM_WORLD, &made[done]); ++done) use(made[done]);
    expect(done == n);
    if (done < n && !rank) fprintf(stderr, "only %d of %d communicators can be made\n", done, n);
    for (int i = 0; i < done; ++i) use(made[i]);
    for (int i = 0; i < done; ++i) MPI_Comm_free(&made[i]);
    free(made);
}

static void *in_thread(void *comm) {
    for (int k = 0; k < 50; ++k) {
        MPI_Comm made;
        MPI_Comm_dup(*(MPI_Comm *)comm, &made);
        use(made);
        use(*(MPI_Comm *)comm);
        MPI_Comm_free(&made);
    }
    return NULL;
}

static void threads(void) {
    MPI_Comm own[3];
    pthread_t ids[3];
    int provided;
    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_MULTIPLE) return;
    for (int t = 0; t < 3; ++t) MPI_Comm_dup(MPI_COMM_WORLD, &own[t]);
    for (int t = 0; t < 3; ++t) pthread_create(&ids[t], NULL, in_thread, &own[t]);
    for (int t = 0; t < 3; ++t) pthread_join(ids[t], NULL);
    for (int t = 0; t < 3; ++t) MPI_Comm_free(&own[t]);
}

/* Calls reductions that were not called before: hopbine probes the MPI library once for each pair
 * of datatype and operation. */
static void use_late(MPI_Comm c) {
    short short_one = 2, product;
    struct {
        double value;
        int at;
    } place = {1.5, 3}, least;
    MPI_Datatype gaps;
    int n, data[40] = {0};
    MPI_Comm_size(c, &n);
    MPI_Allreduce(&short_one, &product, 1, MPI_SHORT, MPI_PROD, c);
    expect(product == 1 << n);
    MPI_Allreduce(&place, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, c);
    expect(least.value == 1.5 && least.at == 3);
    MPI_Type_vector(10, 1, 3, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    for (int i = 0; i < 10; ++i) data[3 * i] = rank ? -1 : i;
    MPI_Bcast(data, 1, gaps, 0, c);
    expect(data[27] == 9);
    MPI_Type_free(&gaps);
}

/* Called in MPI_Finalize, where communication must still be possible. */
static int at_the_end(MPI_Comm c, int key, void *value, void *extra) {
    (void)c, (void)key, (void)value, (void)extra;
    use(MPI_COMM_WORLD);
    use_late(MPI_COMM_WORLD);
    printf("rank %d: callback %s\n", rank, wrong ? "wrong" : "right");
    return MPI_SUCCESS;
}

static void callback(void) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
}

/* Spawns children that run this program as `child`. */
static void spawn(const char *program) {
    MPI_Comm children, merged;
    char *arguments[] = {"child", NULL};
    MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                   MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(children, 0, &merged);
    use(merged);
    use(children);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&children);
}

static void child(void) {
    MPI_Comm parent, merged;
    MPI_Comm_get_parent(&parent);
    MPI_Intercomm_merge(parent, 1, &merged);
    use(merged);
    use(parent);
    use(MPI_COMM_WORLD);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&parent);
}

#if MPI_VERSION >= 4
static MPI_Session session;
static MPI_Comm of_session = MPI_COMM_NULL;

static void begin_session(void) {
    MPI_Group world;
    int (*init)(MPI_Info, MPI_Errhandler, MPI_Session *);
    *(void **)&init = dlsym(RTLD_DEFAULT, "MPI_Session_init");
    if (init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session)) return;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Comm_create_from_group(world, "hopbine.attack", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                               &of_session);
    MPI_Group_free(&world);
    use(of_session);
}

/* A session outlives MPI_Finalize. */
static void end_session(void) {
    if (of_session == MPI_COMM_NULL) return;
    use(of_session);
    use_late(of_session);
    MPI_Comm_free(&of_session);
    MPI_Session_finalize(&session);
}
#else
static void begin_session(void) {}
static void end_session(void) {}
#endif

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int i = 1; i < argc; ++i) {
        if (!strcmp(argv[i], "ways"))
            ways();
        else if (!strcmp(argv[i], "idup"))
            idup();
        else if (!strcmp(argv[i], "many"))
            many(atoi(argv[++i]));
        else if (!strcmp(argv[i], "threads"))
            threads();
        else if (!strcmp(argv[i], "callback"))
            callback();
        else if (!strcmp(argv[i], "sessions"))
            begin_session();
        else if (!strcmp(argv[i], "spawn"))
            spawn(argv[0]);
        else if (!strcmp(argv[i], "child"))
            child();
        else
            MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    end_session();
    printf("rank %d: %d right, %d wrong\n", rank, right, wrong);
    return wrong > 0;
}
