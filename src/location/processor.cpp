#include "location/processor.hpp"

#include <sys/utsname.h>

#include <array>
#include <cstring>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "location/environment.hpp"
#include "location/trimmed.hpp"
#include "schedule/bounds.hpp"
#include "schedule/parts_of.hpp"

namespace hopbine::location {

namespace {

constexpr std::size_t kFirstProcessor = 1 << 14;  ///< bytes that its lines fit into, with all flags

/// Some clouds give all their processors one name: family and model tell them apart.
std::string with_family(const std::string& name, const std::string& family,
                        const std::string& model) {
    return name + ", family " + family + " model " + model;
}

#if defined(__x86_64__) || defined(__i386__)
/// By the instruction. Linux from 4.13 to 5.17 interrupts every core of the node, and sleeps, when
/// /proc/cpuinfo is opened.
std::string told_by_processor() {
    constexpr unsigned kFirstOfName = 0x80000002, kLastOfName = 0x80000004;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_max(0x80000000, nullptr) < kLastOfName) return "";
    __cpuid(1, a, b, c, d);  // __get_cpuid would ask each time what there is
    const unsigned base = a >> 8 & 0xf;
    const unsigned family = base == 0xf ? base + (a >> 20 & 0xff) : base;
    const unsigned model = (a >> 4 & 0xf) + (base >= 6 ? (a >> 16 & 0xf) << 4 : 0);
    std::array<unsigned, 13> name{};  // 48 characters and an end
    for (unsigned i = 0; i <= kLastOfName - kFirstOfName; ++i)
        __cpuid(kFirstOfName + i, name[4 * i], name[4 * i + 1], name[4 * i + 2], name[4 * i + 3]);
    char text[sizeof name];
    std::memcpy(text, name.data(), sizeof name);
    return with_family(std::string(trimmed(text)), std::to_string(family), std::to_string(model));
}
#else
std::string told_by_processor() { return ""; }
#endif

/// "KEY : VALUE" lines up to the first empty one.
Environment first_block(const std::string& cpuinfo) {
    Environment out;
    for (const std::string& line : parts_of(cpuinfo, '\n')) {
        if (trimmed(line).empty()) break;
        const std::size_t colon = line.find(':');
        if (colon != line.npos)
            out.emplace(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }
    return out;
}

}  // namespace

std::string processor_in(const std::string& cpuinfo) {
    const Environment all = first_block(cpuinfo);
    if (const std::string& name = value_of(all, "model name"); !name.empty())
        return all.count("cpu family")
                   ? with_family(name, value_of(all, "cpu family"), value_of(all, "model"))
                   : name;
    for (const char* key : {"cpu", "uarch"})  // POWER, RISC-V
        if (const std::string& name = value_of(all, key); !name.empty()) return name;
    std::string out;
    for (const std::string key : {"implementer", "part", "variant", "revision"})
        if (const std::string& value = value_of(all, "CPU " + key); !value.empty())
            out += (out.empty() ? "" : " ") + key + ' ' + value;
    return out;
}

std::string processor_model() {
    std::string out = told_by_processor();
    if (!out.empty()) return out;
    out = processor_in(contents_of("/proc/cpuinfo", kFirstProcessor).value_or(""));
    if (utsname kernel; out.empty() && ::uname(&kernel) == 0) out = kernel.machine;
    return out;
}

}  // namespace hopbine::location
