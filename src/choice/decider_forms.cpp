// Decides on calls of which no rank knows the largest block, and on those through shared memory.
#include <bit>

#include "choice/decider.hpp"
#include "choice/job.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

namespace {

/// Rounds bytes up to a power of two: few decisions suffice for sizes that differ from call to
/// call.
std::int64_t decided_on(std::int64_t bytes) {
    return bytes > std::int64_t{1} << 62
               ? bytes
               : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bytes)));
}

}  // namespace

bool Decider::asks_sizes() {
    std::optional<bool>& known = asks_sizes_.now();
    if (known) return *known;
    std::vector<const select::Rules*> sources = settings().sources();
    // Where calls are measured an agreement tells their sizes.
    if (!measures(group_.form())) sources.push_back(&select::default_rules());
    known = !group_.unusable() && select::by_size(sources, Collective::alltoallv, group_.size);
    return *known;
}

std::int64_t Decider::begin_alltoallv(std::int64_t mine) {
    return decided_on(
        max_bytes_.begin(mine, [this](std::int64_t own) { return group_.most(own); }));
}

Served Decider::decide_repeated(std::int64_t most, bool always) {
    constexpr Collective kAlltoallv = Collective::alltoallv;
    const std::int64_t bytes = asks_sizes() ? decided_on(most) : select::kUnknown;
    const Served served = decide(kAlltoallv, bytes, 0, Operands::exact).served;
    if (served.plan || !always) return served;
    const Algorithm& direct = algorithm_named(kAlltoallv, "spread_out");
    return count(
        kAlltoallv, bytes, 0, std::string("repeated, where ") + served.by + " serves single calls",
        plans_.plan(direct, {}, 0, select::kUnknown, nullptr, true), direct.name, {}, "given");
}

void Decider::end_alltoallv(const Plan* plan, std::int64_t most) {
    if (!plan || !plan->sized().headers_reach_all) return max_bytes_.end();
    const Decision& d = decide(Collective::alltoallv, decided_on(most), 0, Operands::exact);
    max_bytes_.end_with(most, d.served.plan == plan);
}

std::vector<Chosen> Decider::alltoallv_candidates(std::int64_t bytes) {
    constexpr Collective kAlltoallv = Collective::alltoallv;
    std::vector<Chosen> out;
    const auto add = [&](select::Choice choice) {
        if (choice.algorithm) out.push_back({std::move(choice), nullptr, true});
    };
    add(select::choose({&select::default_rules()},
                       asked(kAlltoallv, decided_on(bytes), Operands::exact)));
    for (const char* name : {"parlogna", "spread_out"})
        add({&algorithm_named(kAlltoallv, name), {}, "", true, {}});
    return out;
}

/// The choice for small calls of ranks that share memory; no algorithm: they do not, or another one
/// is to be found.
Chosen Decider::through_memory(Collective c, std::int64_t bytes, Operands operands,
                               Form form) const {
    Chosen out;
    // With hopbine's own thread short calls were not measured to be faster.
    if (form == Form::blocking || settings().progress_thread || !group_.shares_memory()) return out;
    // Open MPI moves data as fast, and some calls of two ranks.
    const bool open_mpi = job().open_mpi, short_persistent = form == Form::persistent &&
                                                             bytes < kServedThroughMemory &&
                                                             c != Collective::allreduce;
    if (open_mpi && group_.size == 2 && (c == Collective::exscan || short_persistent)) return out;
    out.choice = select::choose({&select::shared_memory_rules(!open_mpi)},
                                {c, group_.size, bytes, operands});
    out.for_many = form == Form::nonblocking && settings().measures;
    return out;
}

const Plan& Decider::plan_within(Collective c, std::int64_t bytes, Operands operands) {
    if (const Decision* const d = plans_.find(c, bytes, 0, operands)) return *d->served.plan;
    plans_.limit();
    Chosen chosen{select::choose(settings().sources(), asked(c, bytes, operands))};
    if (!chosen.choice.algorithm && counted(c)) {
        auto all = chooser().shortlist(c, bytes, 0, operands, settings().network, group_);
        if (!all.best.empty()) chosen = std::move(all.best.front());
    }
    number(chosen, c, operands);
    Served served{plan_of(chosen, c, bytes, 0)};
    if (!served.plan) {
        chosen = {{any_algorithm(c, operands), {}, "", true, {}}};
        served.plan = plan_of(chosen, c, bytes, 0);
    }
    const Decision& kept =
        plans_.keep({c, operands, 0, bytes, served, nullptr, false, nullptr, -1, {}});
    return *kept.served.plan;
}

bool Decider::decides_for_ever(Collective c) {
    return group_.form() != Form::blocking && counted(c) && !chooser().useful();
}

}  // namespace hopbine::mpi
