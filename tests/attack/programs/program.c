#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms.h"
#include "barriers.h"
#include "completion.h"
#include "operation.h"

enum { MOST_OPERATIONS = 8, MOST_COMMS = 3, MOST_SEGMENTS = 5 };

/* A message to the next rank, and one from the rank before. */
typedef struct {
    int comm, send_at, receive_at, wildcards;  /* the segments that begin them */
    int to, from, sent, got, active[2], since; /* since: all ranks have begun both */
    MPI_Request requests[2];
} Message;

/* A program has segments. Each begins with what may wait for other ranks, in one order on all:
 * blocking calls, the making of persistent requests, the freeing of communicators. Then it starts
 * requests in an order of its own on each rank, and there it may wait for those of earlier
 * segments. At its end it may wait for any. So no rank waits for one that waits for it. */
typedef struct {
    const Task *task;
    int own; /* the MPI library alone repeats the program */
    int segments, comms, operations, fresh[MOST_COMMS], freed_at[MOST_COMMS], freed[MOST_COMMS];
    TestComm on[MOST_COMMS];
    Drawn drawn[MOST_OPERATIONS];
    Message message;
    Draw mine;
} Program;

/* What a rank waits for: an operation, or half of the message. */
typedef struct {
    Drawn *operation;
    int half;
} Pending;

long operations_of_form[FORMS], left_to_mpich;
unsigned kept_operations = ~0u;

static void say_doing(const Program *p, const char *what, const char *text) {
    char *to = now_running[p->task->in_thread];
    int used = snprintf(to, RUNNING_TEXT,
                        "--programs 1 --seed %llu --case %ld -n %d rank %d: %s: %s\n"
                        "  algorithms: %s%s\n",
                        (unsigned long long)seed, p->task->number, ranks, rank, what, text,
                        p->task->choice ? p->task->choice : "hopbine's own choice",
                        p->own               ? " (the MPI library alone repeats it)"
                        : p->task->in_thread ? " (in a thread)"
                                             : "");
    for (int i = 0; i < p->operations && used < RUNNING_TEXT - 1; ++i) {
        const Drawn *o = &p->drawn[i];
        if (o->present)
            used += snprintf(to + used, (size_t)(RUNNING_TEXT - used), "  %d%s: %.300s\n", i,
                             o->active ? " (under way)" : "", o->text);
    }
}

static void draw_comms(Program *p, Draw *d, const TestComm *from, int known) {
    int taken[MOST_COMMS];
    p->comms = 1 + (int)draw_below(d, known < MOST_COMMS ? known : MOST_COMMS);
    for (int i = 0; i < p->comms; ++i) {
        for (int again = 1; again;) {
            taken[i] = (int)draw_below(d, known);
            again = 0;
            for (int j = 0; j < i; ++j) again |= taken[j] == taken[i];
        }
        p->fresh[i] = one_in(d, 3);
        p->freed_at[i] = 1 + (int)draw_below(d, MOST_SEGMENTS);
        p->on[i] = from[taken[i]];
        Draw splits = {draw_bits(d)};
        if (p->fresh[i] && p->on[i].comm != MPI_COMM_NULL)
            p->on[i] = new_test_comm(&from[taken[i]], &splits);
    }
}

/* Between two groups of ranks the forms but the blocking one hang in both MPI libraries. */
static Form draw_form(Draw *d, int function, const TestComm *w) {
    static const Form often[] = {BLOCKING, NONBLOCKING, NONBLOCKING, PERSISTENT};
    const Form form = often[draw_below(d, 4)];
    if (tame && w->comm != MPI_COMM_NULL && w->inter) return BLOCKING;
    return has_form(function, form) ? form : NONBLOCKING;
}

static void draw_one(Program *p, int i, uint64_t key) {
    Draw d = {key_of(key, 3)};
    Drawn *o = &p->drawn[i];
    o->comm = (int)draw_below(&d, p->comms);
    int function = (int)draw_below(&d, functions_known);
    if (one_in(&d, 12)) function = functions_known;
    o->form = draw_form(&d, function, &p->on[o->comm]);
    o->frees = one_in(&d, 3);
    o->segment = i * p->segments / p->operations;
    o->starts = (unsigned)draw_bits(&d) | 1u << o->segment;
    o->started = -1;
    o->slot = p->task->in_thread * MOST_OPERATIONS + i;
    o->time = 2 * p->task->number + p->own + 1;
    const TestComm *w = &p->on[o->comm];
    o->present = w->comm != MPI_COMM_NULL && kept_operations >> i & 1 &&
                 (function == functions_known || !left_out(w, function));
    if (o->present) draw_operation(o, w, key, (uint64_t)rank, function);
    if (o->present && !o->barrier && p->own && quiet_library(&o->c)) {
        end_operation(o);
        o->present = 0;
    }
}

static void draw_message(Program *p, Draw *d) {
    Message *m = &p->message;
    m->comm = (int)draw_below(d, p->comms);
    m->wildcards = one_in(d, 3);
    m->send_at = (int)draw_below(d, p->segments);
    m->receive_at = (int)draw_below(d, p->segments);
    m->since = m->send_at > m->receive_at ? m->send_at : m->receive_at;
    m->requests[0] = m->requests[1] = MPI_REQUEST_NULL;
    const TestComm *w = &p->on[m->comm];
    if (!one_in(d, 2) || w->comm == MPI_COMM_NULL || w->inter) {
        m->comm = -1;
        return;
    }
    m->to = (w->rank + 1) % w->size;
    m->from = (w->rank + w->size - 1) % w->size;
    m->sent = 100 + w->rank;
}

static void draw_program(Program *p, const TestComm *from, int known) {
    Draw d = {key_of(p->task->key, 2)};
    p->mine.state = key_of(key_of(p->task->key, 4), (uint64_t)rank);
    p->segments = 1 + (int)draw_below(&d, MOST_SEGMENTS);
    p->operations = 2 + (int)draw_below(&d, MOST_OPERATIONS - 1);
    draw_comms(p, &d, from, known);
    draw_message(p, &d);
    for (int i = 0; i < p->operations; ++i)
        draw_one(p, i, key_of(p->task->key, (uint64_t)(i + 200)));
}

/* A set of things to wait for, with their requests. */
typedef struct {
    Program *program;
    Pending all[MOST_REQUESTS];
    MPI_Request requests[MOST_REQUESTS];
    int n, way;
} Waited;

static void add_pending(Waited *w, Drawn *o, int half) {
    w->all[w->n] = (Pending){o, half};
    w->requests[w->n++] = o ? o->request : w->program->message.requests[half];
}

/* The thing has completed. */
static void finish(void *context, int i, int error) {
    Waited *w = context;
    Message *m = &w->program->message;
    Drawn *o = w->all[i].operation;
    if (o) {
        o->request = w->requests[i];
        check_operation(o, error, way_name(w->way));
        count(&operations_of_form[o->form], 1);
        return;
    }
    m->requests[w->all[i].half] = w->requests[i];
    m->active[w->all[i].half] = 0;
}

/* Adds null and inactive requests, which are to be ignored. */
static int with_ignored(Waited *w) {
    Program *p = w->program;
    int given = w->n;
    if (one_in(&p->mine, 3)) w->requests[given++] = MPI_REQUEST_NULL;
    for (int i = 0; i < p->operations; ++i) {
        const Drawn *o = &p->drawn[i];
        if (o->form == PERSISTENT && o->begun && !o->active && one_in(&p->mine, 2))
            w->requests[given++] = o->request;
    }
    return given;
}

/* Waits for all, in a way that is drawn. */
static void wait_for(Waited *w) {
    Program *p = w->program;
    if (!w->n) return;
    w->way = draw_way(&p->mine);
    const int given = with_ignored(w);
    say_doing(p, "waits by", way_name(w->way));
    complete(w->way, &p->mine, w->n, given, w->requests, finish, w);
    for (int i = 0; i < w->n; ++i) {
        Drawn *o = w->all[i].operation;
        if (!o || !o->active) continue;
        o->active = 0;
        snprintf(o->wrong, sizeof o->wrong, "%s did not report it as complete", way_name(w->way));
    }
}

/* Waits for some of what began before a segment; `all`: for everything. */
static void wait_for_some(Program *p, int before, int all) {
    Waited w = {.program = p};
    for (int i = 0; i < p->operations; ++i) {
        Drawn *o = &p->drawn[i];
        if (o->active && o->since < before && (all || one_in(&p->mine, 2))) add_pending(&w, o, 0);
    }
    for (int half = 0; half < 2; ++half)
        if (p->message.active[half] && p->message.since < before && (all || one_in(&p->mine, 2)))
            add_pending(&w, NULL, half);
    for (int i = w.n - 1; i > 0; --i) { /* in any order */
        const int j = (int)draw_below(&p->mine, i + 1);
        const Pending one = w.all[i];
        const MPI_Request request = w.requests[i];
        w.all[i] = w.all[j], w.all[j] = one;
        w.requests[i] = w.requests[j], w.requests[j] = request;
    }
    wait_for(&w);
}

static void begin(Program *p, Drawn *o, int segment) {
    say_doing(p, "calls", o->text);
    begin_operation(o, p->own);
    o->since = segment;
    if (o->form == BLOCKING) count(&operations_of_form[BLOCKING], 1);
    if (o->form != PERSISTENT || o->served || !tame || !is_mpich) return;
    /* MPICH's own persistent collectives do not stand being under way together. */
    count(&left_to_mpich, 1);
    o->starts = 0;
    free_persistent(o);
}

/* What all ranks do in one order. */
static void begin_segment(Program *p, int s) {
    for (int c = 0; c < p->comms; ++c) {
        int stands = p->fresh[c] && p->freed_at[c] == s && p->on[c].comm != MPI_COMM_NULL;
        for (int i = 0; i < p->operations; ++i)
            if (p->drawn[i].present && p->drawn[i].comm == c) stands &= stands_frees(&p->drawn[i]);
        if (p->message.comm == c || !stands) continue;
        say_doing(p, "frees", p->on[c].name);
        p->freed[c] = 1;
        MPI_Comm_free(&p->on[c].comm);
    }
    for (int i = 0; i < p->operations; ++i) {
        Drawn *o = &p->drawn[i];
        if (o->present && o->segment == s && o->form != NONBLOCKING) begin(p, o, s);
    }
}

/* Starts persistent requests, one by one or together. */
static void start(Program *p, Drawn **all, int n, int segment) {
    MPI_Request requests[MOST_OPERATIONS];
    int error = MPI_SUCCESS;
    for (int i = 0; i < n; ++i) {
        if (all[i]->active) {
            Waited w = {.program = p};
            add_pending(&w, all[i], 0);
            wait_for(&w);
        }
        say_doing(p, "starts", all[i]->text);
        renew_operation(all[i]);
        requests[i] = all[i]->request;
    }
    if (n > 1) error = MPI_Startall(n, requests);
    for (int i = 0; i < n; ++i) {
        if (n == 1) error = MPI_Start(&requests[i]);
        all[i]->request = requests[i];
        all[i]->since = segment;
        mark_started(all[i], error);
    }
}

/* What may be started next: the first nonblocking call of each communicator, and all persistent
 * requests that are due. */
static int startable(Program *p, int s, Drawn **out) {
    unsigned seen = 0; /* communicators with a nonblocking call before */
    int n = 0;
    for (int i = 0; i < p->operations; ++i) {
        Drawn *o = &p->drawn[i];
        if (!o->present) continue;
        if (o->form == NONBLOCKING && o->segment == s && !o->begun && !(seen >> o->comm & 1))
            out[n++] = o, seen |= 1u << o->comm;
        if (o->form == PERSISTENT && o->begun && o->starts >> s & 1 && o->started != s)
            out[n++] = o;
    }
    return n;
}

static void start_message(Program *p, int s) {
    Message *m = &p->message;
    const TestComm *w = &p->on[m->comm < 0 ? 0 : m->comm];
    if (m->comm >= 0 && m->send_at == s) {
        MPI_Isend(&m->sent, 1, MPI_INT, m->to, 5, w->comm, &m->requests[0]);
        m->active[0] = 1;
    }
    if (m->comm >= 0 && m->receive_at == s) {
        MPI_Irecv(&m->got, 1, MPI_INT, m->wildcards ? MPI_ANY_SOURCE : m->from,
                  m->wildcards ? MPI_ANY_TAG : 5, w->comm, &m->requests[1]);
        m->active[1] = 1;
    }
}

/* Starts what the segment starts, in an order of this rank's own. */
static void start_all(Program *p, int s) {
    Drawn *next[MOST_OPERATIONS], *together[MOST_OPERATIONS];
    for (int n = startable(p, s, next); n > 0; n = startable(p, s, next)) {
        int of_start = 0;
        Drawn *o = next[draw_below(&p->mine, n)];
        if (one_in(&p->mine, 4)) wait_for_some(p, s, 0);
        if (o->form == NONBLOCKING) {
            begin(p, o, s);
            continue;
        }
        together[of_start++] = o;
        if (one_in(&p->mine, 2))
            for (int i = 0; i < n; ++i)
                if (next[i] != o && next[i]->form == PERSISTENT) together[of_start++] = next[i];
        for (int i = 0; i < of_start; ++i) together[i]->started = s;
        start(p, together, of_start, s);
    }
}

/* What is left, in an order of this rank's own, and what the ranks decide together. */
static void end_program(Program *p) {
    wait_for_some(p, p->segments + 1, 1);
    const Message *m = &p->message;
    if (m->comm >= 0 && m->got != 100 + m->from)
        tell(p->task, "point-to-point", "a message", "has another number", 1),
            count(&differences, 1);
    for (int i = 0; i < p->operations; ++i)
        if (p->drawn[i].present) free_persistent(&p->drawn[i]);
    for (int i = 0; i < p->operations; ++i) {
        Drawn *o = &p->drawn[i];
        const TestComm *w = &p->on[o->comm];
        if (!o->present) continue;
        if (o->form == NONBLOCKING && o->served && !o->barrier && !p->freed[o->comm] &&
            is_rounded(&o->c) && promises_same_bits(p->task->choice) &&
            !same_everywhere(w, o->hash))
            snprintf(o->wrong, sizeof o->wrong, "not the same bits on all ranks");
        if (o->served) count(&served_calls, 1);
    }
}

static void run_once(Program *p) {
    for (int s = 0; s < p->segments; ++s) {
        begin_segment(p, s);
        start_message(p, s);
        start_all(p, s);
        wait_for_some(p, s + 1, 0);
    }
    begin_segment(p, p->segments);
    end_program(p);
}

static Program *make_program(const Task *k, int own, const TestComm *from, int known) {
    Program *p = calloc(1, sizeof *p);
    p->task = k;
    p->own = own;
    draw_program(p, from, known);
    return p;
}

static void free_program(Program *p) {
    for (int i = 0; i < p->operations; ++i)
        if (p->drawn[i].present) end_operation(&p->drawn[i]);
    for (int c = 0; c < p->comms; ++c)
        if (p->fresh[c]) free_test_comm(&p->on[c]);
    now_running[p->task->in_thread][0] = 0;
    free(p);
}

/* The operations that are wrong on any rank, a bit for each. */
static unsigned wrong_on_any(const Program *p, const TestComm *all) {
    int (*reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    unsigned mine = 0, any;
    *(void **)&reduce = library_symbol("PMPI_Allreduce");
    for (int i = 0; i < p->operations; ++i)
        if (p->drawn[i].present && p->drawn[i].wrong[0]) mine |= 1u << i;
    reduce(&mine, &any, 1, MPI_UNSIGNED, MPI_BOR, all->comm);
    return any;
}

void run_program(const Task *k, const TestComm *from, int known, const TestComm *all) {
    Program *p = make_program(k, 0, from, known);
    run_once(p);
    const unsigned wrong = wrong_on_any(p, all);
    unsigned of_library = 0;
    if (wrong && last_served) { /* does the MPI library do better? */
        Program *again = make_program(k, 1, from, known);
        run_once(again);
        of_library = wrong_on_any(again, all);
        free_program(again);
    }
    for (int i = 0; i < p->operations; ++i) {
        const Drawn *o = &p->drawn[i];
        const int ours = !(of_library >> i & 1);
        if (!o->present || !o->wrong[0]) continue;
        tell(k, o->text, o->by, o->wrong, ours);
        count(ours ? &differences : &faults_of_library, 1);
    }
    free_program(p);
}
