#include "statistics/kept_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "schedule/problem.hpp"

namespace hopbine::mpi {

namespace {

[[noreturn]] void fail(const std::string& path) {
    throw Error("cannot write " + path + ": " + std::strerror(errno));
}

void write(const std::string& path, const std::string& text) {
    std::FILE* const out = std::fopen(path.c_str(), "w");
    if (!out) fail(path);
    const bool whole = std::fwrite(text.data(), 1, text.size(), out) == text.size();
    if (std::fclose(out) != 0 || !whole) fail(path);
}

/// Gives the file the first free name.
std::string move_away(const std::string& path) {
    for (int n = 1;; ++n) {
        const std::string name = path + "." + std::to_string(n);
        if (::access(name.c_str(), F_OK) == 0) continue;
        if (std::rename(path.c_str(), name.c_str()) != 0) fail(name);
        return name;
    }
}

}  // namespace

std::string keep_and_write(const std::string& path, const std::string& text) {
    struct stat about{};
    const bool there = ::stat(path.c_str(), &about) == 0;
    if (there && !S_ISREG(about.st_mode)) {
        write(path, text);
        return "";
    }
    const std::string part = path + ".part";
    write(part, text);
    const std::string kept = there && about.st_size > 0 ? move_away(path) : "";
    if (std::rename(part.c_str(), path.c_str()) != 0) fail(path);
    return kept;
}

}  // namespace hopbine::mpi
