// Runs a command and writes its system calls that name files, a line for each, into LOG.PID, as
// `strace -f -e trace=%file` counts them: those of its threads and children too.
//   file_calls LOG COMMAND...     the exit code is the command's
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

// Calls of Linux whose first or second argument is the name of a file.
static const long first[] = {
    SYS_execve,  SYS_chdir,    SYS_truncate,   SYS_statfs,      SYS_chroot,     SYS_swapon,
    SYS_umount2, SYS_setxattr, SYS_lsetxattr,  SYS_getxattr,    SYS_lgetxattr,  SYS_listxattr,
    SYS_acct,    SYS_swapoff,  SYS_llistxattr, SYS_removexattr, SYS_pivot_root,
#ifdef SYS_open
    SYS_open,    SYS_creat,    SYS_stat,       SYS_lstat,       SYS_access,     SYS_readlink,
    SYS_rename,  SYS_mkdir,    SYS_rmdir,      SYS_link,        SYS_unlink,     SYS_symlink,
    SYS_chmod,   SYS_chown,    SYS_lchown,     SYS_utime,       SYS_utimes,     SYS_mknod,
#endif
};
static const long second[] = {
    SYS_openat,     SYS_faccessat,         SYS_faccessat2,        SYS_readlinkat, SYS_statx,
    SYS_execveat,   SYS_mkdirat,           SYS_unlinkat,          SYS_renameat2,  SYS_linkat,
    SYS_symlinkat,  SYS_fchmodat,          SYS_fchownat,          SYS_mknodat,    SYS_utimensat,
    SYS_openat2,    SYS_inotify_add_watch, SYS_name_to_handle_at,
#ifdef SYS_newfstatat
    SYS_newfstatat,
#else
    SYS_fstatat,
#endif
};

// Whether a table has it.
static int has(const long* table, size_t length, long call) {
    for (size_t i = 0; i < length; ++i)
        if (table[i] == call) return 1;
    return 0;
}

// Writes a line if the call that a process enters names a file.
static void note(FILE* log, pid_t process) {
    struct __ptrace_syscall_info about;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof about, &about) < 0) return;
    if (about.op != PTRACE_SYSCALL_INFO_ENTRY) return;
    const long call = (long)about.entry.nr;
    const int at_second = has(second, COUNT(second), call);
    if (!at_second && !has(first, COUNT(first), call)) return;
    char name[256] = "";
    struct iovec here = {name, sizeof name - 1};
    struct iovec there = {(void*)(uintptr_t)about.entry.args[at_second], sizeof name - 1};
    // A name at the end of a page is read up to there.
    while (process_vm_readv(process, &here, 1, &there, 1, 0) < 0 && there.iov_len > 1)
        there.iov_len /= 2;
    fprintf(log, "%ld %s\n", call, name);
}

// Follows all processes to their ends. Returns the exit code of `command`.
static int follow(FILE* log, pid_t command) {
    int status, code = 1;
    for (pid_t process; (process = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
        if (process < 0) continue;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (process == command) code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
            continue;
        }
        int signal = WSTOPSIG(status);
        if (signal == (SIGTRAP | 0x80)) note(log, process);
        // Stops that tracing causes are none of the program's signals.
        const int own = signal == (SIGTRAP | 0x80) || status >> 16;
        ptrace(PTRACE_SYSCALL, process, NULL, (void*)(uintptr_t)(own ? 0 : signal));
    }
    return code;
}

int main(int count, char** words) {
    if (count < 3) return fputs("file_calls LOG COMMAND...\n", stderr), 2;
    const pid_t command = fork();
    if (command < 0) return perror("fork"), 2;
    if (!command) {
        raise(SIGSTOP);  // until it is traced
        execvp(words[2], words + 2);
        perror(words[2]);
        _exit(2);
    }
    char name[4096];
    snprintf(name, sizeof name, "%s.%d", words[1], (int)command);
    FILE* log = fopen(name, "we");
    if (!log) return perror(name), 2;
    waitpid(command, NULL, WUNTRACED);
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                         PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SEIZE, command, NULL, (void*)options)) {
        perror("ptrace");
        kill(command, SIGKILL);
        return 2;
    }
    kill(command, SIGCONT);
    const int code = follow(log, command);
    return fclose(log) ? 2 : code;
}
