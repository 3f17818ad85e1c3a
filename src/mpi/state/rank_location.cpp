#include "mpi/state/rank_location.hpp"

#include <mpi.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "location/this_node.hpp"
#include "mpi/state/log.hpp"
#include "schedule/hash.hpp"
#include "schedule/problem.hpp"

extern char** environ;

namespace hopbine::mpi {

namespace {

/// The node of this process.
std::string node_in(const location::Environment& environment) {
    // Containers, emulated networks and several slurmd on a machine share one host name: there the
    // launcher tells each rank its node.
    if (const auto told = location::told_node(environment)) return *told;
    char name[MPI_MAX_PROCESSOR_NAME] = {};
    int length = 0;
    PMPI_Get_processor_name(name, &length);
    return name;
}

}  // namespace

RankLocation own_location() {
    // Made once, as a table of the whole environment takes as long as ten messages.
    const location::Environment environment = location::environment_of(environ);
    RankLocation out{node_in(environment), ""};
    try {
        out.group = location::group_of_process(environment, out.node);
    } catch (const Error& e) {
        say_once(std::string(e.what()) + "; groups are not used.");
    }
    return out;
}

std::uint64_t number_of(const std::string& name) {
    return name.empty() ? 0 : std::max<std::uint64_t>(fnv1a(name), 1);
}

std::uint64_t memory_number() {
    struct stat numbering{};
    if (stat("/proc/self/ns/pid", &numbering) != 0 || prctl(PR_GET_DUMPABLE) != 1) return 0;
    return number_of(std::to_string(numbering.st_dev) + ' ' + std::to_string(numbering.st_ino) +
                     ' ' + std::to_string(geteuid()));
}

constexpr int kCountBits = 16;

std::uint64_t cores_number() {
    std::array<unsigned long, 128> set{};  // of 8,192 cores, the most that Linux has
    auto* const raw = reinterpret_cast<cpu_set_t*>(set.data());
    if (sched_getaffinity(0, sizeof set, raw) != 0) return 0;
    const auto count = static_cast<std::uint64_t>(CPU_COUNT_S(sizeof set, raw));
    const std::string_view bytes(reinterpret_cast<const char*>(set.data()), sizeof set);
    return fnv1a(bytes) << kCountBits | count;
}

std::int64_t cores_in(std::uint64_t number) {
    return static_cast<std::int64_t>(number & ((1u << kCountBits) - 1));
}

Placement placement_of(const std::vector<std::uint64_t>& nodes,
                       const std::vector<std::uint64_t>& groups) {
    Placement out{numbered(groups), numbered(nodes)};
    bool known = std::ranges::find(groups, 0u) == groups.end() &&
                 std::ranges::find(nodes, 0u) == nodes.end();
    try {
        validate(out, static_cast<int>(nodes.size()));
    } catch (const Error& e) {
        say_once(std::string(e.what()) + " (HOPBINE_GROUP); groups are not used.");
        known = false;
    }
    if (!known) out.group.assign(groups.size(), 0);
    return out;
}

}  // namespace hopbine::mpi
