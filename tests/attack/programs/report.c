#include "report.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rank, ranks;
uint64_t seed = 1;
char now_running[THREADS + 1][RUNNING_TEXT];
long served_calls, differences, faults_of_library;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void count(long *number, long more) {
    pthread_mutex_lock(&lock);
    *number += more;
    pthread_mutex_unlock(&lock);
}

void tell(const Task *k, const char *text, const char *by, const char *what, int ours) {
    pthread_mutex_lock(&lock);
    fprintf(stderr, "%s --seed %llu --case %ld -n %d rank %d: %s: %s\n  %s%s\n  algorithms: %s\n",
            ours ? "DIFFERENCE" : "LIBRARY", (unsigned long long)seed, k->number, ranks, rank, by,
            what, text, k->in_thread ? " (in a thread)" : "",
            k->choice ? k->choice : "hopbine's own choice");
    pthread_mutex_unlock(&lock);
}

void tell_and_die(int number) {
    const char *what = number == SIGALRM ? "HANG " : "CRASH ";
    for (int t = 0; t <= THREADS; ++t)
        if (now_running[t][0] && (write(2, what, strlen(what)) < 0 ||
                                  write(2, now_running[t], strlen(now_running[t])) < 0))
            _exit(4);
    if (number == SIGALRM) _exit(3);
    signal(number, SIG_DFL);
    raise(number);
}
