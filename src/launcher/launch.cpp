#include "launcher/launch.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "launcher/file_name.hpp"
#include "launcher/job.hpp"
#include "launcher/options.hpp"
#include "launcher/program.hpp"
#include "launcher/rank.hpp"
#include "launcher/settings.hpp"
#include "location/groups.hpp"
#include "location/slurm.hpp"
#include "location/this_node.hpp"
#include "schedule/bounds.hpp"
#include "select/cost_choice.hpp"
#include "select/learned_cache.hpp"
#include "select/link_costs.hpp"
#include "select/rules.hpp"
#include "watch/setting.hpp"

namespace hopbine::launcher {

namespace {

constexpr const char* kDefaultPath = "/bin:/usr/bin";

void warn(Launch& out, const std::string& what) {
    if (!world_rank(out.environment).value_or(0)) out.messages.push_back(message_of_all(what));
}

/// Makes the names of files absolute: a program may change its folder.
void make_absolute(Environment& environment) {
    for (const char* name : {"HOPBINE_RULES", "HOPBINE_STATS", "HOPBINE_LEARN"})
        if (const std::string& path = value_of(environment, name);
            !path.empty() && path != select::kNowhere)
            environment[name] = std::filesystem::absolute(path).lexically_normal().string();
}

/// The statistics file of this job and process.
std::string statistics_file(const Environment& environment, const std::string& source) {
    return expand_file_name(value_of(environment, "HOPBINE_STATS"), environment, source);
}

/// Validates a shape, and that the job has ranks enough.
void check_shape(Launch& out, const std::string& source) {
    const std::string& text = value_of(out.environment, "HOPBINE_SHAPE");
    if (text.empty()) return;
    std::int64_t holds = 1;
    for (const int extent : parse_shape(text, source)) holds *= extent;
    const int ranks = world_size(out.environment).value_or(0);
    if (!ranks || holds == ranks) return;
    const std::string what = source + " " + text + " holds " + std::to_string(holds) +
                             " ranks, the job has " + std::to_string(ranks);
    if (holds > ranks) throw Error(what);
    warn(out, what + ": it is used for communicators of " + std::to_string(holds) + " ranks only");
}

/// Validates what is asked for, by name or in a file.
void check_choice(const Environment& environment, const Environment& sources) {
    const auto text = [&](const char* name) { return value_of(environment, name); };
    if (const std::string algorithms = text("HOPBINE_ALGORITHM"); !algorithms.empty())
        select::parse_algorithms(algorithms, source_of("HOPBINE_ALGORITHM", sources));
    if (const std::string rules = text("HOPBINE_RULES"); !rules.empty()) select::read_file(rules);
}

/// Adds the group that Slurm's variables or the node itself tell.
void complete_group(Launch& out) {
    try {
        const std::string group = location::own_group(out.environment);
        if (!group.empty()) out.environment["HOPBINE_GROUP"] = group;
    } catch (const Error& e) {
        // Nobody asked for this file: the job runs without it, and says so.
        warn(out, std::string("the group of this node is unknown: ") + e.what());
    }
}

/// Whether a machine's description is to be read: one that is asked for, or Slurm's.
bool has_description(const Environment& environment) {
    return !value_of(environment, "HOPBINE_SYSTEM").empty() ||
           (!value_of(environment, "SLURM_JOB_ID").empty() &&
            !location::slurm_topology_file(environment).empty());
}

/// Completes the settings of a rank by the place of its node, which HOPBINE_GROUP and
/// HOPBINE_GROUPS tell already, or else the machine's description.
void complete_place(Launch& out, const PlaceReader& read_place) {
    Environment& environment = out.environment;
    if (environment.count("HOPBINE_GROUP")) return;
    const std::string& groups = value_of(environment, "HOPBINE_GROUPS");
    if (!groups.empty()) {
        environment["HOPBINE_GROUP"] = location::group_in(groups, node_name(environment));
        return;
    }
    if (!has_description(environment)) {
        complete_group(out);
        return;
    }
    const Place place = read_place(environment, Nodes::kThis);
    if (!place.complaint.empty()) {
        if (const auto group =
                location::slurm_group(environment)) {  // without Python, for instance
            environment["HOPBINE_GROUP"] = *group;
            return;
        }
        warn(out, place.complaint);
    }
    environment.insert(place.settings.begin(), place.settings.end());
}

/// Completes the settings of a process that is no rank but starts ranks, maybe on other nodes: by
/// the groups of all nodes. Ranks find their own in them, or what Slurm and their node tell.
void complete_places(Launch& out, const PlaceReader& read_place) {
    Environment& environment = out.environment;
    if (environment.count("HOPBINE_GROUP") || environment.count("HOPBINE_GROUPS") ||
        !has_description(environment))
        return;
    const Place place = read_place(environment, Nodes::kAll);
    if (!place.complaint.empty()) warn(out, place.complaint);
    environment.insert(place.settings.begin(), place.settings.end());
}

/// Validates numbers.
void check_numbers(const Environment& environment, const Environment& sources) {
    if (const std::string& text = value_of(environment, "HOPBINE_NETWORK"); !text.empty())
        select::parse_link_costs(text, "HOPBINE_NETWORK");
    if (const std::string& text = value_of(environment, "HOPBINE_PATIENCE"); !text.empty())
        select::parse_patience(text, source_of("HOPBINE_PATIENCE", sources));
    if (const std::string& text = value_of(environment, "HOPBINE_BUDGET"); !text.empty())
        select::parse_budget(text, source_of("HOPBINE_BUDGET", sources));
    watch::parse_watch(value_of(environment, "HOPBINE_WATCH"), source_of("HOPBINE_WATCH", sources));
    if (const std::string& text = value_of(environment, "HOPBINE_GPU_PEERS"); !text.empty())
        parse_bytes(text, source_of("HOPBINE_GPU_PEERS", sources));
}

/// Validates the name of a file that rank 0 writes. In a job that is a warning: the other ranks
/// would wait for this one.
void check_output(Launch& out, const std::string& path, const std::string& otherwise) {
    if (path.empty() || world_rank(out.environment).value_or(0)) return;
    try {
        check_writable(path);
    } catch (const Error& e) {
        if (!world_rank(out.environment)) throw;
        out.messages.push_back(message_of_rank(out.environment, otherwise + ": " + e.what()));
    }
}

/// LD_PRELOAD with the preload library, behind what is there: a tool that counts MPI calls by PMPI
/// then sees those that hopbine serves.
std::string preload(const Environment& environment, const std::string& libraries) {
    const std::string& given = value_of(environment, "HOPBINE_LIB");
    const std::string library = (given.empty() ? libraries : given) + "/" + kPreloadLibrary;
    if (::access(library.c_str(), F_OK))
        throw Error("the preload library " + library +
                    " is missing: this hopbine was built without an MPI (CMake option "
                    "HOPBINE_MPI), or HOPBINE_LIB points elsewhere");
    if (library.find_first_of(": ") != std::string::npos)
        throw Error("the preload library '" + shown(library, 1000) +
                    "' has a space or a colon in its name, where the dynamic linker takes the "
                    "names in LD_PRELOAD apart; move it, or let HOPBINE_LIB name a link to its "
                    "folder without these");
    const std::string& before = value_of(environment, "LD_PRELOAD");
    std::string out;
    for (std::size_t at = 0; at < before.size();) {
        const std::size_t end = std::min(before.find_first_of(": ", at), before.size());
        const std::string other = before.substr(at, end - at);
        if (!other.empty() && other != library) out += other + ":";
        at = end + 1;
    }
    return out + library;
}

/// Validates what one option asks of another.
void check_together(const CommandLine& line, const Environment& environment) {
    const std::string& choice = value_of(environment, "HOPBINE_CHOICE");
    const std::string& learn = value_of(line.given, "HOPBINE_LEARN");
    if (!learn.empty() && learn != select::kNowhere && !choice.empty() && choice != "measure")
        throw Error("--learn needs --choice measure: otherwise nothing is measured");
    if (line.given.count("HOPBINE_SITES") && value_of(environment, "HOPBINE_STATS").empty())
        throw Error("--sites needs --stats FILE: it adds to the statistics");
    if (line.given.count("HOPBINE_GPU_PEERS") && value_of(environment, "HOPBINE_GPU") != "direct")
        throw Error("--gpu-peers needs --gpu direct");
}

/// Finds the program, and warns if nothing can be preloaded into it.
void find(Launch& out, std::vector<std::string> command, bool starts_ranks) {
    Environment& environment = out.environment;
    out.command = std::move(command);
    out.program = find_program(out.command[0],
                               environment.count("PATH") ? environment["PATH"] : kDefaultPath);
    if (out.program.empty())
        throw Error("program '" + shown(out.command[0]) + "' is not there or not executable");
    // Which process reports at its end that nothing was served: src/preload/silence.c. A launcher
    // is no program of MPI.
    environment["HOPBINE_PROGRAM"] = starts_ranks ? "0" : std::to_string(::getpid());
    if (starts_ranks)
        export_variables(out.command, out.program, environment);
    else if (const std::string why = out_of_reach(out.program); !why.empty())
        warn(out, "no collective will be served: " + out.command[0] + " " + why);
}

/// Throws Error for whatever is wrong.
void fill(Launch& out, const std::vector<std::string>& words, const std::string& libraries,
          const PlaceReader& read_place) {
    CommandLine line = parse_command_line(words);
    if ((out.help = line.help)) return;
    if (line.program.empty()) throw Error("no program is given: mpiexec -n 4 hopbine run ./app");
    Environment& environment = out.environment;
    for (const auto& [name, value] : line.given) environment[name] = value;
    check_settings(environment, line.sources);
    check_together(line, environment);
    make_absolute(environment);
    check_choice(environment, line.sources);
    check_shape(out, source_of("HOPBINE_SHAPE", line.sources));
    const bool starts_ranks = is_launcher(line.program[0]);
    if (starts_ranks || !world_rank(environment))
        complete_places(out, read_place);
    else
        complete_place(out, read_place);
    check_numbers(environment, line.sources);
    check_output(out, statistics_file(environment, source_of("HOPBINE_STATS", line.sources)),
                 "there will be no statistics");
    if (const std::string& learn = value_of(environment, "HOPBINE_LEARN");
        learn != select::kNowhere)
        check_output(out, learn, "what is learned will be lost");
    environment["LD_PRELOAD"] = preload(environment, libraries);
    find(out, std::move(line.program), starts_ranks);
}

}  // namespace

Launch prepare(const std::vector<std::string>& words, Environment environment,
               const std::string& libraries, const PlaceReader& read_place) {
    Launch out;
    out.environment = std::move(environment);
    try {
        fill(out, words, libraries, read_place);
    } catch (const Error& e) {
        out.refused = true;
        out.messages.push_back(message_of_rank(out.environment, e.what()));
    }
    return out;
}

std::string become(Launch launch) {
    Environment& environment = launch.environment;
    if (environment.count("HOPBINE_STATS"))
        environment["HOPBINE_STATS"] = statistics_file(environment, "HOPBINE_STATS");
    const std::vector<std::string> entries = entries_of(environment);
    const auto pointers = [](const std::vector<std::string>& texts) {
        std::vector<char*> out;
        for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
        out.push_back(nullptr);
        return out;
    };
    ::execve(launch.program.c_str(), pointers(launch.command).data(), pointers(entries).data());
    return message_of_rank(launch.environment, "program '" + shown(launch.command[0]) +
                                                   "' cannot be started: " + std::strerror(errno));
}

}  // namespace hopbine::launcher
