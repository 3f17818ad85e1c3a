#include "mpi/places.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/problem.hpp"
#include "mpi/log.hpp"

namespace hopbine::mpi {

namespace {

/// FNV-1a, 64 bits: names of nodes travel as numbers. 0 stands for no name.
std::uint64_t number_of(const std::string& name) {
    if (name.empty()) return 0;
    std::uint64_t h = 0xCBF29CE484222325u;
    for (unsigned char c : name) h = (h ^ c) * 0x100000001B3u;
    return h ? h : 1;
}

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

/// Column `c` of pairs, as units in the order of their first ranks.
std::vector<int> units(const std::vector<std::uint64_t>& pairs, std::size_t c) {
    std::vector<std::uint64_t> names;
    for (std::size_t i = c; i < pairs.size(); i += 2) names.push_back(pairs[i]);
    return numbered(names);
}

}  // namespace

std::string node_name() {
    // Containers and emulated networks share one host name; there the launcher tells the node of each rank.
    if (const std::string told = variable("HOPBINE_NODE"); !told.empty()) return told;
    char name[MPI_MAX_PROCESSOR_NAME] = {};
    int length = 0;
    PMPI_Get_processor_name(name, &length);
    return name;
}

Placement find_places(MPI_Comm comm, int size) {
    const std::uint64_t mine[2] = {number_of(variable("HOPBINE_GROUP")), number_of(node_name())};
    std::vector<std::uint64_t> all(static_cast<std::size_t>(size) * 2);
    PMPI_Allgather(mine, 2, MPI_UINT64_T, all.data(), 2, MPI_UINT64_T, comm);
    Placement out{units(all, 0), units(all, 1)};
    bool known = true;
    for (std::size_t r = 0; r < all.size(); r += 2) known &= all[r] != 0;
    try {
        validate(out, size);
    } catch (const Error& e) {
        say_once(std::string(e.what()) + " (HOPBINE_GROUP); groups are not used.");
        known = false;
    }
    constexpr int kMostGroups = 1024;  // loads of all are summed over the ranks; no machine has as many
    if (known && !out.group.empty() && *std::max_element(out.group.begin(), out.group.end()) >= kMostGroups) {
        say_once("more than " + std::to_string(kMostGroups) + " groups (HOPBINE_GROUP); groups are not used.");
        known = false;
    }
    if (!known) out.group.assign(static_cast<std::size_t>(size), 0);
    return out;
}

}  // namespace hopbine::mpi
