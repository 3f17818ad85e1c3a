// Decides what serves an MPI_Alltoallv, whose largest block no rank knows alone.
#include <bit>

#include "mpi/state/communicator.hpp"
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

bool Communicator::asks_sizes() {
    if (asks_since_ == settings().generation) return asks_;
    std::vector<const select::Rules*> sources = settings().sources();
    // Where calls are measured an agreement tells their sizes.
    if (!measures()) sources.push_back(&select::default_rules());
    asks_ = unusable_.empty() && select::by_size(sources, Collective::alltoallv, size);
    asks_since_ = settings().generation;
    return asks_;
}

std::int64_t Communicator::begin_alltoallv(std::int64_t mine) {
    return decided_on(max_bytes_.begin(mine, user_));
}

Decision Communicator::decide_repeated(std::int64_t most, bool always) {
    constexpr Collective kAlltoallv = Collective::alltoallv;
    const std::int64_t bytes = asks_sizes() ? decided_on(most) : select::kUnknown;
    Decision d = decide(kAlltoallv, bytes, 0, Operands::exact);
    if (d.served.plan || !always) return d;
    const Algorithm& direct = algorithm_named(kAlltoallv, "spread_out");
    d.served = count(kAlltoallv, bytes, 0,
                     std::string("repeated, where ") + d.served.by + " serves single calls",
                     plan_for(direct, {}, 0, select::kUnknown, nullptr, true), {}, "given");
    return d;
}

void Communicator::end_alltoallv(const Plan* plan) {
    if (!plan || !plan->sized().headers_reach_all) return max_bytes_.end();
    const std::int64_t bytes = nonuniform.max_bytes;
    const Decision& d = decide(Collective::alltoallv, decided_on(bytes), 0, Operands::exact);
    max_bytes_.end_with(bytes, d.served.plan == plan);
}

/// What may serve an alltoallv besides the library: what the table has for its size, the exchange
/// with fewest messages, and the direct one.
std::vector<Chosen> Communicator::alltoallv_candidates(std::int64_t bytes) {
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

}  // namespace hopbine::mpi
