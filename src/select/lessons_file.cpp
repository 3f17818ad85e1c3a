// The file that keeps what jobs have learned: several may read and write it at once.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "schedule/bounds.hpp"
#include "select/lessons.hpp"

namespace hopbine::select {

namespace {

constexpr long kPause = 10'000'000;  ///< nanoseconds between tries to lock
constexpr const char* kNote = "learned by hopbine " HOPBINE_VERSION
                              ": what was fastest in a job, for hopbine run --learn; may be edited";

[[noreturn]] void refuse_file(const std::string& path, const std::string& why) {
    throw Error(shown(path, 1000) + ": " + why);
}

/// An open file, closed and unlocked at the end.
struct Open {
    explicit Open(int number) : file(number) {}
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    ~Open() {
        if (file >= 0) ::close(file);
    }
    const int file;
};

/// Whether the path still names the open file, which another job may have replaced.
bool is_at(int file, const std::string& path) {
    struct stat mine, there;
    return ::fstat(file, &mine) == 0 && ::stat(path.c_str(), &there) == 0 &&
           mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

/// Opens the file, made where there is none, and locks it. A file system without locks has none:
/// then the last of two jobs that end at once counts.
int locked(const std::string& path, const Keeping& how) {
    for (int i = 0; i < how.tries; ++i) {
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, how.mode);
        if (file < 0) refuse_file(path, std::string("cannot be written: ") + std::strerror(errno));
        if (struct stat kind; ::fstat(file, &kind) != 0 || !S_ISREG(kind.st_mode)) {
            ::close(file);
            refuse_file(path, "cannot be written: it is no regular file");
        }
        const bool busy = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!busy && is_at(file, path)) return file;
        ::close(file);
        const timespec pause{0, kPause};
        if (busy) ::nanosleep(&pause, nullptr);
    }
    refuse_file(path, "cannot be written: another job holds it");
}

void write_all(int file, const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t wrote = ::write(file, text.data() + at, text.size() - at);
        if (wrote < 0 && errno != EINTR) throw Error(std::strerror(errno));
        if (wrote > 0) at += static_cast<std::size_t>(wrote);
    }
    if (::fsync(file) != 0) throw Error(std::strerror(errno));
}

/// The path without symbolic links: the file that they name is replaced, not the link.
std::string without_links(const std::string& path) {
    char* const real = ::realpath(path.c_str(), nullptr);
    const std::string out = real ? real : path;
    std::free(real);
    return out;
}

/// Puts a text in the place of the open file, with the same permissions.
void replace(const std::string& path, int old, const std::string& text) {
    std::string made = path + ".XXXXXX";
    const Open out(::mkstemp(made.data()));
    if (out.file < 0) refuse_file(path, std::string("cannot be written: ") + std::strerror(errno));
    try {
        struct stat mode;
        if (::fstat(old, &mode) == 0) ::fchmod(out.file, mode.st_mode & 07777);
        write_all(out.file, text);
        if (::rename(made.c_str(), path.c_str()) != 0) throw Error(std::strerror(errno));
    } catch (const Error& e) {
        ::unlink(made.c_str());
        refuse_file(path, std::string("cannot be written: ") + e.what());
    }
}

/// The text of a file, without the oldest rules if it were too long.
std::string bounded_text(Rules all, std::size_t most) {
    std::string text = file_text(all);
    while (text.size() > most && !all.rules.empty()) {
        all.rules.resize(all.rules.size() * most / text.size());
        text = file_text(all);
    }
    return text;
}

}  // namespace

Rules parse_lessons(const std::string& text, const std::string& name) {
    return text.empty() ? Rules{} : parse_file(text, name);
}

std::string read_lessons(const std::string& path) {
    return ::access(path.c_str(), F_OK) == 0 ? read_bounded(path, "a rules file") : "";
}

void keep_lessons(const std::string& link, const std::vector<Rule>& lessons, const Keeping& how) {
    const std::string path = without_links(link);
    const Open old(locked(path, how));
    Rules all = parse_lessons(read_lessons(path), path);
    all.rules = with_lessons(all.rules, lessons);
    if (all.note.empty() || all.note.starts_with("learned by hopbine")) all.note = kNote;
    replace(path, old.file, bounded_text(std::move(all), how.most_bytes));
}

std::string set_aside(const std::string& path, const Keeping& how) {
    const Open old(locked(path, how));
    try {
        parse_lessons(read_lessons(path), path);
    } catch (const Error& e) {
        if (::rename(path.c_str(), (path + kBroken).c_str()) != 0)
            refuse_file(path, std::string("cannot be renamed: ") + std::strerror(errno));
        return e.what();
    }
    return "";
}

}  // namespace hopbine::select
