#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "launcher/program.hpp"
#include "schedule/bounds.hpp"
#include "schedule/problem.hpp"

namespace hopbine::launcher {

namespace {

/// Makes a file without a name in a folder: many ranks may do so at once. Otherwise sets errno.
bool can_make_file(const std::string& folder) {
    int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0) {  // not every file system has those
        std::string name = folder + "/.hopbine-XXXXXX";
        file = ::mkstemp(name.data());
        if (file >= 0) ::unlink(name.c_str());
    }
    if (file < 0) return false;
    ::close(file);
    return true;
}

}  // namespace

void check_writable(const std::string& path) {
    const std::string name = shown(path);
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "."
                               : slash == 0               ? "/"
                                                          : path.substr(0, slash);
    struct stat about{};
    bool fine = true;
    if (!::stat(path.c_str(), &about)) {
        if (S_ISDIR(about.st_mode)) throw Error(name + ": is a folder");
        const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
        fine = file >= 0;
        if (fine) ::close(file);
    } else if (errno == ENOENT || errno == ENOTDIR) {
        if (::stat(folder.c_str(), &about) || !S_ISDIR(about.st_mode))
            throw Error(name + ": its folder does not exist");
        fine = can_make_file(folder);
    } else {
        fine = false;
    }
    if (!fine) throw Error(name + ": cannot be written: " + std::strerror(errno));
}

}  // namespace hopbine::launcher
