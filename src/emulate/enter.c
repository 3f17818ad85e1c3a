/* hopbine-enter [options] HOST WORDS...: as ssh, runs a command on a host of an emulated cluster.
 *
 * MPI launchers start their daemons with it. The host is a network namespace that `hopbine emulate`
 * has made; the command has the host's name, so that MPI libraries take hosts for different
 * machines, its network devices in /sys, where UCX looks for them, and a /dev/shm of its own.
 * Options are those of ssh that launchers pass, none of which takes a word of its own. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAMESPACES "/run/netns/"
/* A link to the shell, by whose name the cluster's first process knows it when it is killed. */
#define SHELL "/run/hopbine/hopbine-shell"
enum { KILLED = 128 + SIGKILL }; /* a shell's exit code */

static _Noreturn void fail(const char *what) {
    perror(what);
    exit(255); /* ssh's own status */
}

/* This process becomes one of the host's. */
static void enter(const char *host) {
    char path[sizeof NAMESPACES + 64];
    if (strchr(host, '/') || snprintf(path, sizeof path, NAMESPACES "%s", host) >= (int)sizeof path)
        fail("hopbine-enter: no such host");
    const int network = open(path, O_RDONLY | O_CLOEXEC);
    if (network < 0 || setns(network, CLONE_NEWNET)) fail(path);
    if (unshare(CLONE_NEWUTS | CLONE_NEWNS) || sethostname(host, strlen(host)))
        fail("hopbine-enter: the host's name");
    /* Inside containers this may be refused; Open MPI does without it. */
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) return;
    (void)mount("sysfs", "/sys", "sysfs", 0, NULL);
    (void)mount("tmpfs", "/dev/shm", "tmpfs", 0, NULL);
}

/* Words with blanks between them, for a shell, as ssh has it. */
static char *joined(char *const *words) {
    size_t length = 1;
    for (char *const *one = words; *one; ++one) length += strlen(*one) + 1;
    char *const out = malloc(length), *end = out;
    if (!out) fail("hopbine-enter");
    for (*out = '\0'; *words; ++words) end = stpcpy(stpcpy(end, *words), words[1] ? " " : "");
    return out;
}

/* Becomes the command. */
static _Noreturn void run(char *const *words) {
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) fail("/dev/null");
    prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0, 0, 0);
    execl(SHELL, "sh", "-c", joined(words), (char *)NULL);
    fail(SHELL);
}

int main(int count, char **words) {
    int at = 1, status;
    while (at < count && words[at][0] == '-') ++at;
    if (count - at < 2) {
        fprintf(stderr, "usage: hopbine-enter HOST COMMAND...\n");
        return 255;
    }
    enter(words[at]);
    const pid_t child = fork();
    if (child < 0) fail("hopbine-enter: fork");
    if (!child) run(words + at + 1);
    if (waitpid(child, &status, 0) != child) fail("hopbine-enter: waitpid");
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : KILLED;
    /* A daemon that was killed: not every launcher sees that, and its job would wait for ever. */
    if (code == KILLED) kill(1, SIGUSR1);
    return code;
}
