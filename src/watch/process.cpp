#include "watch/process.hpp"

#include <elf.h>
#include <signal.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

#include "schedule/bounds.hpp"
#include "schedule/parts_of.hpp"

namespace hopbine::watch {

namespace {

struct Module {
    std::uint64_t begin, end;  ///< of a part of it
    std::uint64_t base;        ///< where its first part is
    bool fixed;                ///< whether it is loaded at the addresses that it names
    std::string file;
};

/// Whether a file is a program that is loaded at the addresses that it names.
bool is_fixed(const std::string& file) {
    Elf64_Ehdr header{};
    const std::string bytes = contents_of(file, sizeof header).value_or("");
    std::memcpy(&header, bytes.data(), bytes.size());
    return header.e_type == ET_EXEC;
}

/// A file of /proc; empty where the process has ended.
std::string of_process(pid_t process, const char* file) {
    return contents_of("/proc/" + std::to_string(process) + "/" + file, kMostFileBytes)
        .value_or("");
}

/// The parts of files that a process has mapped. Kept: those of a process that has ended are asked
/// for too.
const std::vector<Module>& modules_of(pid_t process, bool again) {
    static std::map<pid_t, std::vector<Module>> known;
    std::vector<Module>& out = known[process];
    if (!out.empty() && !again) return out;
    std::vector<Module> found;
    for (const std::string& line : parts_of(of_process(process, "maps"), '\n')) {
        unsigned long long begin = 0, end = 0;
        int name = 0;
        // Addresses, rights, offset, device and inode; then a file's name.
        std::sscanf(line.c_str(), "%llx-%llx %*s %*s %*s %*s %n", &begin, &end, &name);
        if (!name || line[static_cast<std::size_t>(name)] != '/') continue;
        Module m{begin, end, begin, false, line.substr(static_cast<std::size_t>(name))};
        const bool goes_on = !found.empty() && found.back().file == m.file;
        m.base = goes_on ? found.back().base : m.begin;
        m.fixed = goes_on ? found.back().fixed : is_fixed(m.file);
        found.push_back(m);
    }
    if (!found.empty()) out = std::move(found);
    return out;
}

const Module* module_at(const std::vector<Module>& modules, std::uint64_t address) {
    for (const Module& m : modules)
        if (address >= m.begin && address < m.end) return &m;
    return nullptr;
}

std::string hex_of(std::uint64_t number) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(number));
    return text.data();
}

/// What addr2line prints of a place; empty: it cannot be asked.
std::string ask_addr2line(const std::string& file, const std::string& offset) {
    if (file.find('\'') != file.npos) return "";
    const std::string command = "addr2line -f -C -s -e '" + file + "' " + offset + " 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> out(::popen(command.c_str(), "r"), ::pclose);
    std::string text;
    std::array<char, 512> part{};
    while (out && std::fgets(part.data(), part.size(), out.get())) text += part.data();
    return text;
}

}  // namespace

Life life_of(pid_t process) {
    const std::string all = of_process(process, "stat");
    const std::size_t name = all.rfind(')');  // it may have spaces and brackets
    if (name == all.npos || name + 2 >= all.size()) return Life::ended;
    switch (all[name + 2]) {
    case 'R': return Life::runs;
    case 'T':
    case 't': return Life::stopped;
    case 'Z':
    case 'X': return Life::ended;
    default: return Life::sleeps;
    }
}

std::string site_text(pid_t process, std::uint64_t return_address) {
    const std::uint64_t address = return_address - 1;  // what follows may be another line's
    const Module* module = module_at(modules_of(process, false), address);
    if (!module) module = module_at(modules_of(process, true), address);
    if (!module) return hex_of(address);
    return module->file + "+" + hex_of(module->fixed ? address : address - module->base);
}

std::string line_of(const std::string& site) {
    static std::map<std::string, std::string> known;
    const auto [at, is_new] = known.try_emplace(site, site);
    const std::size_t plus = site.rfind('+');
    if (!is_new || plus == site.npos) return at->second;
    const std::string file = site.substr(0, plus),
                      text = ask_addr2line(file, site.substr(plus + 1));
    std::vector<std::string> lines = parts_of(text, '\n');
    lines.resize(2);
    const std::string &function = lines[0],
                      line = lines[1].substr(0, lines[1].find(" ("));  // " (discriminator 2)"
    const std::string base = file.substr(file.rfind('/') + 1);
    const bool has_line = !line.empty() && line[0] != '?';
    if (!function.empty() && function[0] != '?')
        at->second = function + " (" + (has_line ? line : base + site.substr(plus)) + ")";
    else
        at->second = base + site.substr(plus);
    return at->second;
}

}  // namespace hopbine::watch
