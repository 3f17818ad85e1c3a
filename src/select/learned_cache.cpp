#include "select/learned_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "schedule/bounds.hpp"
#include "select/lessons.hpp"

namespace hopbine::select {

namespace {

/// Algorithms differ between versions, and so do their times.
constexpr const char* kName = "/learned-" HOPBINE_VERSION ".json";
/// Jobs that end at once wait for a second, for nobody asked for the cache. A full one has about
/// 1,500 rules. To read these in MPI_Init took 14 ms where all were of the job's site, 1 ms where
/// none was (the least of 60 times on a busy machine).
constexpr Keeping kKeeping{100, 0600, 512 << 10};

[[noreturn]] void refuse_cache(const std::string& path, const std::string& why) {
    throw Error(shown(path, 1000) + ": " + why);
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string absolute_path(const char* variable) {
    const char* const text = ::secure_getenv(variable);
    return text && *text == '/' ? text : "";
}

/// Makes a folder in one that is there.
void make_folder(const std::string& path) {
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
        refuse_cache(path, std::string("cannot be made: ") + std::strerror(errno));
}

}  // namespace

std::string cache_folder() {
    std::string cache = absolute_path("XDG_CACHE_HOME");
    if (cache.empty() && !absolute_path("HOME").empty()) cache = absolute_path("HOME") + "/.cache";
    return cache.empty() ? "" : cache + "/hopbine";
}

LearnedFile learned_file(const std::string& setting) {
    if (setting == kNowhere) return {};
    if (!setting.empty()) return {setting, true};
    const std::string folder = cache_folder();
    return {folder.empty() ? "" : folder + kName, false};
}

void check_cache(const std::string& path) {
    struct stat about;
    const std::string folder = folder_of(path);
    if (::stat(folder.c_str(), &about) != 0) {
        if (errno == ENOENT) return;
        refuse_cache(folder, std::strerror(errno));
    }
    if (!S_ISDIR(about.st_mode)) refuse_cache(folder, "is no folder");
    if (about.st_uid != ::geteuid()) refuse_cache(folder, "belongs to another user");
    if (about.st_mode & (S_IWGRP | S_IWOTH)) refuse_cache(folder, "others may write there");
}

Cached read_cache(const std::string& path, const std::function<const Site&()>& site) {
    check_cache(path);
    const auto may_answer = [&](std::string_view line) {
        const Site& here = site();
        return !asks_for_another(line, "mpi", here.mpi) &&
               !asks_for_another(line, "machine", here.machine) &&
               !asks_for_another(line, "processor", here.processor) &&
               !asks_for_another(line, "transport", here.transport);
    };
    try {
        return {parse_lessons(with_lines(read_lessons(path), may_answer), path), ""};
    } catch (const Error&) {
        const std::string wrong = set_aside(path, kKeeping);
        if (wrong.empty()) return {};  // another job has done so
        return {{},
                wrong + "; it is now " + path + kBroken + ", and what was learned begins anew."};
    }
}

void keep_in_cache(const std::string& path, const std::vector<Rule>& lessons) {
    const std::string folder = folder_of(path);
    make_folder(folder_of(folder));
    make_folder(folder);
    check_cache(path);
    try {
        keep_lessons(path, lessons, kKeeping);
    } catch (const Error&) {  // a line of another site, which read_cache has not parsed
        if (set_aside(path, kKeeping).empty()) throw;
        keep_lessons(path, lessons, kKeeping);
    }
}

}  // namespace hopbine::select
