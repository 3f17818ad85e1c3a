#include "mpi/device/library_answer.hpp"

#include <link.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>

#include "device/symbol.hpp"
#include "mpi/state/passing.hpp"
#include "runtime/log.hpp"

namespace hopbine::mpi {

namespace {

std::vector<std::string> loaded_libraries() {
    std::vector<std::string> out;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* all) {
            if (info->dlpi_name)
                static_cast<std::vector<std::string>*>(all)->emplace_back(info->dlpi_name);
            return 0;
        },
        &out);
    return out;
}

std::string subject() {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    PMPI_Get_library_version(version, &length);
    return gpu_record_subject({version, static_cast<std::size_t>(length)}, environ,
                              loaded_libraries());
}

/// Whether the library says of itself that it takes no GPU memory: it has some of these functions,
/// and none says yes.
bool says_no() {
    bool asked = false;
    for (const char* name :
         {"MPIX_Query_cuda_support", "MPIX_Query_rocm_support", "MPIX_Query_hip_support"}) {
        int (*supports)() = nullptr;
        if (!device::find_symbol(RTLD_DEFAULT, name, &supports)) continue;
        if (supports()) return false;
        asked = true;
    }
    return asked;
}

struct Answer {
    Takes takes;
    const char* why;
};

Answer find_answer() {
    Takes recorded = Takes::unknown;
    try {
        recorded = read_gpu_record(gpu_record_file(), subject());
    } catch (const std::exception& e) {
        say_rank(std::string("what hopbine gpu probe has recorded is not used: ") + e.what());
    }
    if (recorded != Takes::unknown)
        return {recorded, "the MPI library takes none (hopbine gpu probe)"};
    if (says_no()) return {Takes::nothing, "the MPI library says that it takes none"};
    return {Takes::unknown,
            "whether the MPI library takes it is not known, which hopbine gpu probe finds out"};
}

const Answer& answer() {
    static const Answer found = find_answer();
    return found;
}

}  // namespace

Takes library_takes() { return answer().takes; }

void tell_why_staged() {
    if (library_takes() < Takes::messages)
        say_once(std::string("collectives on GPU memory go through host memory: ") + answer().why);
}

}  // namespace hopbine::mpi

extern "C" {

/// Where `hopbine gpu probe` is to record its answer for this process, and what that is about:
/// file, tab, subject.
const char* hopbine_gpu_record(void) {
    static const std::string record =
        hopbine::mpi::gpu_record_file() + '\t' + hopbine::mpi::subject();
    return record.c_str();
}
}
