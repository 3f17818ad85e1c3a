#include "device/runtime.hpp"

#include <dlfcn.h>

#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace hopbine::device {

namespace {

const char* file_name(const char* path) {
    const char* slash = std::strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool begins(const char* text, const char* with) {
    return std::strncmp(text, with, std::strlen(with)) == 0;
}

/// Number of libraries that this process has loaded so far.
unsigned long long additions() {
    unsigned long long number = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
            *static_cast<unsigned long long*>(out) = info->dlpi_adds;
            return 1;
        },
        &number);
    return number;
}

/// Paths of the loaded GPU libraries. Opened by these paths, they are not searched for in the file
/// system.
std::vector<std::string> loaded_paths() {
    std::vector<std::string> paths;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
            const char* file = info->dlpi_name ? file_name(info->dlpi_name) : "";
            for (const char* one : {"libcuda.so", "libamdhip64.so", "libze_loader.so"})
                if (begins(file, one))
                    static_cast<std::vector<std::string>*>(out)->push_back(info->dlpi_name);
            return 0;
        },
        &paths);
    return paths;
}

}  // namespace

Runtime Runtime::one_;

/// Runs while the loader loads hopbine's runtime: nothing else is being loaded.
Runtime::Runtime() {
    Dl_info info;
    void* map = nullptr;
    dladdr1(&one_, &info, &map, RTLD_DL_LINKMAP);
    for (last_ = static_cast<const link_map*>(map); last_->l_next;) last_ = last_->l_next;
    look();
}

void Runtime::look() {
    if (additions() == additions_.load(std::memory_order_acquire)) return;
    const std::lock_guard hold(lock_);
    // Before the search: a library that is loaded meanwhile is found the next time.
    const unsigned long long now = additions();
    find_all();
    additions_ = now;
}

/// Finds the GPU libraries. One that the program unloads is kept: its functions may be in use.
void Runtime::find_all() {
    for (const std::string& path : loaded_paths()) {
        const char* const file = file_name(path.c_str());
        const bool cuda = begins(file, "libcuda.so"), hip = begins(file, "libamdhip64.so");
        if (cuda ? cuda_ != nullptr : hip ? hip_ != nullptr : opaque_.load()) continue;
        void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
        if (!handle) continue;
        if (cuda)
            cuda_ = cuda_library(handle);
        else if (hip)
            hip_ = hip_library(handle);
        else
            opaque_ = true;
        found_ = cuda_ || hip_ || opaque_;
    }
}

Library::About Runtime::ask(const void* address) const {
    Library *const cuda = cuda_, *const hip = hip_;
    if (cuda)
        if (const Library::About out = cuda->about(address); out.on_device) return out;
    return hip ? hip->about(address) : Library::About{};
}

namespace {

/// What was asked in the call of this thread: the first addresses of its buffers, of which there
/// are two, and in turns others.
struct Asked {
    bool in_call = false;
    unsigned next = 0;
    std::array<std::pair<const void*, Library::About>, 4> all;
};
thread_local Asked asked;

}  // namespace

Runtime::Call::Call() {
    asked.in_call = true;
    asked.all = {};
}
Runtime::Call::~Call() { asked.in_call = false; }

Library::About Runtime::about(const void* address) const {
    if (!asked.in_call || !address) return ask(address);
    for (const auto& [at, known] : asked.all)
        if (at == address) return known;
    auto& [at, known] = asked.all[asked.next++ % asked.all.size()];
    at = address;
    return known = ask(address);
}

}  // namespace hopbine::device
