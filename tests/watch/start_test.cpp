#include "watch/start.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "schedule/problem.hpp"
#include "watch/rendezvous.hpp"

namespace hopbine::watch {
namespace {

std::string refused(const std::string& program) {
    try {
        start_watcher(program, 0);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

std::string all_of(int file) {
    std::string out;
    char part[512];
    for (ssize_t n; (n = ::read(file, part, sizeof part)) > 0;)
        out.append(part, static_cast<std::size_t>(n));
    return out;
}

/// Once a process: what starts stays in its memory.
TEST(StartWatcher, IsNoChildAndTakesNoSignalOfTheProgram) {
    const std::string script = ::testing::TempDir() + "start_test." + std::to_string(::getpid());
    EXPECT_EQ(refused(script), script + " cannot be started: No such file or directory");
    std::ofstream(script) << "#!/bin/sh\nexec >&" << kListening
                          << "\necho parent $PPID\nexec grep SigBlk /proc/self/status\n";
    EXPECT_EQ(refused(script), script + " cannot be started: Permission denied");
    ASSERT_EQ(::chmod(script.c_str(), 0700), 0);
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    sigset_t before, after;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &before);

    start_watcher(script, ends[1]);
    ::close(ends[1]);
    const std::string told = all_of(ends[0]);
    ::close(ends[0]);
    EXPECT_EQ(told.rfind("parent ", 0), 0u) << told;
    EXPECT_NE(told.substr(0, told.find('\n')), "parent " + std::to_string(::getpid()));
    // Until it has begun it runs in this memory, where no handler of this program's may.
    const std::size_t blocked = told.find("SigBlk:\t");
    ASSERT_NE(blocked, told.npos) << told;
    EXPECT_NE(std::stoull(told.substr(blocked + 8), nullptr, 16) & 1u << (SIGTERM - 1), 0u) << told;

    ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
    for (int number = 1; number < NSIG; ++number)
        EXPECT_EQ(sigismember(&before, number), sigismember(&after, number)) << number;
    EXPECT_EQ(::waitpid(-1, nullptr, __WALL), -1);
    EXPECT_EQ(errno, ECHILD);
    EXPECT_EQ(refused(script), script + " has ended at its start");
    ::unlink(script.c_str());
}

}  // namespace
}  // namespace hopbine::watch
