/* hopbine-delayd FILE: the latency of an emulated cluster, also where the kernel has no netem.
 *
 * Every host's firewall hands its incoming packets to queue 0 of its network namespace. This one
 * process has all these queues: it holds each packet for the latency of its way, and lets it go on.
 * What shapes and orders packets has happened before. FILE has lines
 *
 *     class MICROSECONDS
 *     host NAMESPACE ADDRESS CLASSES
 *
 * CLASSES has a character for each host: '0' where packets from it have the first class, the next
 * one for the second, and so on. It writes a line when it has begun. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "queues.h"

enum {
    MOST_CLASSES = 64,
    SECOND = 1000000000,
    SLACK_NS = 1000, /* of timers, 50 us by default */
    PRIORITY = 2     /* of the real-time class, above that of ranks */
};

/* A packet, until it is due. In a class deadlines only grow, so that a ring holds them in order. */
struct held {
    uint64_t due;
    uint32_t packet;
    int host;
};
struct ring {
    struct held held[MOST_HELD];
    unsigned first, end;
};
static struct ring rings[MOST_CLASSES];
static uint64_t delays[MOST_CLASSES]; /* in ns */
static int classes, hosts;
static struct pollfd queues[MOST_HOSTS];
static uint32_t addresses[MOST_HOSTS];
static char class_from[MOST_HOSTS][MOST_HOSTS + 1];

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* The class of what comes to a host from an address, or -1. */
static int class_of(int host, uint32_t source) {
    for (int i = 0; i < hosts; ++i)
        if (addresses[i] == source) return class_from[host][i] - '0';
    return -1;
}

static void hold(int host, uint32_t packet, uint32_t source) {
    const int class = class_of(host, source);
    struct ring *const ring = class < 0 ? NULL : &rings[class];
    if (!ring || !delays[class] || ring->end - ring->first == MOST_HELD) {
        queue_release(host, packet);
        return;
    }
    ring->held[ring->end++ % MOST_HELD] = (struct held){now() + delays[class], packet, host};
}

/* Lets go what is due, and tells when the next packet is; UINT64_MAX: none is held. */
static uint64_t release(void) {
    const uint64_t time = now();
    uint64_t next = UINT64_MAX;
    for (int c = 0; c < classes; ++c) {
        struct ring *const ring = &rings[c];
        for (; ring->first != ring->end; ++ring->first) {
            const struct held *const one = &ring->held[ring->first % MOST_HELD];
            if (one->due > time) {
                if (one->due < next) next = one->due;
                break;
            }
            queue_release(one->host, one->packet);
        }
    }
    for (int h = 0; h < hosts; ++h) queue_flush(h);
    return next;
}

static void serve(void) {
    for (;;) {
        const uint64_t next = release(), time = now(), left = next > time ? next - time : 0;
        const struct timespec most = {.tv_sec = (time_t)(left / SECOND),
                                      .tv_nsec = (long)(left % SECOND)};
        if (ppoll(queues, (nfds_t)hosts, next == UINT64_MAX ? NULL : &most, NULL) > 0)
            for (int h = 0; h < hosts; ++h)
                if (queues[h].revents) queue_read(h, hold);
    }
}

/* Takes one line of the file. 0, or -1. */
static int read_line(const char *line) {
    char network[256], address[64];
    double microseconds;
    if (sscanf(line, "class %lf", &microseconds) == 1 && classes < MOST_CLASSES) {
        delays[classes++] = (uint64_t)(microseconds * 1000);
        return 0;
    }
    if (hosts == MOST_HOSTS ||
        sscanf(line, "host %255s %63s %64s", network, address, class_from[hosts]) != 3)
        return -1;
    for (const char *c = class_from[hosts]; *c; ++c)
        if (*c < '0' || *c >= '0' + classes) return -1;
    if (inet_pton(AF_INET, address, &addresses[hosts]) != 1) return -1;
    queues[hosts] = (struct pollfd){.fd = queue_open(network), .events = POLLIN};
    return queues[hosts++].fd < 0 ? -1 : 0;
}

int main(int count, char **words) {
    char line[1024];
    FILE *const file = count == 2 ? fopen(words[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: hopbine-delayd FILE\n");
        return 2;
    }
    while (fgets(line, sizeof line, file))
        if (read_line(line)) {
            fprintf(stderr, "hopbine-delayd: cannot take: %s", line);
            return 1;
        }
    fclose(file);
    const struct sched_param priority = {.sched_priority = PRIORITY};
    prctl(PR_SET_TIMERSLACK, (unsigned long)SLACK_NS, 0, 0, 0);
    (void)sched_setscheduler(0, SCHED_RR, &priority); /* refused without root */
    printf("hopbine-delayd: %d hosts, %d classes\n", hosts, classes);
    fflush(stdout);
    serve();
}
