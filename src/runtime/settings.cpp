#include "runtime/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <initializer_list>

#include "schedule/bounds.hpp"

namespace hopbine::mpi {

namespace {

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

/// The value of a variable, which is one of some words or empty. Throws Error.
std::string word(const std::string& name, std::initializer_list<std::string> words) {
    const std::string value = variable(name.c_str());
    if (value.empty() || std::ranges::find(words, value) != words.end()) return value;
    std::string known;
    for (const std::string& w : words)
        known += (known.empty() ? "" : &w == words.end() - 1 ? " or " : ", ") + w;
    throw Error(name + " is '" + value + "', not " + known);
}

bool flag(const std::string& name) { return word(name, {"0", "1"}) == "1"; }

SummaryLine summary(const std::string& text) {
    return text == "always"  ? SummaryLine::always
           : text == "never" ? SummaryLine::never
                             : SummaryLine::automatic;
}

Gpu gpu(const std::string& text) {
    return text == "direct"   ? Gpu::direct
           : text == "staged" ? Gpu::staged
           : text == "pass"   ? Gpu::pass
                              : Gpu::automatic;
}

/// Sets those that can have wrong values. Throws Error at the first that has one.
void read_checked(Settings& s) {
    const std::string asked = variable("HOPBINE_ALGORITHM"), file = variable("HOPBINE_RULES"),
                      patience = variable("HOPBINE_PATIENCE"), shape = variable("HOPBINE_SHAPE"),
                      network = variable("HOPBINE_NETWORK"), peers = variable("HOPBINE_GPU_PEERS"),
                      budget = variable("HOPBINE_BUDGET"), watched = variable("HOPBINE_WATCH");
    const bool under_run = !variable("HOPBINE_PROGRAM").empty();
    s.watch = watched.empty() && under_run ? watch::kUnasked
                                           : watch::parse_watch(watched, "HOPBINE_WATCH");
    s.exact_sums = word("HOPBINE_SUMS", {"rounded", "exact"}) == "exact";
    if (!asked.empty()) s.asked = select::parse_algorithms(asked, "HOPBINE_ALGORITHM");
    if (!file.empty()) s.file = select::read_file(file);
    s.renumber = flag("HOPBINE_RENUMBER");
    s.everywhere = flag("HOPBINE_EVERYWHERE");
    const std::string choice = word("HOPBINE_CHOICE", {"measure", "count", "table"});
    s.counts = choice != "table";
    s.measures = choice.empty() || choice == "measure";
    // The preload library reads it too, before MPI_Init (src/preload/threads.c).
    s.progress_thread = word("HOPBINE_PROGRESS", {"auto", "thread"}) == "thread";
    s.shared_memory = word("HOPBINE_SHARED_MEMORY", {"0", "1"}) != "0";
    s.sites = flag("HOPBINE_SITES") && !s.stats.empty();
    s.summary = summary(word("HOPBINE_SUMMARY", {"auto", "always", "never"}));
    s.gpu = gpu(word("HOPBINE_GPU", {"auto", "direct", "staged", "pass"}));
    if (!peers.empty()) {
        const std::int64_t least = parse_bytes(peers, "HOPBINE_GPU_PEERS");
        if (s.gpu == Gpu::direct) s.peers = least;  // nothing else heeds it
    }
    if (!patience.empty()) s.patience = select::parse_patience(patience, "HOPBINE_PATIENCE");
    if (!budget.empty()) s.budget = select::parse_budget(budget, "HOPBINE_BUDGET");
    if (!shape.empty()) s.shape = parse_shape(shape, "HOPBINE_SHAPE");
    if (!network.empty()) s.network = select::parse_link_costs(network, "HOPBINE_NETWORK");
}

Settings read() {
    Settings s;
    s.stats = variable("HOPBINE_STATS");
    try {
        read_checked(s);
    } catch (const Error& e) {
        s.broken = e.what();
    }
    if (s.measures) s.learned = select::learned_file(variable("HOPBINE_LEARN"));
    std::string all;
    for (const char* name :
         {"HOPBINE_ALGORITHM", "HOPBINE_RENUMBER", "HOPBINE_CHOICE", "HOPBINE_NETWORK",
          "HOPBINE_SHAPE", "HOPBINE_PATIENCE", "HOPBINE_BUDGET", "HOPBINE_PROGRESS", "HOPBINE_GPU",
          "HOPBINE_GPU_PEERS", "HOPBINE_SHARED_MEMORY", "HOPBINE_SUMS", "HOPBINE_WATCH"})
        all += variable(name) + '\n';
    for (const select::Rule& r : s.file.rules) all += select::text(r) + '\n';
    if (!s.stats.empty()) all += "+stats";
    if (s.watch.limit > 0) all += "+watch";
    s.hash = std::hash<std::string>()(all + s.broken);
    return s;
}

Settings& stored_settings() {
    static Settings s = read();
    return s;
}

}  // namespace

const Settings& read_settings() {
    const Settings& s = stored_settings();
    settings_read.store(&s, std::memory_order_release);
    return s;
}

void override_algorithms(const char* text) {
    Settings& s = stored_settings();
    const std::string given = text ? text : variable("HOPBINE_ALGORITHM");
    s.asked = given.empty()
                  ? select::Rules{}
                  : select::parse_algorithms(given, text ? "hopbine_select" : "HOPBINE_ALGORITHM");
    ++s.generation;
}

}  // namespace hopbine::mpi
