#include "location/process_numbers.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "schedule/hash.hpp"

namespace hopbine::location {

namespace {
constexpr int kCountBits = 16;
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

}  // namespace hopbine::location
