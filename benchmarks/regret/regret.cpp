// Plays drawn programs on recorded times with several policies, and prints what each took over what
// the MPI library takes.
//   regret EVENTS SEED POLICY,... RECORDING...
// EVENTS: calls of each cell, of as many programs as have so many, at least three. RECORDING: a
// file, not compressed. Prints csv: recording, family, calls (of each kind, or short-lived
// communicators), policy, program (its seed), ranks, skew (most calls of the library that a rank is
// late, `s`: always the same), and two ratios of times to the library's: `expected`, where each
// call counts with the mean of calls like it, and `drawn`, where it counts with the time that was
// drawn. What is drawn is what policies see. Waiting for ranks that the program makes late is in
// neither. `best` and its library are without first calls of an arm.
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "regret/changed_machine.hpp"
#include "regret/play.hpp"
#include "regret/policies.hpp"
#include "regret/recorded.hpp"
#include "schedule/algorithm.hpp"

using namespace hopbine;
using namespace hopbine::regret;

namespace {

/// Bytes of calls on communicators that live for five of them.
constexpr std::int64_t kSmall = 4096;
constexpr int kMostPrograms = 40, kLeastPrograms = 3;
/// Deviation of the logarithm of what a change does to an arm.
constexpr double kChange = 0.5;

struct Settings {
    std::int64_t events;
    std::uint64_t seed;
    std::vector<std::string> policies;
    std::vector<Recording> recordings;
};

std::vector<std::int64_t> calls_of(Family f) {
    if (f == Family::one_kind) return {1, 10, 100, 1000, 10'000, 100'000, 1'000'000};
    if (f == Family::short_lived) return {1, 5, 30, 300, 3000};
    return {1, 5, 30, 100, 300, 1000, 3000};
}

std::string file_name(const std::string& path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    return name.substr(0, name.find('.'));
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream words(text);
    for (std::string one; std::getline(words, one, ',');) out.push_back(one);
    return out;
}

Settings settings(int argc, char** argv) {
    Settings out{std::stoll(argv[1]), std::stoull(argv[2]), split(argv[3]), {}};
    for (int i = 4; i < argc; ++i) {
        std::ifstream in(argv[i]);
        if (!in) throw Error(std::string(argv[i]) + " cannot be read");
        out.recordings.push_back(read_recording(in, file_name(argv[i])));
    }
    return out;
}

std::vector<int> small_kinds(const Machine& machine) {
    std::vector<int> out;
    for (std::size_t k = 0; k < machine.kinds().size(); ++k)
        if (machine.kinds()[k].bytes <= kSmall) out.push_back(static_cast<int>(k));
    return out;
}

/// Plays one program with all policies. Returns its number of events.
std::int64_t play_all(const Settings& s, const Recording& r, const Recording& other, Family family,
                      std::int64_t calls, std::uint64_t seed) {
    const RecordedMachine before(r, seed), there(other, seed);
    const bool scaled = unit(mixed(seed, s.seed)) < 0.5;
    const ChangedMachine after(before, scaled ? static_cast<const Machine&>(before) : there,
                               scaled ? kChange : 0, seed);
    const Program program(family, calls, static_cast<int>(r.kinds.size()), small_kinds(before),
                          seed);
    const Stage stage{before, after};
    const MakePolicy library = policy_named("library");
    const double waiting = play(program, stage, library, Without::calls).seconds;
    const Played later = play(program, stage, library, Without::setup),
                 all = play(program, stage, library);
    for (const std::string& name : s.policies) {
        const bool best = name == "best";
        const Played& stock = best ? later : all;
        const Played played =
            play(program, stage, policy_named(name), best ? Without::setup : Without::nothing);
        std::printf("%s,%s,%lld,%s,%llu,%d,%.2f%s,%.4f,%.4f\n", r.name.c_str(),
                    regret::name(family), static_cast<long long>(calls), name.c_str(),
                    static_cast<unsigned long long>(seed), program.ranks(), program.skew().most,
                    program.skew().systematic ? "s" : "", played.expected / stock.expected,
                    (played.seconds - waiting) / (stock.seconds - waiting));
    }
    return program.events();
}

void play_cell(const Settings& s, std::size_t which, Family family, std::int64_t calls) {
    const Recording& r = s.recordings[which];
    const Recording& other = s.recordings[(which + 1) % s.recordings.size()];
    std::int64_t events = 0;
    for (int i = 0; i < kMostPrograms && (i < kLeastPrograms || events < s.events); ++i)
        events += play_all(s, r, other, family, calls, mixed(s.seed, calls, i) >> 32);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) {
        std::fprintf(stderr, "usage: regret EVENTS SEED POLICY,... RECORDING...\n");
        return 2;
    }
    try {
        const Settings s = settings(argc, argv);
        std::printf("recording,family,calls,policy,program,ranks,skew,expected,drawn\n");
        for (std::size_t which = 0; which < s.recordings.size(); ++which)
            for (int f = 0; f < kFamilies; ++f)
                for (const std::int64_t calls : calls_of(static_cast<Family>(f)))
                    play_cell(s, which, static_cast<Family>(f), calls);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "regret: %s\n", e.what());
        return 1;
    }
}
