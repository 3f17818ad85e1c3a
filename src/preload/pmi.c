#define _GNU_SOURCE
#include "pmi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 2048, LONGEST_GET = 320 };
static int descriptor = -1, own_rank = -1, own_session, awaiting, published;
#define NAME_OF_SPACE "cmd=get_my_kvsname\n"
static char space[256]; /* of the keys, one for each MPI_COMM_WORLD */

ssize_t __write(int, const void *,
                size_t); /* the C library's own: write() must stay safe in signal handlers */

static int send_request(const char *request) {
    const size_t length = strlen(request);
    return __write(descriptor, request, length) == (ssize_t)length;
}

/* The next answer without its end of line, or null. Nothing else comes on the descriptor meanwhile:
 * what has come is read at once. */
static const char *next_answer(void) {
    static char come[LINE], answer[LINE];
    static size_t length;
    char *end;
    while (!(end = memchr(come, '\n', length))) {
        const ssize_t n =
            length < sizeof come ? read(descriptor, come + length, sizeof come - length) : 0;
        if (n <= 0) return NULL;
        length += (size_t)n;
    }
    *end = '\0';
    const size_t taken = (size_t)(end - come) + 1;
    memcpy(answer, come, taken);
    memmove(come, come + taken, length -= taken);
    return answer;
}

static const char *ask(const char *request) { return send_request(request) ? next_answer() : NULL; }

/* Whether the answer is of this kind and the request succeeded. */
static int succeeded(const char *answer, const char *kind) {
    const size_t length = strlen(kind);
    if (!answer || strncmp(answer, "cmd=", 4) || strncmp(answer + 4, kind, length)) return 0;
    const char *rc = strstr(answer, " rc=");
    return !rc || !strncmp(rc, " rc=0", 5);
}

/* `answer`: to the request for the name of the space of keys. */
static void put(const char *answer) {
    char request[LINE];
    const char *name = answer ? strstr(answer, "kvsname=") : NULL;
    if (!name || sscanf(name, "kvsname=%255s", space) != 1) return;
    snprintf(request, sizeof request, "cmd=put kvsname=%s key=hopbine-%d value=here\n", space,
             own_rank);
    published = succeeded(ask(request), "put_result");
}

void pmi_publish(void) {
    const char *const size = getenv("PMI_SIZE");
    if (!getenv("PMI_FD") || !getenv("PMI_RANK")) return;
    if (size && atoi(size) == 1) return; /* nobody asks */
    descriptor = atoi(getenv("PMI_FD"));
    own_rank = atoi(getenv("PMI_RANK"));
    /* Hydra opens any number of sessions, and MPICH may have no barrier on one node: the key is put
     * in a session of its own. Other launchers refuse a second session. */
    own_session = getenv("HYDI_CONTROL_FD") != NULL;
    if (!own_session)
        awaiting = 1;
    else if (succeeded(ask("cmd=init pmi_version=1 pmi_subversion=1\n" NAME_OF_SPACE),
                       "response_to_init"))
        put(next_answer());
}

/* Interposes write: puts the key in the MPI library's own session, just before its barrier
 * request. */
__attribute__((visibility("default"))) ssize_t write(int to, const void *data, size_t n) {
    static const char barrier[] = "cmd=barrier_in";
    if (awaiting && to == descriptor && n >= sizeof barrier - 1 &&
        !memcmp(data, barrier, sizeof barrier - 1)) {
        awaiting = 0;
        put(ask(NAME_OF_SPACE));
    }
    return __write(to, data, n);
}

int pmi_published(void) { return published; }
int pmi_rank(void) { return own_rank; }

static int is_here(const char *answer) { return succeeded(answer, "get_result"); }

/* Adds a request for the key of a rank. Returns its length. */
static size_t add_get(char *request, size_t room, int rank) {
    return (size_t)snprintf(request, room, "cmd=get kvsname=%s key=hopbine-%d\n", space, rank);
}

int pmi_is_present(int rank) {
    char request[LINE];
    add_get(request, sizeof request, rank);
    return is_here(ask(request));
}

/* Asks for the keys of as many ranks from `first` on as one request may have, one where Hydra does
 * not listen. Returns the rank after them; 0: it could not be asked. Hydra reads what has come and
 * answers all of it. Each answer alone is a change of processes, which takes 0.2 ms where ranks
 * share cores. */
static int ask_from(int first, int size) {
    char requests[LINE];
    size_t length = 0;
    int next = first;
    do {
        length += add_get(requests + length, sizeof requests - length, next++);
    } while (next < size && own_session && length + LONGEST_GET < sizeof requests);
    return send_request(requests) ? next : 0;
}

static int asked; /* the rank after those whose answers are to come */

void pmi_ask(void) {
    const char *const size = getenv("PMI_SIZE");
    if (published && own_session && size) asked = ask_from(0, atoi(size));
}

int pmi_are_present(int size) {
    int present = 0;
    for (int next = 0; next < size || asked; asked = 0) {
        if (!asked && !(asked = ask_from(next, size))) return 0;
        for (; next < asked; ++next) present += is_here(next_answer());
    }
    return present == size;
}
