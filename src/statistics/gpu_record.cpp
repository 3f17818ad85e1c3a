#include "statistics/gpu_record.hpp"

#include <algorithm>
#include <filesystem>

#include "schedule/bounds.hpp"
#include "schedule/parts_of.hpp"
#include "select/learned_cache.hpp"

namespace hopbine::mpi {

namespace {

/// Variables that choose or set the transport of Open MPI, MPICH and those made of them.
constexpr const char* kSettings[] = {"OMPI_MCA_pml",
                                     "OMPI_MCA_btl",
                                     "OMPI_MCA_mtl",
                                     "OMPI_MCA_opal_",
                                     "OMPI_MCA_accelerator",
                                     "UCX_",
                                     "FI_",
                                     "PSM2_CUDA",
                                     "MPIR_CVAR_ENABLE_GPU",
                                     "MPIR_CVAR_NOLOCAL",
                                     "MPIR_CVAR_CH4_NETMOD",
                                     "MPIR_CVAR_CH4_IPC",
                                     "MPICH_GPU",
                                     "MV2_USE_",
                                     "I_MPI_OFFLOAD"};
/// The MPI library, and libraries that carry messages of GPU memory. A build of MPICH has one
/// library for each ABI.
constexpr const char* kLibraries[] = {"libmpi.so", "libmpi_abi.so", "libmpich.so",
                                      "libucp.so", "libfabric.so",  "libpsm2.so"};

bool begins_as_one_of(const std::string& text, const auto& words) {
    return std::ranges::any_of(words, [&](const char* w) { return text.starts_with(w); });
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// A text in one line without tabs, which end fields.
std::string one_line(const std::string& text) {
    std::string out;
    for (const char c : text)
        if (static_cast<unsigned char>(c) > ' ')
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    while (out.ends_with(' ')) out.pop_back();
    return out;
}

Takes answer(const std::string& word) {
    return word == "nothing"    ? Takes::nothing
           : word == "messages" ? Takes::messages
           : word == "all"      ? Takes::all
                                : Takes::unknown;
}

}  // namespace

std::string gpu_record_file() {
    const std::string folder = select::cache_folder();
    return folder.empty() ? "" : folder + "/gpu.txt";
}

std::string gpu_record_subject(const std::string& version, const char* const* environment,
                               const std::vector<std::string>& libraries) {
    std::vector<std::string> parts;
    for (; environment && *environment; ++environment)
        if (begins_as_one_of(*environment, kSettings)) parts.emplace_back(*environment);
    for (const std::string& path : libraries)
        if (std::error_code none; begins_as_one_of(file_name(path), kLibraries))
            parts.push_back(std::filesystem::weakly_canonical(path, none).string());
    std::ranges::sort(parts);
    std::string out = one_line(version);
    for (const std::string& part : parts) out += "; " + part;
    return one_line(out);
}

Takes read_gpu_record(const std::string& file, const std::string& subject) {
    if (file.empty()) return Takes::unknown;
    select::check_cache(file);
    Takes out = Takes::unknown;
    for (const std::string& line : parts_of(contents_of(file, kMostFileBytes).value_or(""), '\n'))
        if (const std::size_t tab = line.find('\t');
            tab != std::string::npos && line.substr(tab + 1) == subject)
            out = answer(line.substr(0, tab));
    return out;
}

}  // namespace hopbine::mpi
