#include "launcher/job.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace hopbine::launcher {

namespace {

constexpr const char* kLaunchers[] = {"srun",    "mpiexec", "mpirun",    "orterun",
                                      "prterun", "prun",    "aprun",     "jsrun",
                                      "lrun",    "flux",    "ccc_mprun", "ibrun"};

/// The name before a suffix: mpiexec.hydra is mpiexec.
std::string stem(const std::string& program) {
    const std::string name = program.substr(program.rfind('/') + 1);
    return name.substr(0, name.find('.'));
}

/// Whether the program says that it is Open MPI's launcher, or the one that Open MPI 5 has in it.
bool is_of_openmpi(const std::string& program) {
    if (program.find('\'') != program.npos) return false;
    const std::string command = "'" + program + "' --version 2>/dev/null </dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> out(::popen(command.c_str(), "r"), ::pclose);
    char line[256];
    bool found = false;
    while (out && std::fgets(line, sizeof line, out.get())) {
        const std::string text = line;
        found |= text.find("Open MPI") != text.npos || text.find("OpenRTE") != text.npos ||
                 text.find("PRRTE") != text.npos;
    }
    return found;
}

}  // namespace

std::span<const char* const> launchers() { return kLaunchers; }

bool is_launcher(const std::string& program) {
    return std::ranges::find(kLaunchers, stem(program)) != std::end(kLaunchers);
}

void export_variables(std::vector<std::string>& command, const std::string& program,
                      const Environment& environment) {
    const std::string name = stem(program);
    const bool may_be = name == "mpiexec" || name == "mpirun";
    if (name != "orterun" && name != "prterun" && !(may_be && is_of_openmpi(program))) return;
    std::vector<std::string> words;
    for (const auto& [variable, value] : environment)
        if (location::is_hopbines(variable)) words.insert(words.end(), {"-x", variable});
    command.insert(command.begin() + 1, words.begin(), words.end());
}

}  // namespace hopbine::launcher
