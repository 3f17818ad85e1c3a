// The command hopbine. It does `run` itself, once in every rank of a job, and hands all else to the
// Python command beside it.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "launcher/defaults.hpp"
#include "launcher/launch.hpp"
#include "launcher/options.hpp"
#include "launcher/rank.hpp"
#include "launcher/settings.hpp"
#include "schedule/problem.hpp"

extern char** environ;

namespace {

using namespace hopbine::launcher;

constexpr const char* kTools = "hopbine-tools";

/// The folder of this command's own file, behind all links.
std::string own_folder() {
    char path[4096];
    const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
    const std::string file(path, length > 0 ? static_cast<std::size_t>(length) : 0);
    return file.substr(0, file.rfind('/') == file.npos ? 0 : file.rfind('/'));
}

/// The folders where the preload library may be: those of an installation, and of a build.
std::vector<std::string> library_folders(const std::string& here) {
    const std::string relative = HOPBINE_LIBRARIES;
    std::vector<std::string> out;
    for (std::size_t at = 0; at < relative.size();) {
        const std::size_t end = std::min(relative.find(':', at), relative.size());
        out.push_back(here + "/" + relative.substr(at, end - at));
        at = end + 1;
    }
    out.push_back(here);
    return out;
}

/// The first that has it; else empty.
std::string library_folder(const std::string& here) {
    for (const std::string& folder : library_folders(here))
        if (!::access((folder + "/" + kPreloadLibrary).c_str(), F_OK)) return folder;
    return "";
}

/// Becomes the Python command. Returns only if it is not there.
void become_tools(const std::string& here, char** arguments) {
    const std::string tools = here + "/" + kTools;
    ::execv(tools.c_str(), arguments);
}

/// Prints a line in one piece: all ranks write to the same terminal.
void say(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

int refuse(const std::string& line) {
    say(line);
    return 2;
}

constexpr const char* kNoTools =
    "hopbine's Python commands are not installed here; pip install hopbine has them, and CMake's "
    "option HOPBINE_PYTHON";

/// Sets what the file of defaults has and the environment has not. All that is started inherits it.
/// Returns FILE:NAME,NAME... of what was set, for hopbine info.
std::string set_defaults(const std::string& here) {
    const Defaults defaults = read_defaults(defaults_files(here));
    std::string out = defaults.file + ":";
    for (const auto& [name, value] : defaults.settings) {
        if (!::getenv(name.c_str())) out += name + ",";
        ::setenv(name.c_str(), value.c_str(), 0);
    }
    return out;
}

int run(const std::string& here, char** arguments, const std::vector<std::string>& words) {
    std::string libraries = library_folder(here);
    Environment environment = environment_of(environ);
    if (libraries.empty() && value_of(environment, "HOPBINE_LIB").empty()) {
        become_tools(here, arguments);  // a package of Python knows its folder
        libraries = library_folders(here).front();
    }
    const auto read_place = [&](const Environment& settings, Nodes) -> Place {
        become_tools(here, arguments);
        const std::string why = std::string("descriptions of machines are read by Python: ") +
                                kNoTools + "; HOPBINE_GROUP and HOPBINE_GROUPS need neither";
        if (value_of(settings, "HOPBINE_SYSTEM").empty())
            return {{}, "Slurm's topology is not used: " + why};
        throw hopbine::Error(why);
    };
    Launch launch = prepare(words, std::move(environment), libraries, read_place);
    for (const std::string& line : launch.messages) say(line);
    if (launch.refused) return 2;
    if (launch.help) {
        std::fputs(help_text().c_str(), stdout);
        return 0;
    }
    return refuse(become(std::move(launch)));
}

}  // namespace

int main(int count, char** arguments) {
    const std::string here = own_folder();
    std::string defaults;
    try {
        defaults = set_defaults(here);
    } catch (const hopbine::Error& e) {
        return refuse(message_of_rank(environment_of(environ), e.what()));
    }
    if (count > 1 && !std::strcmp(arguments[1], "run"))
        return run(here, arguments, {arguments + 2, arguments + count});
    ::setenv(kDefaultsVariable, defaults.c_str(), 1);
    become_tools(here, arguments);
    return refuse(message_of_all(kNoTools + std::string("; hopbine run does without")));
}
