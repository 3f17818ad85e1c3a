// The plug-in of Slurm (SPANK): srun --hopbine[=CHOICE] ./app. srun asks `hopbine run` once, when
// the nodes are known, and the tasks get what it answers. Nothing of hopbine's is loaded into a
// daemon but this file, and nothing in a daemon can fail: what is wrong is told where a user is.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <optional>

#include "spank/carried.hpp"
#include "spank/command.hpp"
#include "spank/words.hpp"

extern "C" {
#include <slurm/spank.h>
// Constants have no linkage outside their file, unless they are declared before.
extern const char plugin_name[], plugin_type[];
extern const unsigned int plugin_version, spank_plugin_version;
SPANK_PLUGIN(hopbine, 1)
}

namespace {

using namespace hopbine::spank;

Arguments arguments;
std::optional<std::string> asked;  // what --hopbine says; empty: nothing behind it

bool is_local() {
    const spank_context_t here = spank_context();
    return here == S_CTX_LOCAL || here == S_CTX_ALLOCATOR;
}

/// What --hopbine says. Slurm calls it where the user is, when the job is submitted, and again in
/// the daemons.
int take(int, const char* word, int remote) {
    asked = word ? word : "";
    if (remote) return 0;
    const bool known = asked->empty() || is_choice(*asked);
    if (!known) slurm_error("--hopbine is '%s', not %s", word, choices().c_str());
    return known && arguments.complaint.empty() ? 0 : -1;
}

/// The option, of which Slurm keeps the pointers.
spank_option* option() {
    static std::string usage =
        "serve the MPI collectives of the tasks by hopbine; how it chooses: " + choices() +
        ". Its other settings are variables: man hopbine-run";
    static char name[] = "hopbine", value[] = "CHOICE";
    static spank_option out = {name, value, usage.data(),
                               2,    0,     take};  // 2: with or without a value
    return &out;
}

std::string own_file() {
    Dl_info about{};
    return ::dladdr(reinterpret_cast<void*>(&own_file), &about) ? about.dli_fname : "";
}

/// What the command answers. It is asked once: srun comes here for each component of a
/// heterogeneous step, from several threads.
const Answer& answer_for(const std::string& choice) {
    static const Answer out = [&] {
        Answer answer =
            ask(arguments.command.empty() ? command_beside(own_file()) : arguments.command, choice);
        for (const std::string& line : answer.messages) slurm_spank_log("%s", line.c_str());
        return answer;
    }();
    return out;
}

/// What --hopbine asks for; without it the administrator's default, unless the user's own variable
/// says otherwise.
std::string choice_in_force() {
    if (asked) return *asked;
    const bool own = arguments.by_default != kOff && std::getenv("HOPBINE_CHOICE");
    return own ? "" : arguments.by_default;
}

/// Whether this job has several components.
bool is_heterogeneous() { return std::getenv("SLURM_HET_SIZE"); }
bool was_heterogeneous = false;  // when srun began: it runs in an allocation

/// A job of several components that srun itself allocates cannot be given anything (below).
int leave_components_alone() {
    if (asked && *asked != kOff)
        slurm_error("--hopbine: srun A : B needs an allocation, of salloc or sbatch");
    return asked && *asked != kOff ? -1 : 0;
}

/// Finds what tasks get; nothing if they stay as they are. A refusal ends the job if the user has
/// asked for hopbine: else the job runs without.
int prepare_tasks() {
    const std::string choice = choice_in_force();
    if (choice == kOff) return 0;
    const Answer& answer = answer_for(choice);
    carry(answer.entries);
    if (answer.refused && asked) slurm_error("--hopbine is refused: see above");
    if (answer.refused && !asked) slurm_spank_log("hopbine: the tasks run without: see above");
    return answer.refused && asked ? -1 : 0;
}

/// Whether plugstack.conf denies the program of a task. The first task says so.
bool is_denied(spank_t spank) {
    int count = 0;
    char** words = nullptr;
    const bool known = !spank_get_item(spank, S_JOB_ARGV, &count, &words) && count > 0;
    if (!known || !arguments.denies(words[0])) return false;
    std::uint32_t rank = 0;
    if (asked && !spank_get_item(spank, S_TASK_GLOBAL_ID, &rank) && !rank)
        slurm_spank_log("hopbine: %s runs without: plugstack.conf denies it", words[0]);
    return true;
}

/// Gives a task what has been carried to it. Nothing else of its environment changes.
void deliver(spank_t spank) {
    char** environment = nullptr;
    if (spank_get_item(spank, S_JOB_ENV, &environment) || !environment) return;
    const std::vector<Carried> all = carried(environment);
    const bool denied = !all.empty() && is_denied(spank);
    for (const Carried& one : all) {
        // The process that reports that nothing was served: as hopbine run, this becomes the
        // program (src/preload/silence.c).
        const bool process = one.name == "HOPBINE_PROGRAM";
        const std::string value = process ? std::to_string(::getpid()) : one.value;
        if (!denied) spank_setenv(spank, one.name.c_str(), value.c_str(), 1);
        spank_unsetenv(spank, one.as.c_str());
    }
}

}  // namespace

extern "C" {

int slurm_spank_init(spank_t spank, int count, char** words) try {
    arguments = read_arguments({words, words + count});
    if (!arguments.complaint.empty() && is_local())
        slurm_error("hopbine: plugstack.conf: %s", arguments.complaint.c_str());
    spank_option_register(spank, option());
    return 0;
} catch (const std::exception&) {
    return 0;
}

// For a heterogeneous step srun copies its environment before it says where the tasks will be: what
// they get must be known now, as it is where the job has its nodes.
int slurm_spank_init_post_opt(spank_t, int, char**) try {
    was_heterogeneous = is_heterogeneous();
    return spank_context() == S_CTX_LOCAL && was_heterogeneous ? prepare_tasks() : 0;
} catch (const std::exception& e) {
    slurm_error("hopbine: %s", e.what());
    return -1;
}

int slurm_spank_local_user_init(spank_t, int, char**) try {
    if (is_heterogeneous() && !was_heterogeneous) return leave_components_alone();
    return prepare_tasks();
} catch (const std::exception& e) {
    slurm_error("hopbine: %s", e.what());
    return -1;
}

int slurm_spank_task_init(spank_t spank, int, char**) try {
    deliver(spank);
    return 0;
} catch (const std::exception&) {
    return 0;
}
}
