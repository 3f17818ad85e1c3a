#include "location/transport.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "schedule/hash.hpp"

namespace hopbine::location {

namespace {

constexpr std::size_t kLongest = 60;  ///< fits beside the other columns of a table

/// Beginnings of variables that change transports or algorithms: of UCX, libfabric, Omni-Path and
/// collective libraries; of Open MPI, whose launchers also set others that differ in each job; of
/// MPICH, Cray's MPICH, Intel MPI and MVAPICH.
constexpr std::string_view kPrefixes[] = {
    "UCX_",          "FI_",           "PSM2_",         "PSM3_",        "HCOLL_",
    "UCC_",          "OMPI_MCA_btl",  "OMPI_MCA_mtl",  "OMPI_MCA_pml", "OMPI_MCA_bml",
    "OMPI_MCA_coll", "OMPI_MCA_smsc", "OMPI_MCA_opal", "OMPI_MCA_mpi", "MPIR_CVAR_",
    "MPICH_",        "I_MPI_FABRICS", "I_MPI_OFI_",    "I_MPI_ADJUST", "I_MPI_COLL",
    "I_MPI_SHM",     "MV2_",          "MVP_"};
/// Parts of names of those that do not: what is printed, and what tells a process its place.
constexpr std::string_view kOthers[] = {"LOG",   "VERBOSE",  "verbose",    "DEBUG",  "STATS",
                                        "PRINT", "HOSTNAME", "COMM_WORLD", "DISPLAY"};

bool changes_transport(const std::string& name) {
    return std::ranges::any_of(kPrefixes, [&](auto p) { return name.starts_with(p); }) &&
           std::ranges::none_of(kOthers, [&](auto o) { return name.find(o) != name.npos; });
}

/// "mlx5" of "mlx5_0", "cxi" of "cxi1".
std::string kind_of(std::string name) {
    name.resize(name.find_last_not_of("0123456789") + 1);
    if (name.ends_with('_')) name.pop_back();
    return name;
}

}  // namespace

std::vector<std::string> adapters(const std::string& devices) {
    std::set<std::string> out;
    for (const char* kind : {"/infiniband", "/cxi"}) {
        std::error_code none;
        std::filesystem::directory_iterator at(devices + kind, none), end;
        for (; !none && at != end; at.increment(none))
            out.insert(kind_of(at->path().filename().string()));
    }
    return {out.begin(), out.end()};
}

std::string transport_word(const Environment& environment,
                           const std::vector<std::string>& adapters) {
    std::string network, settings;
    for (const std::string& one : adapters) network += (network.empty() ? "" : "+") + one;
    int count = 0;
    for (const auto& [name, value] : environment) {
        if (!changes_transport(name)) continue;
        settings += (count++ ? " " : "") + name + '=' + value;
    }
    if (count == 0) return network.empty() ? "default" : network;
    const std::string text = network + (network.empty() ? "" : " ") + settings;
    const bool printable = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
    if (printable && text.size() <= kLongest) return text;
    return network + (network.empty() ? "" : ", ") + std::to_string(count) +
           (count == 1 ? " setting: " : " settings: ") + hexadecimal(fnv1a(settings));
}

}  // namespace hopbine::location
