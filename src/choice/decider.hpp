/// Decides what serves the calls of a communicator: rules, counted traffic, the default table.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "choice/knowledge.hpp"
#include "choice/members.hpp"
#include "choice/plan_cache.hpp"
#include "runtime/max_bytes_estimate.hpp"

namespace hopbine::mpi {

/// What it decides is the same on all ranks.
class Decider {
public:
    Decider(Members& group, PlanCache& plans, std::shared_ptr<Knowledge> knowledge)
        : group_(group), plans_(plans), knowledge_(std::move(knowledge)) {}

    /// Whether the MPI library serves every call of `c`, whatever its arguments.
    bool library_only(Collective c) { return library_only(c, group_.form()); }
    /// library_only() for calls of another form.
    bool library_only(Collective c, Form form);
    /// Decides on a call: a plan, or the MPI library. May be collective. `known`: what blocking
    /// calls have measured, for one of another form. It decides where it has a plan.
    Decision& decide(Collective c, std::int64_t bytes, int root, Operands operands,
                     const std::shared_ptr<const select::Choice>& known = {});
    /// Whether decide() needs no counting, which all ranks do together.
    bool decides_at_once(Collective c, std::int64_t bytes, int root, Operands operands);
    /// Whether decide() answers by the rules and the ranks' places alone.
    bool decides_for_ever(Collective c);
    /// A plan for calls that are not left to the MPI library, because a rank has device memory.
    Served serve_anyhow(Collective c, std::int64_t bytes, int root, Operands operands);
    /// The plan of what these ranks do within a call that hopbine serves: by rules, or by count,
    /// as the MPI library knows nothing of them.
    const Plan& plan_within(Collective c, std::int64_t bytes, Operands operands);
    /// What a choice makes of a call: its plan, and its row in the statistics.
    Served serve(Chosen chosen, Collective c, std::int64_t bytes, int root);

    /// Whether the choice for an alltoallv depends on sizes, which the ranks then exchange.
    bool asks_sizes();
    /// Begins an alltoallv in which this rank sends `mine` bytes, where asks_sizes(). Returns the
    /// bytes to decide on, equal on all ranks. Collective.
    std::int64_t begin_alltoallv(std::int64_t mine);
    /// Ends an alltoallv that begin_alltoallv() began. `plan` served it, and found the `most` bytes
    /// that a rank sent; null: the MPI library did.
    void end_alltoallv(const Plan* plan, std::int64_t most);
    /// Decides on a persistent alltoallv in which no rank sends more than `most` bytes.
    /// `always`: spread_out serves where the MPI library would be chosen, which need not have the
    /// persistent form.
    Served decide_repeated(std::int64_t most, bool always);
    /// What may serve an alltoallv besides the library: what the table has for its size, the
    /// exchange with fewest messages, and the direct one.
    std::vector<Chosen> alltoallv_candidates(std::int64_t bytes);

    /// An algorithm that serves these calls whatever their shape; null: there is none.
    const Algorithm* any_algorithm(Collective c, Operands operands) const;
    Knowledge& knowledge() { return *knowledge_; }

private:
    Chooser& chooser() { return knowledge_->chooser(group_); }
    bool counted(Collective c) const;
    select::Asked asked(Collective c, std::int64_t bytes, Operands operands);
    Chosen through_memory(Collective c, std::int64_t bytes, Operands operands, Form form) const;
    Chosen guess(Collective c, std::int64_t bytes, int root, Operands operands);
    Chosen by_table(const select::Asked& call);
    Chosen choose(Collective c, std::int64_t bytes, int root, Operands operands);
    void number(Chosen& chosen, Collective c, Operands operands);
    const Plan* plan_of(Chosen& chosen, Collective c, std::int64_t bytes, int root);
    Served count(Collective c, std::int64_t bytes, int root, const std::string& why,
                 const Plan* plan, const char* name, const Parameters& parameters,
                 const std::string& numbering);

    /// Bytes of calls that through_memory() serves wherever it serves any of the collective.
    static constexpr std::int64_t kServedThroughMemory = 1024;

    Members& group_;
    PlanCache& plans_;
    std::shared_ptr<Knowledge> knowledge_;
    MaxBytesEstimate max_bytes_;
    ByRules<std::optional<bool>> asks_sizes_;
};

}  // namespace hopbine::mpi
