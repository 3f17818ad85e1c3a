#include "runtime.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "fake_mpi.hpp"

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

template <class Function>
void find(void* library, const std::string& name, Function& out) {
    void* const symbol = dlsym(library, name.c_str());
    if (!symbol) die("the runtime has no " + name);
    out = reinterpret_cast<Function>(symbol);
}

Runtime load(const std::filesystem::path& path) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) die(dlerror());
    Runtime out{};
#define MODEL_FIND(name, iname)                      \
    find(library, "hopbine_MPI_" #name, out.name);   \
    find(library, "hopbine_MPI_" #iname, out.iname); \
    find(library, "hopbine_MPI_" #name "_init", out.name##_init);
    MODEL_COLLECTIVES(MODEL_FIND)
#undef MODEL_FIND
    find(library, "hopbine_MPI_Start", out.Start);
    find(library, "hopbine_MPI_Request_free", out.Request_free);
    find(library, "hopbine_begin", out.begin);
    find(library, "hopbine_finalize", out.finalize);
    find(library, "hopbine_select", out.select);
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
