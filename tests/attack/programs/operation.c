#include "operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "barriers.h"

enum { TIMES = 1000 }; /* of a slot in one program */
static __thread int requests_of_hopbine;

/* hopbine's requests are receives of nothing on a communicator of this process alone. Here these
 * are counted on their way to the MPI library. */
int PMPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Request *request) {
    int (*real)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *), size = 0;
    *(void **)&real = library_symbol("PMPI_Irecv");
    if (count == 0) MPI_Comm_size(comm, &size);
    requests_of_hopbine += size == 1;
    return real(buffer, count, type, from, tag, comm, request);
}

int PMPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                   MPI_Request *request) {
    int (*real)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    *(void **)&real = library_symbol("PMPI_Recv_init");
    ++requests_of_hopbine;
    return real(buffer, count, type, from, tag, comm, request);
}

/* Whether Open MPI's own nonblocking and persistent forms would write past their memory
 * (docs/library-faults.md). */
static int quiet_openmpi(const Case *c) {
    return tame && !is_mpich && c->users && c->in_place && c->out.layout->low != 0;
}

void draw_operation(Drawn *o, const TestComm *on, uint64_t key, uint64_t local, int function) {
    o->barrier = function == functions_known;
    o->request = MPI_REQUEST_NULL;
    o->own_op = MPI_OP_NULL;
    o->profiled = (int)(key_of(key, 9) % 5 == 0);
    if (o->barrier)
        o->c = (Case){.on = on, .function = function};
    else
        draw_case(&o->c, on, key, local, function);
    if (!o->barrier && quiet_openmpi(&o->c)) o->form = BLOCKING;
    static const char *const forms[] = {"", "nonblocking ", "persistent "};
    snprintf(o->text, sizeof o->text, "%s%s", forms[o->form],
             o->barrier ? "Barrier on " : o->c.text);
    if (o->barrier) snprintf(o->text + strlen(o->text), 100, "%s", on->name);
}

static void note(Drawn *o, const char *wrong) {
    if (wrong && !o->wrong[0]) snprintf(o->wrong, sizeof o->wrong, "%s", wrong);
}

static void note_error(Drawn *o, int error, const char *by) {
    char said[MPI_MAX_ERROR_STRING], text[300];
    int length;
    if (!error) return;
    MPI_Error_string(error, said, &length);
    snprintf(text, sizeof text, "%s returned: %.200s", by, said);
    note(o, text);
}

int stands_frees(const Drawn *o) {
    return o->form == NONBLOCKING && o->begun && (o->served || is_mpich);
}

/* The program frees its datatypes and operation while the call is under way. */
static void free_handles(Drawn *o) {
    o->freed = 1;
    for (int k = 0; k < 2; ++k) {
        if (o->c.absolute[k] != MPI_DATATYPE_NULL) MPI_Type_free(&o->c.absolute[k]);
        if (o->c.made[k].offset && !o->c.made[k].predefined) {
            MPI_Datatype handle = o->c.made[k].type;
            MPI_Type_free(&handle);
        }
    }
    if (o->own_op != MPI_OP_NULL) MPI_Op_free(&o->own_op);
}

static void come_to_barrier(Drawn *o) {
    if (o->barrier) come(o->slot, o->time * TIMES + ++o->rounds);
}

static int call(Drawn *o, int own) {
    if (o->barrier) {
        if (o->form != PERSISTENT) come_to_barrier(o);
        return call_barrier(o->c.on->comm, own, o->profiled, o->form, &o->request);
    }
    fill_buffers(&o->c, &o->send, &o->recv);
    arguments_of(&o->c, &o->send, &o->recv, &o->a);
    if (o->c.users && o->frees) o->a.op = o->own_op = new_user_operation(o->c.users - 1);
    return call_form(&o->c, &o->a, own, o->form, &o->request, &o->arrays);
}

void begin_operation(Drawn *o, int own) {
    const int made = requests_of_hopbine;
    const int error = call(o, own);
    o->begun = 1;
    o->served = o->form == BLOCKING ? !own && last_served && strcmp(last_served(), "mpi") != 0
                                    : requests_of_hopbine > made;
    snprintf(o->by, sizeof o->by, "%s",
             o->form == BLOCKING && o->served ? last_served()
             : o->served                      ? "hopbine"
                                              : "the MPI library");
    o->active = o->form == NONBLOCKING && !error;
    note_error(o, error, "the call");
    if (o->form == BLOCKING) check_operation(o, error, "the call");
    if (o->active && o->frees && !o->barrier && stands_frees(o)) free_handles(o);
}

void renew_operation(Drawn *o) {
    come_to_barrier(o);
    if (o->barrier) return;
    o->c.data = key_of(o->c.data, 1);
    refill_buffers(&o->c, &o->send, &o->recv);
}

void mark_started(Drawn *o, int error) {
    note_error(o, error, "the start");
    o->active = !error;
    if (!o->barrier) ++o->rounds;
}

void check_operation(Drawn *o, int error, const char *by) {
    o->active = 0;
    note_error(o, error, by);
    if (o->form == NONBLOCKING && o->request != MPI_REQUEST_NULL)
        note(o, "the request is not null when it has completed");
    if (o->form == PERSISTENT && o->request == MPI_REQUEST_NULL)
        note(o, "the persistent request is null when it has completed");
    if (o->barrier) {
        if (!all_came(o->c.on, o->slot, o->time * TIMES + o->rounds))
            note(o, "left before all ranks had come");
        return;
    }
    note(o, check_buffers(&o->c, &o->send, &o->recv));
    o->hash = hash_result(&o->c, &o->recv);
}

void free_persistent(Drawn *o) {
    if (o->form == PERSISTENT && o->begun && o->request != MPI_REQUEST_NULL)
        note_error(o, MPI_Request_free(&o->request), "MPI_Request_free");
}

void end_operation(Drawn *o) {
    if (o->barrier) return;
    if (o->begun) {
        if (o->own_op != MPI_OP_NULL) MPI_Op_free(&o->own_op);
        free_arrays(&o->arrays);
        free_arguments(&o->c, &o->a);
        free_memory(&o->send);
        free_memory(&o->recv);
    }
    for (int k = 0; o->freed && k < 2; ++k)
        o->c.made[k].predefined = 1; /* only the memory is left */
    end_case(&o->c);
}
