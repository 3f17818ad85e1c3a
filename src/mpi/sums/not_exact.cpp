#include "mpi/sums/not_exact.hpp"

#include <atomic>
#include <cctype>
#include <cstdlib>
#include <map>
#include <mutex>

#include "mpi/state/world.hpp"
#include "mpi/sums/summand.hpp"
#include "runtime/log.hpp"
#include "runtime/settings.hpp"
#include "schedule/parts_of.hpp"
#include "select/json.hpp"
#include "sums/sum_state.hpp"

namespace hopbine::mpi {

namespace {

using Calls = std::map<std::string, long long>;

std::mutex calls_lock;
/// Calls by what they were, and why they were not exact.
Calls& calls() {
    static Calls& all = *new Calls;
    return all;
}
/// Whether there are some on any rank. Read when the program ends.
std::atomic<bool> any{false};
std::atomic<long long> exact_calls{0};  ///< nonblocking and persistent ones

/// The name of MPI's function, as MPI_Ireduce_scatter_block.
std::string function_of(const Call& c, Form form) {
    std::string out = name(c.collective);
    if (c.collective == Collective::reduce_scatter && !c.counts) out += "_block";
    if (form == Form::nonblocking) out = 'i' + out;
    if (form == Form::persistent) out += "_init";
    out[0] = static_cast<char>(std::toupper(out[0]));
    return "MPI_" + out;
}

/// Called when the program ends, after what it has registered itself: exit() goes on with the rest.
void tell_by_status(int status, void*) {
    if (status == 0 && any) std::exit(kNotExact);
}

/// A line for each kind of call: their number, then what they were.
std::string packed() {
    const std::lock_guard hold(calls_lock);
    std::string out;
    for (const auto& [what, number] : calls()) out += std::to_string(number) + ' ' + what + '\n';
    return out;
}

/// Adds the lines of a rank.
void unpack(const std::string& lines, Calls& all) {
    for (const std::string& line : parts_of(lines, '\n'))
        all[line.substr(line.find(' ') + 1)] += std::stoll(line);
}

}  // namespace

void note_exact_later() { exact_calls.fetch_add(1, std::memory_order_relaxed); }

void note_not_exact(const std::string& function, MPI_Datatype type, const std::string& why) {
    any = true;
    const std::string what = function + " of " + name_of(type) + " (" + why + ")";
    const std::lock_guard hold(calls_lock);
    ++calls()[what];
}

void note_not_exact(const Call& c, Form form, const std::string& why) {
    note_not_exact(function_of(c, form), c.recv_type, why);
}

void begin_exact_sums() {
    if (settings().exact_sums) on_exit(tell_by_status, nullptr);
}

void tell_not_exact() {
    if (!settings().exact_sums) return;
    Calls all;
    long long exact = exact_calls + sums::exact_blocking_calls();
    if (job().open) {
        const MPI_Comm comm = World::get().comm();
        long long mine[2] = {exact, any}, sums[2] = {};
        PMPI_Allreduce(mine, sums, 2, MPI_LONG_LONG, MPI_SUM, comm);
        exact = sums[0];
        any = sums[1] != 0;
        if (any)
            for (const std::string& one : gathered(packed(), comm)) unpack(one, all);
    } else {
        unpack(packed(), all);
    }
    std::string rounded;
    for (const auto& [what, number] : all) {
        say_once("sums are not exact: " + what + ", " + std::to_string(number) +
                 (number == 1 ? " call" : " calls of all ranks") + "; the exit status is " +
                 std::to_string(kNotExact));
        rounded +=
            (rounded.empty() ? "" : ", ") + json::quote(what) + ": " + std::to_string(number);
    }
    sums::about_sums() =
        "{\"exact\": " + std::to_string(exact) + ", \"rounded\": {" + rounded + "}}";
}

}  // namespace hopbine::mpi
