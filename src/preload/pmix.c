/* Puts this rank's key between the start of the MPI library's PMIx client and the exchange of keys.
 *
 * Both happen inside MPI_Init, so PMIx_Init is interposed. Structures and numbers are those of the
 * PMIx standard's ABI. */
#define _GNU_SOURCE
#include "pmix.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PMIX_SUCCESS = 0, PMIX_GLOBAL = 3, PMIX_RANK_WILDCARD = -2 };
enum { PMIX_BOOL = 1, PMIX_STRING = 3, PMIX_INT = 6, PMIX_UINT32 = 14 };
/* Seconds for another host's answer. A rank that gives up where others do not would leave them
 * waiting in MPI_Init; where a rank has no key the job begins so much later. */
enum { MOST_TEXT = 4096, PATIENCE = 20 };
/* Ranks of a job in which each asks for all keys: at 0.2 to 0.5 ms each (16 emulated hosts) a tenth
 * of a second. */
enum { MOST_ASKED = 256 };
#define KEY "hopbine"
#define IMMEDIATE "pmix.immediate" /* the server answers at once */
#define OPTIONAL "pmix.optional"   /* no server is asked */
#define TIMEOUT "pmix.timeout"
#define HOST "pmix.hname"

struct process {
    char nspace[256];
    uint32_t rank;
};
struct value {
    uint16_t type;
    union {
        _Bool flag;
        int number;
        uint32_t count;
        const char *string;
        char other[3 * sizeof(void *)]; /* PMIx 2 to 5: the largest is pmix_envar_t */
    } data;
};
struct info {
    char key[512];
    uint32_t flags;
    struct value value;
};
/* Values are copied from the client's memory, and entries passed to it in a row. */
_Static_assert(sizeof(void *) != 8 || (sizeof(struct value) == 32 && sizeof(struct info) == 552),
               "as PMIx has them");

static struct process self;
static int published, declined;
static int (*get)(const struct process *, const char *, const struct info *, size_t,
                  struct value **);

/* Finds a function of the PMIx client. The MPI library links it, or one of its components loads it
 * privately. */
static void *client(const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    void *library = symbol ? NULL : dlopen("libpmix.so.2", RTLD_NOW | RTLD_NOLOAD);
    return library ? dlsym(library, name) : symbol;
}

static void publish(void) {
    int (*put)(uint8_t, const char *, struct value *), (*commit)(void);
    struct value here = {.type = PMIX_STRING, .data.string = "here"};
    *(void **)&put = client("PMIx_Put");
    *(void **)&commit = client("PMIx_Commit");
    *(void **)&get = client("PMIx_Get");
    published = put && commit && get && put(PMIX_GLOBAL, KEY, &here) == PMIX_SUCCESS &&
                commit() == PMIX_SUCCESS;
}

__attribute__((visibility("default"))) int PMIx_Init(struct process *process, void *info,
                                                     size_t n) {
    int (*next)(struct process *, void *, size_t);
    struct process own;
    *(void **)&next = client("PMIx_Init");
    if (!next) return -1;
    memset(&own, 0, sizeof own);
    const int status = next(&own, info, n);
    if (process) *process = own;
    if (status == PMIX_SUCCESS && !published && !declined) {
        self = own;
        publish();
    }
    return status;
}

int pmix_is_launcher(void) { return getenv("PMIX_NAMESPACE") != NULL; }
int pmix_published(void) { return published; }
int pmix_rank(void) { return (int)self.rank; }
void pmix_decline(void) { declined = 1; }

/* What `rank` has under this name; `how` has `n` entries. A string is copied to `copy`, unless that
 * is null. The type is 0 where there is nothing. */
static struct value look_up(uint32_t rank, const char *key, const struct info *how, size_t n,
                            char copy[MOST_TEXT]) {
    struct process other = self;
    struct value *found = NULL, none = {.type = 0};
    other.rank = rank;
    if (get(&other, key, how, n, &found) != PMIX_SUCCESS || !found) return none;
    const struct value told = *found;
    if (told.type == PMIX_STRING) {
        if (copy) snprintf(copy, MOST_TEXT, "%s", told.data.string);
        free((void *)told.data.string);
    }
    free(found);
    return told;
}

/* Whether `rank` has something of this name; see look_up(). */
static int has(uint32_t rank, const char *key, const struct info *how, char copy[MOST_TEXT]) {
    return look_up(rank, key, how, 1, copy).type != 0;
}

/* Whether `rank` is known to be on another host than this one. */
static int is_elsewhere(uint32_t rank) {
    const struct info known = {.key = OPTIONAL, .value = {.type = PMIX_BOOL, .data.flag = 1}};
    char here[MOST_TEXT] = "", there[MOST_TEXT] = "";
    return has(self.rank, HOST, &known, here) && has(rank, HOST, &known, there) &&
           strcmp(here, there) != 0;
}

/* Open MPI 5's launcher. Its servers do not keep other hosts' keys (docs/library-faults.md). */
static int is_prte(void) { return getenv("PRTE_LAUNCHED") != NULL; }

/* A number that the launcher tells of the whole job; 0 where it does not. */
static uint32_t of_job(const char *key) {
    const struct info known = {.key = OPTIONAL, .value = {.type = PMIX_BOOL, .data.flag = 1}};
    const struct value told = look_up((uint32_t)PMIX_RANK_WILDCARD, key, &known, 1, NULL);
    return told.type == PMIX_UINT32 ? told.data.count : 0;
}

/* Whether a command, words with blanks between them, is that of hopbine run. */
static int is_hopbine_run(const char *command) {
    const size_t length = strcspn(command, " ");
    const char *name = command + length;
    while (name > command && name[-1] != '/') --name;
    const char *const rest = command + length;
    if (!strncmp(name, "python", 6)) return !strncmp(rest, " -m hopbine run ", 16);
    return !strncmp(name, "hopbine run ", 12);
}

int pmix_asks_too_many(int size) {
    const char *const tested = getenv("HOPBINE_TEST_MOST_ASKED");
    const int most = tested ? atoi(tested) : MOST_ASKED;
    return size > most && is_prte() && of_job("pmix.num.nodes") > 1;
}

int pmix_is_one_command(void) {
    const struct info how[] = {
        {.key = "pmix.appinfo", .value = {.type = PMIX_BOOL, .data.flag = 1}},
        {.key = OPTIONAL, .value = {.type = PMIX_BOOL, .data.flag = 1}},
    };
    char command[MOST_TEXT] = "";
    if (of_job("pmix.job.napps") != 1) return 0;
    look_up((uint32_t)PMIX_RANK_WILDCARD, "pmix.app.argv", how, 2, command);
    return is_hopbine_run(command);
}

int pmix_is_present(int rank) {
    static int missed; /* no other rank is waited for once one has no key */
    const struct info now = {.key = IMMEDIATE, .value = {.type = PMIX_BOOL, .data.flag = 1}};
    if (has((uint32_t)rank, KEY, &now, NULL)) return 1;
    /* They ask other hosts only if they may take their time: less than a millisecond where there is
     * a key. */
    if (missed || !is_prte() || !is_elsewhere((uint32_t)rank)) return 0;
    const struct info soon = {.key = TIMEOUT, .value = {.type = PMIX_INT, .data.number = PATIENCE}};
    missed = !has((uint32_t)rank, KEY, &soon, NULL);
    return !missed;
}
