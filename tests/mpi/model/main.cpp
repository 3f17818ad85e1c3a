// hopbine's runtime on a fake MPI: ranks in one process run drawn programs of collective calls of
// all forms, and compare every result with MPI's definition.
//
//   hopbine_model RUNTIME [--seeds A..B] [--threads N] [--lanes N] [--ranks N] [--node N]
//       [--overtakes]
//
// RUNTIME is libhopbine_mpich.so. --threads: ranks run at once, each on N threads; otherwise in
// turns, and a seed gives the same run again. --node: ranks on a node, which share memory; default
// 2. --overtakes: a network that is wrong, which the run
// must notice.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "fake_mpi.hpp"
#include "network.hpp"
#include "program.hpp"
#include "ranks.hpp"
#include "runtime.hpp"
#include "script.hpp"

namespace {

using namespace model;

struct Options {
    std::string runtime;
    std::uint64_t first = 1, last = 100;
    int threads = 0, lanes = 2, ranks = 8, on_node = 2;
    bool overtakes = false;
    Mode mode() const { return threads ? Mode::threads : Mode::turns; }
    int on_each() const { return threads ? threads : 1; }
    /// The line that draws a seed again.
    std::string again(std::uint64_t seed) const {
        return "hopbine_model RUNTIME --seeds " + std::to_string(seed) + ".." +
               std::to_string(seed) + " --threads " + std::to_string(threads) + " --lanes " +
               std::to_string(lanes) + " --ranks " + std::to_string(ranks) + " --node " +
               std::to_string(on_node);
    }
};

[[noreturn]] void usage(const std::string& why) {
    std::fprintf(stderr, "hopbine_model: %s\n", why.c_str());
    std::exit(2);
}

Options parse(int n, char** words) {
    Options out;
    for (int i = 1; i < n; ++i) {
        const std::string word = words[i];
        const auto next = [&] { return i + 1 < n ? std::string(words[++i]) : std::string(); };
        if (word == "--overtakes") {
            out.overtakes = true;
        } else if (word == "--seeds") {
            const std::string range = next();
            const auto dots = range.find("..");
            if (dots == std::string::npos) usage("--seeds is '" + range + "', not A..B");
            out.first = std::strtoull(range.c_str(), nullptr, 10);
            out.last = std::strtoull(range.c_str() + dots + 2, nullptr, 10);
        } else if (word == "--threads" || word == "--lanes" || word == "--ranks" ||
                   word == "--node") {
            (word == "--threads" ? out.threads
             : word == "--lanes" ? out.lanes
             : word == "--ranks" ? out.ranks
                                 : out.on_node) = std::atoi(next().c_str());
        } else if (out.runtime.empty() && !word.starts_with("-")) {
            out.runtime = word;
        } else {
            usage("'" + word + "' is no option");
        }
    }
    if (out.runtime.empty()) usage("the runtime is missing");
    if (out.ranks < 2 || out.ranks > 32) usage("--ranks must be 2..32");
    if (out.on_node < 1) usage("--node must be 1 or more");
    if (out.lanes < 1 || out.lanes > 16 || out.threads < 0 || out.threads > 4)
        usage("--lanes must be 1..16, --threads 0..4");
    return out;
}

/// Runs something on every rank.
void on_all(const Options& o, std::uint64_t seed, int threads,
            const std::function<void(int rank, int thread)>& body) {
    const std::string why = run_ranks(o.mode(), o.ranks, threads, seed, body);
    if (!why.empty()) die(why);
}

/// Returns the number of calls, and of those that the MPI library serves.
std::pair<std::size_t, int> run(const Options& o, std::uint64_t seed) {
    const Program program = draw_program(seed, o.ranks, o.on_each());
    set_title(o.again(seed) + ", " + program.algorithms);
    Network::get().draw(seed, o.overtakes);
    std::vector<std::unique_ptr<SharedScript>> scripts;
    for (const Script& script : program.scripts)
        scripts.push_back(std::make_unique<SharedScript>(script));
    for (int r = 0; r < o.ranks; ++r)
        if (runtime(r).select(program.algorithms.c_str())) die("hopbine_select fails");
    on_all(o, seed, o.on_each(), [&](int rank, int thread) {
        run_script(*scripts[static_cast<std::size_t>(thread)], rank,
                   seed * 4 + static_cast<std::uint64_t>(thread));
    });
    while (Network::get().move()) {
    }
    if (const std::string left = Network::get().unmatched(); !left.empty())
        die("messages are left:" + left);
    if (requests_left()) die(std::to_string(requests_left()) + " requests are left");
    std::pair<std::size_t, int> out{0, 0};
    for (const auto& one : scripts) {
        out.first += one->script->calls.size();
        out.second += one->count_passed();
    }
    return out;
}

}  // namespace

int main(int n, char** words) {
    const Options o = parse(n, words);
    setenv("HOPBINE_CHOICE", "count", 1);
    set_title("start");
    load_runtimes(o.runtime, o.ranks);
    begin_job({.ranks = o.ranks,
               .ranks_on_a_node = o.on_node,
               .lanes = o.lanes,
               .threads = o.threads > 0});
    constexpr int kAll = 1;  // PRESENCE_ALL: all ranks run under hopbine
    on_all(o, 0, 1, [&](int rank, int) { runtime(rank).begin(kAll); });
    std::size_t calls = 0;
    int passed = 0;
    for (std::uint64_t seed = o.first; seed <= o.last; ++seed) {
        const auto [some, left] = run(o, seed);
        calls += some;
        passed += left;
    }
    set_title("end");
    on_all(o, 0, 1, [&](int rank, int) { runtime(rank).finalize(nullptr); });
    std::printf("%zu calls, of which %d are left to the MPI library\n%llu passed, 0 failed\n",
                calls, passed, static_cast<unsigned long long>(o.last - o.first + 1));
    return 0;
}
