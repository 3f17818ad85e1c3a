#include "mpi/state/settings.hpp"

#include <cstdlib>
#include <functional>

#include "schedule/bounds.hpp"

namespace hopbine::mpi {

namespace {

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

bool flag(const std::string& name, const std::string& text) {
    if (!text.empty() && text != "0" && text != "1")
        throw Error(name + " is '" + text + "', not 0 or 1");
    return text == "1";
}

void read_choice(Settings& s, const std::string& choice) {
    if (choice != "" && choice != "measure" && choice != "count" && choice != "table")
        throw Error("HOPBINE_CHOICE is '" + choice + "', not measure, count or table");
    s.counts = choice != "table";
    s.measures = choice.empty() || choice == "measure";
}

/// Reads HOPBINE_PROGRESS. The preload library does too, before MPI_Init (src/preload/threads.c).
void read_progress(Settings& s, const std::string& progress) {
    if (progress != "" && progress != "auto" && progress != "thread")
        throw Error("HOPBINE_PROGRESS is '" + progress + "', not auto or thread");
    s.progress_thread = progress == "thread";
}

SummaryLine read_summary(const std::string& text) {
    if (text == "always") return SummaryLine::always;
    if (text == "never") return SummaryLine::never;
    if (!text.empty() && text != "auto")
        throw Error("HOPBINE_SUMMARY is '" + text + "', not auto, always or never");
    return SummaryLine::automatic;
}

/// Reads HOPBINE_GPU. Until "staged" is measured to be faster, auto is pass.
void read_gpu(Settings& s, const std::string& gpu) {
    if (gpu != "" && gpu != "auto" && gpu != "direct" && gpu != "staged" && gpu != "pass")
        throw Error("HOPBINE_GPU is '" + gpu + "', not auto, direct, staged or pass");
    s.direct = gpu == "direct";
    s.staged = s.direct || gpu == "staged";
}

/// Reads HOPBINE_GPU_PEERS, which nothing but "direct" heeds.
void read_peers(Settings& s, const std::string& peers) {
    if (peers.empty()) return;
    const std::int64_t least = parse_bytes(peers, "HOPBINE_GPU_PEERS");
    if (s.direct) s.peers = least;
}

Settings read() {
    Settings s;
    const std::string asked = variable("HOPBINE_ALGORITHM"), file = variable("HOPBINE_RULES"),
                      renumber = variable("HOPBINE_RENUMBER"), choice = variable("HOPBINE_CHOICE"),
                      network = variable("HOPBINE_NETWORK"), shape = variable("HOPBINE_SHAPE"),
                      patience = variable("HOPBINE_PATIENCE"),
                      everywhere = variable("HOPBINE_EVERYWHERE"),
                      progress = variable("HOPBINE_PROGRESS"), gpu = variable("HOPBINE_GPU"),
                      peers = variable("HOPBINE_GPU_PEERS"),
                      memory = variable("HOPBINE_SHARED_MEMORY");
    s.stats = variable("HOPBINE_STATS");
    std::string all = asked + '\n' + renumber + '\n' + choice + '\n' + network + '\n' + shape +
                      '\n' + patience + '\n' + progress + '\n' + gpu + '\n' + peers + '\n' + memory;
    try {
        if (!asked.empty()) s.asked = select::parse_algorithms(asked, "HOPBINE_ALGORITHM");
        if (!file.empty()) s.file = select::read_file(file);
        s.renumber = flag("HOPBINE_RENUMBER", renumber);
        s.everywhere = flag("HOPBINE_EVERYWHERE", everywhere);
        read_choice(s, choice);
        read_progress(s, progress);
        s.shared_memory = flag("HOPBINE_SHARED_MEMORY", memory) || memory.empty();
        s.sites = flag("HOPBINE_SITES", variable("HOPBINE_SITES")) && !s.stats.empty();
        s.summary = read_summary(variable("HOPBINE_SUMMARY"));
        read_gpu(s, gpu);
        read_peers(s, peers);
        if (!patience.empty()) s.patience = select::parse_patience(patience, "HOPBINE_PATIENCE");
        if (!shape.empty()) s.shape = parse_shape(shape, "HOPBINE_SHAPE");
        if (!network.empty()) s.network = select::parse_link_costs(network, "HOPBINE_NETWORK");
    } catch (const Error& e) {
        s.broken = e.what();
    }
    if (s.measures) s.learn = variable("HOPBINE_LEARN");
    for (const select::Rule& r : s.file.rules) all += '\n' + select::text(r);
    s.hash = std::hash<std::string>()(all + s.broken + (s.stats.empty() ? "" : "+stats") +
                                      (s.learn.empty() ? "" : "+learn"));
    return s;
}

Settings& stored() {
    static Settings s = read();
    return s;
}

}  // namespace

const Settings& settings() { return stored(); }

void override_algorithms(const char* text) {
    Settings& s = stored();
    const std::string given = text ? text : variable("HOPBINE_ALGORITHM");
    s.asked = given.empty()
                  ? select::Rules{}
                  : select::parse_algorithms(given, text ? "hopbine_select" : "HOPBINE_ALGORITHM");
    ++s.generation;
}

}  // namespace hopbine::mpi
