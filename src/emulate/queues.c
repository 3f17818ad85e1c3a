/* The netlink messages of NFQUEUE. */
#define _GNU_SOURCE
#include "queues.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_queue.h>
#include <linux/netlink.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    IP_HEADER = 20,
    IP_SOURCE = 12,            /* where the source's address is in it */
    RECEIVED = 1 << 16,        /* bytes that are read at once */
    RECEIVE_BUFFER = 16 << 20, /* of the socket: what comes while this program has no core */
    VERDICTS = 8192,           /* bytes of messages that are sent at once */
    VERDICT = 64               /* bytes that one needs at most */
};

static int hosts, sockets[MOST_HOSTS];
static char verdicts[MOST_HOSTS][VERDICTS];
static size_t pending[MOST_HOSTS];

/* Begins a message at `at`. Its length so far. */
static size_t begin(char *at, int type, uint16_t flags) {
    const struct nlmsghdr head = {.nlmsg_type = (uint16_t)((NFNL_SUBSYS_QUEUE << 8) | type),
                                  .nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags)};
    const struct nfgenmsg family = {.nfgen_family = AF_UNSPEC, .version = NFNETLINK_V0};
    memcpy(at, &head, sizeof head);
    memcpy(at + NLMSG_HDRLEN, &family, sizeof family);
    return NLMSG_LENGTH(sizeof family);
}

/* Adds an attribute to a message of a length. The new length. */
static size_t add(char *at, size_t length, int type, const void *data, size_t bytes) {
    const struct nlattr head = {.nla_len = (uint16_t)(NLA_HDRLEN + bytes),
                                .nla_type = (uint16_t)type};
    memcpy(at + length, &head, sizeof head);
    memcpy(at + length + NLA_HDRLEN, data, bytes);
    return length + NLA_ALIGN(NLA_HDRLEN + bytes);
}

static void finish(char *at, size_t length) {
    const uint32_t bytes = (uint32_t)length;
    memcpy(at, &bytes, sizeof bytes); /* nlmsg_len is the first */
}

static int complain(const char *what) {
    perror(what);
    return -1;
}

/* Sends a setting of the queue, and waits for the kernel's answer. 0, or -1. */
static int set(int socket, int type, const void *data, size_t bytes) {
    char message[256], answer[4096];
    size_t length = add(message, begin(message, NFQNL_MSG_CONFIG, NLM_F_ACK), type, data, bytes);
    if (type == NFQA_CFG_FLAGS) length = add(message, length, NFQA_CFG_MASK, data, bytes);
    finish(message, length);
    if (send(socket, message, length, 0) < 0) return complain("hopbine-delayd: send");
    const ssize_t got = recv(socket, answer, sizeof answer, 0);
    struct nlmsghdr head;
    int error;
    if (got < (ssize_t)(NLMSG_HDRLEN + sizeof error)) return complain("hopbine-delayd: recv");
    memcpy(&head, answer, sizeof head);
    memcpy(&error, answer + NLMSG_HDRLEN, sizeof error);
    if (head.nlmsg_type != NLMSG_ERROR || !error) return 0;
    errno = -error;
    return complain("hopbine-delayd: the kernel has no NFQUEUE for this");
}

static int configure(int socket) {
    const struct nfqnl_msg_config_cmd bind = {.command = NFQNL_CFG_CMD_BIND, .pf = htons(AF_INET)};
    const struct nfqnl_msg_config_params copied = {.copy_range = htonl(IP_HEADER),
                                                   .copy_mode = NFQNL_COPY_PACKET};
    const uint32_t most = htonl(MOST_HELD), flags = htonl(NFQA_CFG_F_FAIL_OPEN | NFQA_CFG_F_GSO);
    return set(socket, NFQA_CFG_CMD, &bind, sizeof bind) ||
           set(socket, NFQA_CFG_PARAMS, &copied, sizeof copied) ||
           set(socket, NFQA_CFG_QUEUE_MAXLEN, &most, sizeof most) ||
           set(socket, NFQA_CFG_FLAGS, &flags, sizeof flags);
}

int queue_open(const char *network) {
    const int there = open(network, O_RDONLY | O_CLOEXEC);
    if (hosts == MOST_HOSTS || there < 0 || setns(there, CLONE_NEWNET)) return complain(network);
    close(there);
    const int one = 1, large = RECEIVE_BUFFER;
    const int made = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
    const struct sockaddr_nl any = {.nl_family = AF_NETLINK};
    if (made < 0 || bind(made, (const struct sockaddr *)&any, sizeof any))
        return complain("hopbine-delayd: netlink");
    /* A user's own root may not have a larger buffer; then a flood of packets passes undelayed. */
    if (setsockopt(made, SOL_SOCKET, SO_RCVBUFFORCE, &large, sizeof large))
        (void)setsockopt(made, SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
    (void)setsockopt(made, SOL_NETLINK, NETLINK_NO_ENOBUFS, &one, sizeof one);
    if (configure(made)) return -1;
    fcntl(made, F_SETFL, O_NONBLOCK);
    sockets[hosts++] = made;
    return made;
}

/* Reads one message of the kernel, which may be a packet. */
static void read_message(int host, const char *at, size_t bytes,
                         void (*taken)(int, uint32_t, uint32_t)) {
    uint32_t packet = 0, source = 0;
    for (size_t i = NLMSG_LENGTH(sizeof(struct nfgenmsg)); i + NLA_HDRLEN <= bytes;) {
        struct nlattr head;
        memcpy(&head, at + i, sizeof head);
        if (head.nla_len < NLA_HDRLEN || i + head.nla_len > bytes) return;
        const size_t size = head.nla_len - NLA_HDRLEN;
        const int type = head.nla_type & NLA_TYPE_MASK;
        if (type == NFQA_PACKET_HDR && size >= sizeof packet)
            memcpy(&packet, at + i + NLA_HDRLEN, sizeof packet); /* packet_id is the first */
        if (type == NFQA_PAYLOAD && size >= IP_HEADER)
            memcpy(&source, at + i + NLA_HDRLEN + IP_SOURCE, sizeof source);
        i += NLA_ALIGN(head.nla_len);
    }
    taken(host, ntohl(packet), source);
}

void queue_read(int host, void (*taken)(int host, uint32_t packet, uint32_t source)) {
    static char received[RECEIVED];
    ssize_t got;
    while ((got = recv(sockets[host], received, sizeof received, 0)) > 0)
        for (size_t i = 0; i + NLMSG_HDRLEN <= (size_t)got;) {
            struct nlmsghdr head;
            memcpy(&head, received + i, sizeof head);
            if (head.nlmsg_len < NLMSG_HDRLEN || i + head.nlmsg_len > (size_t)got) break;
            if (head.nlmsg_type == ((NFNL_SUBSYS_QUEUE << 8) | NFQNL_MSG_PACKET))
                read_message(host, received + i, head.nlmsg_len, taken);
            i += NLMSG_ALIGN(head.nlmsg_len);
        }
}

void queue_release(int host, uint32_t packet) {
    char *const at = verdicts[host] + pending[host];
    const struct nfqnl_msg_verdict_hdr accept = {htonl(NF_ACCEPT), htonl(packet)};
    const size_t length =
        add(at, begin(at, NFQNL_MSG_VERDICT, 0), NFQA_VERDICT_HDR, &accept, sizeof accept);
    finish(at, length);
    pending[host] += NLMSG_ALIGN(length);
    if (pending[host] > VERDICTS - VERDICT) queue_flush(host);
}

void queue_flush(int host) {
    if (pending[host] && send(sockets[host], verdicts[host], pending[host], 0) < 0)
        perror("hopbine-delayd: verdict");
    pending[host] = 0;
}
