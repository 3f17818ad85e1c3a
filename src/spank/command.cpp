#include "spank/command.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "location/environment.hpp"
#include "preload/rank_names.h"

extern char** environ;

namespace hopbine::spank {

namespace {

/// A file in memory, into which a child writes. That never waits, as a full pipe would.
class Written {
public:
    Written() : handle_(::memfd_create("hopbine", MFD_CLOEXEC)) {}
    Written(const Written&) = delete;
    Written& operator=(const Written&) = delete;
    ~Written() {
        if (handle_ >= 0) ::close(handle_);
    }
    int handle() const { return handle_; }
    /// The pieces that end with `end`.
    std::vector<std::string> pieces(char end) const {
        std::vector<std::string> out;
        std::string text, part(1 << 16, '\0');
        ssize_t got = 0;
        for (off_t at = 0; (got = ::pread(handle_, part.data(), part.size(), at)) > 0; at += got)
            text.append(part, 0, static_cast<std::size_t>(got));
        for (std::size_t at = 0, stop; (stop = text.find(end, at)) != text.npos; at = stop + 1)
            out.push_back(text.substr(at, stop - at));
        return out;
    }

private:
    int handle_;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

/// This process's environment, as that of a process that is no rank: a job script of Slurm has
/// SLURM_PROCID, and srun itself the number of its step, but ranks on all nodes will be started.
/// Beside the job's nodes srun has put the step's tasks, which do not fit them.
std::vector<std::string> environment_of_no_rank() {
    location::Environment out = location::environment_of(environ);
    for (const char* name : hopbine_rank_names) out.erase(name);
    std::erase_if(out, [](const auto& v) { return v.first.starts_with("SLURM_TASKS_PER_NODE"); });
    return location::entries_of(out);
}

/// Runs a program with an environment and returns its exit code, -1 if it has none. srun blocks
/// signals: the program gets none blocked.
int run(std::vector<std::string> words, std::vector<std::string> environment, const Written& out,
        const Written& err) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", 0, 0);
    ::posix_spawn_file_actions_adddup2(&files, out.handle(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, err.handle(), STDERR_FILENO);
    ::posix_spawnattr_init(&how);
    ::posix_spawnattr_setsigmask(&how, &none);
    ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    pid_t child = 0;
    const int failed = ::posix_spawn(&child, words[0].c_str(), &files, &how,
                                     pointers_to(words).data(), pointers_to(environment).data());
    ::posix_spawnattr_destroy(&how);
    ::posix_spawn_file_actions_destroy(&files);
    errno = failed;
    if (failed) return -1;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    errno = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::string command_beside(const std::string& plug_in) {
    return plug_in.substr(0, plug_in.rfind('/') + 1) + HOPBINE_LIBRARIES_TO_COMMAND;
}

Answer ask(const std::string& command, const std::string& choice) {
    std::vector<std::string> words = {command, "run"};
    if (!choice.empty()) words.insert(words.end(), {"--choice", choice});
    words.insert(words.end(), {"--", "/usr/bin/env", "-0"});
    const Written out, err;
    const int code = run(words, environment_of_no_rank(), out, err);
    const std::string why = errno ? std::string(": ") + std::strerror(errno) : "";
    Answer answer{.refused = code != 0, .messages = err.pieces('\n'), .entries = {}};
    if (answer.refused && answer.messages.empty())
        answer.messages.push_back(command + " does not answer" + why);
    for (std::string& entry : out.pieces('\0'))
        if (!answer.refused && location::is_hopbines(entry))
            answer.entries.push_back(std::move(entry));
    return answer;
}

}  // namespace hopbine::spank
