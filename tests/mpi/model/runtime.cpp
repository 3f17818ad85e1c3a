#include "runtime.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "fake_mpi.hpp"
#include "preload/runtime.h"

namespace model {

namespace {

std::vector<Runtime> all;

/// Files of the copies, until the process ends: a sanitizer reads them for the lines it names.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "hopbine-model-XXXXXX");
        if (!mkdtemp(name.data())) die("no temporary folder");
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

template <class Function, class Words>
void take(Function& out, Words* given) {
    out = reinterpret_cast<Function>(reinterpret_cast<void (*)()>(given));  // words are arguments
}

Runtime load(const std::filesystem::path& path) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) die(dlerror());
    const auto* const given =
        static_cast<const struct runtime*>(dlsym(library, "hopbine_functions"));
    if (!given) die("the runtime has no functions");
    Runtime out{};
#define MODEL_TAKE(name, iname)    \
    take(out.name, given->name);   \
    take(out.iname, given->iname); \
    take(out.name##_init, given->name##_init);
    MODEL_COLLECTIVES(MODEL_TAKE)
#undef MODEL_TAKE
    take(out.Start, given->Start);
    take(out.Request_free, given->Request_free);
    take(out.begin, given->begin);
    take(out.finalize, given->finalize);
    take(out.select, given->select);
    return out;
}

}  // namespace

void load_runtimes(const std::string& path, int ranks) {
    static const Folder folder;
    for (int r = 0; r < ranks; ++r) {
        const std::filesystem::path copy = folder.path() / ("rank" + std::to_string(r) + ".so");
        std::error_code failed;
        std::filesystem::copy_file(path, copy, failed);
        if (failed) die("cannot copy " + path + ": " + failed.message());
        all.push_back(load(copy));
    }
}

const Runtime& runtime(int rank) { return all[static_cast<std::size_t>(rank)]; }

}  // namespace model
