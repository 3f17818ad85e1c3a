#include "launcher/settings.hpp"

namespace hopbine::launcher {

namespace {

constexpr const char* kBudget =
    "the part of the time in collectives that measuring may take, 0 to 1; half of what it has "
    "gained is added";
constexpr const char* kGpu =
    "collectives on GPU memory; auto: they are served in GPU memory where hopbine gpu probe has "
    "recorded that the MPI library takes it, else through host memory; direct: in GPU memory, "
    "which the MPI library must send and receive; staged: through host memory; pass: the MPI "
    "library serves them, which must take GPU memory";
constexpr const char* kSums =
    "MPI_SUM of floating-point numbers; exact: the correctly rounded sum of what the ranks give, "
    "which has the same bits in every run, order and placement; a job of which some sums cannot be "
    "ends with status 87; rounded: after every addition";
constexpr const char* kWatch =
    "how long ranks may wait in one call of MPI until a report on standard error says for whom, "
    "such as 30s or 5min; abort: the job then ends with status 86; check: ranks compare their "
    "collectives before they make them, which takes a short exchange each time; or several in this "
    "order: 30s,check,abort; 10min where nothing is said; none: nothing is watched";
constexpr const char* kMeasure =
    "measure: the MPI library serves, and what was measured to be faster or is clearly so by the "
    "model; measuring takes little of the time; count: what spares the links between these nodes "
    "and groups, by a model; table: by ranks and size only";

}  // namespace

const std::vector<Setting>& settings() {
    static const std::vector<Setting> table = {
        {"HOPBINE_ALGORITHM", "algorithms asked for by name"},
        {"HOPBINE_RULES", "file of rules"},
        {"HOPBINE_STATS", "file for statistics; %j, %p and %h in its name: job, process, host"},
        {"HOPBINE_SITES", "1: statistics tell where the program makes its calls", "0", {"0", "1"}},
        {"HOPBINE_SUMMARY",
         "the line at the job's end that tells what was served; auto: of jobs under hopbine run "
         "with 1,000 collective calls or 10 seconds",
         "auto",
         {"auto", "always", "never"}},
        {"HOPBINE_LEARN", "file of what jobs have measured, read and written; none: no file",
         "one in the user's cache folder"},
        {"HOPBINE_RENUMBER", "1: treat ranks as numbered node by node", "0", {"0", "1"}},
        {"HOPBINE_EVERYWHERE",
         "1: all ranks of the job run under hopbine, where the launcher cannot tell",
         "0",
         {"0", "1"}},
        {"HOPBINE_PROGRESS",
         "what resumes nonblocking and persistent calls; auto: the MPI library's progress; "
         "thread: a thread of hopbine's own too, for ranks with spare cores",
         "auto",
         {"auto", "thread"}},
        {"HOPBINE_SHARED_MEMORY",
         "0: no messages through memory that processes of a node share, by which small nonblocking "
         "and persistent calls are served",
         "1",
         {"0", "1"}},
        {"HOPBINE_GPU", kGpu, "auto", {"auto", "direct", "staged", "pass"}},
        {"HOPBINE_GPU_PEERS",
         "bytes from which on a message between two GPUs of a node is copied by these themselves, "
         "with HOPBINE_GPU=direct",
         "the MPI library carries all"},
        {"HOPBINE_SUMS", kSums, "rounded", {"rounded", "exact"}},
        {"HOPBINE_WATCH", kWatch, "10min under hopbine run"},
        {"HOPBINE_CHOICE", kMeasure, "measure", {"measure", "count", "table"}},
        {"HOPBINE_PATIENCE",
         "how much longer a counted choice may take to spare the links between groups, 1 to 100",
         "1.1"},
        {"HOPBINE_BUDGET", kBudget, "0.005"},
        {"HOPBINE_SYSTEM", "the machine: name, description or formula",
         "Slurm's topology, else node names only"},
        {"HOPBINE_GROUPS", "the nodes of each group, as hopbine env prints them",
         "what the machine's description says"},
        {"HOPBINE_GROUP", "this node's group", "what the machine's description says"},
        {"HOPBINE_NODE", "this node's name",
         "SLURMD_NODENAME in tasks of srun, else what MPI_Get_processor_name says"},
        {"HOPBINE_SHAPE", "the torus that the ranks are on",
         "a Cartesian communicator's, else one dimension"},
        {"HOPBINE_NETWORK", "what links carry", "what the machine's description says"},
        {"HOPBINE_LIB", "folder of the preload library", "where hopbine is installed"},
        {"HOPBINE_MPIEXEC", "launcher of hopbine bench", "mpiexec"},
    };
    return table;
}

const std::vector<const char*>& internal_names() {
    static const std::vector<const char*> names = {
        "HOPBINE_PROGRAM", "HOPBINE_TEST_", "HOPBINE_ATTACK_", "HOPBINE_DRAWN",  kDefaultsVariable,
        "HOPBINE_ROOT",    "HOPBINE_DIR",   "HOPBINE_HOME",    "HOPBINE_VERSION"};
    return names;
}

const std::vector<Option>& options() {
    static const std::vector<Option> table = {
        {"--algorithm", "RULES", "HOPBINE_ALGORITHM",
         "e.g. allreduce=bine_large:segment=131072,bcast=mpi; 'mpi' is the MPI library's own"},
        {"--rules", "FILE", "HOPBINE_RULES", "JSON file of rules"},
        {"--stats", "FILE", "HOPBINE_STATS",
         "write what served which calls when the program ends; read it with hopbine stats. In its "
         "name %j is the batch system's job, %p and %h are process and host of rank 0, %% is a %"},
        {"--sites", nullptr, "HOPBINE_SITES",
         "statistics tell where the program makes its calls, for hopbine stats --sites; needs "
         "--stats",
         "1"},
        {"--summary", "", "HOPBINE_SUMMARY",
         "rank 0 tells in one line at the end how many calls were served, and what that saved; "
         "auto: if the job made 1,000 collective calls or took 10 seconds (default)"},
        {"--quiet", nullptr, "HOPBINE_SUMMARY",
         "no line at the end, nor one if nothing was served: the same as --summary never", "never"},
        {"--learn", "FILE", "HOPBINE_LEARN",
         "where to begin with what earlier jobs have measured, and to add what this one measures "
         "when the program ends: a file of rules, which may be edited; none: nowhere; default: one "
         "in the user's cache folder, hopbine in XDG_CACHE_HOME, else in ~/.cache"},
        {"--renumber", nullptr, "HOPBINE_RENUMBER",
         "treat ranks as numbered node by node, whatever their placement", "1"},
        {"--everywhere", nullptr, "HOPBINE_EVERYWHERE",
         "all ranks of the job run under hopbine; for launchers that do not tell it by PMIx or PMI",
         "1"},
        {"--progress", "", "HOPBINE_PROGRESS",
         "what resumes nonblocking and persistent calls while the program computes: auto: the MPI "
         "library's progress (default); thread: a thread of hopbine's own too, which needs a spare "
         "core for each rank and MPI_THREAD_MULTIPLE"},
        {"--gpu", "", "HOPBINE_GPU", kGpu},
        {"--gpu-peers", "BYTES", "HOPBINE_GPU_PEERS",
         "messages of at least so many bytes between two GPUs of a node are copied by these "
         "themselves, not by the MPI library; needs --gpu direct"},
        {"--system", "MACHINE", "HOPBINE_SYSTEM",
         "which node is in which group: a machine's name, description or formula, see hopbine "
         "traffic; default: Slurm's topology where the node has it, else node names only"},
        {"--no-shared-memory", nullptr, "HOPBINE_SHARED_MEMORY",
         "send no messages through memory that processes of a node share", "0"},
        {"--sums", "", "HOPBINE_SUMS", kSums},
        {"--watch", "TIME", "HOPBINE_WATCH", kWatch},
        {"--choice", "", "HOPBINE_CHOICE", kMeasure},
        {"--reproducible", nullptr, "HOPBINE_CHOICE",
         "choose by nothing but the job's shape, so that sums of floating-point numbers have the "
         "same bits in every run: the same as --choice count",
         "count"},
        {"--patience", "F", "HOPBINE_PATIENCE",
         "how many times as long as the fastest a counted choice may take if it moves less between "
         "groups; default: 1.1"},
        {"--budget", "PART", "HOPBINE_BUDGET", kBudget},
        {"--shape", "AxB", "HOPBINE_SHAPE",
         "the torus that the ranks are on, the last dimension fastest, for algorithms asked for by "
         "name that follow it; default: that of a torus told by --system, where a communicator has "
         "a rank on each of its nodes in order; Cartesian communicators tell their own"},
    };
    return table;
}

const Setting* setting_named(const std::string& name) {
    for (const Setting& s : settings())
        if (name == s.name) return &s;
    return nullptr;
}

}  // namespace hopbine::launcher
