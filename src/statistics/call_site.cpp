#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "runtime/settings.hpp"
#include "statistics/statistics.hpp"

namespace hopbine::mpi {

namespace {

/// The file of a module by its absolute path: the dynamic linker has the program's as it was
/// called.
std::string path_of(const Dl_info& module) {
    std::array<char, 4096> path{};
    Dl_info program{};
    const auto* const headers = reinterpret_cast<const void*>(getauxval(AT_PHDR));
    if (dladdr(headers, &program) && program.dli_fbase == module.dli_fbase)
        return readlink("/proc/self/exe", path.data(), path.size() - 1) > 0 ? path.data() : "?";
    return realpath(module.dli_fname, path.data()) ? path.data() : module.dli_fname;
}

/// The address as the module's file has it, whatever address it is loaded at.
std::uintptr_t offset_in(const Dl_info& module, std::uintptr_t address) {
    const auto* const header = static_cast<const Elf64_Ehdr*>(module.dli_fbase);
    return header->e_type == ET_EXEC ? address : address - reinterpret_cast<std::uintptr_t>(header);
}

bool is_of_library(const Dl_info& module) {
    const char* const slash = std::strrchr(module.dli_fname, '/');
    const char* const base = slash ? slash + 1 : module.dli_fname;
    return !std::strncmp(base, "libmpi", 6) || !std::strncmp(base, "libhopbine", 10);
}

/// The module of a return address; false: none has it.
bool module_of(const void* address, Dl_info* out) {
    // The call itself: the address after it may be another line's.
    return dladdr(static_cast<const char*>(address) - 1, out) && out->dli_fname;
}

CallSite describe(const void* address, const Dl_info& module) {
    std::array<char, 24> offset{};
    std::snprintf(offset.data(), offset.size(), "+%#llx",
                  static_cast<unsigned long long>(
                      offset_in(module, reinterpret_cast<std::uintptr_t>(address) - 1)));
    return {path_of(module) + offset.data(), module.dli_sname ? module.dli_sname : ""};
}

/// The first frame of this thread outside of the MPI library and hopbine.
const void* outside() {
    std::array<void*, 32> frames{};
    const int depth = backtrace(frames.data(), static_cast<int>(frames.size()));
    Dl_info module{};
    for (int i = 0; i < depth; ++i)
        if (const void* const frame = frames[static_cast<std::size_t>(i)];
            module_of(frame, &module) && !is_of_library(module))
            return frame;
    return nullptr;
}

/// Null: the address is the MPI library's, or nobody's.
const CallSite* site_at(const void* address) {
    static std::mutex lock;
    static std::map<const void*, const CallSite*> known;
    static std::map<std::string, CallSite> sites;
    const std::lock_guard hold(lock);
    const auto [at, is_new] = known.try_emplace(address, nullptr);
    Dl_info module{};
    if (is_new && module_of(address, &module) && !is_of_library(module)) {
        CallSite made = describe(address, module);
        at->second = &sites.try_emplace(made.place, made).first->second;
    }
    return at->second;
}

}  // namespace

const CallSite* call_site(const void* caller) {
    if (!settings().sites || !caller) return nullptr;
    if (const CallSite* const site = site_at(caller)) return site;
    const void* const frame = outside();
    return frame ? site_at(frame) : nullptr;
}

}  // namespace hopbine::mpi
