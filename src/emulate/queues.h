/* Queues of packets that the kernel hands to a program for a verdict (NFQUEUE), one for each host
 * of an emulated cluster. Packets stay in the kernel; the program sees their first bytes. */
#pragma once

#include <stdint.h>

enum {
    MOST_HOSTS = 64,
    MOST_HELD = 1 << 14 /* packets that a queue holds; beyond, they pass at once */
};

/* Opens the queue of the network namespace of this path, as the next host. Its descriptor, or -1
 * with the reason on standard error. */
int queue_open(const char *network);

/* Calls `taken` with each packet that has come on a host's queue, and its IPv4 source. */
void queue_read(int host, void (*taken)(int host, uint32_t packet, uint32_t source));

/* Lets a packet go on; it is told to the kernel with others, at the latest by queue_flush(). */
void queue_release(int host, uint32_t packet);
void queue_flush(int host);
