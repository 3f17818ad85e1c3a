/// What was decided on the calls of a communicator, and the plans that serve them.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "choice/chooser.hpp"
#include "choice/measuring.hpp"
#include "choice/members.hpp"
#include "choice/summary.hpp"
#include "runtime/plan.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

/// What serves a call.
struct Served {
    const Plan* plan = nullptr;    ///< null: the MPI library serves
    StatRow* row = nullptr;        ///< null when no statistics are kept
    const char* by = nullptr;      ///< "bine_large:segment=0", or "mpi"; never freed
    bool for_many = false;         ///< pays where many such calls are made
    bool by_devices = false;       ///< where kernels fit the call, they do what the plan says
    ServedTally* tally = nullptr;  ///< null where the job's end is to tell nothing of them
};

/// The decision for calls of the same collective, bytes, root and operands. `bytes` is
/// select::kUnknown where not all ranks know them.
struct Decision {
    Collective collective = Collective::bcast;
    Operands operands = Operands::exact;
    int root = -1;
    std::int64_t bytes = -2;
    Served served;
    /// What blocking calls have measured, if a call of another form was decided by it.
    std::shared_ptr<const select::Choice> measured;
    bool ruled = false;                  ///< a rule of the user decides
    const MeasuredKind* kind = nullptr;  ///< that `arms` are of
    int version = -1;                    ///< of `kind`
    std::vector<Served> arms;            ///< by arm; made when they are to serve first

    /// Whether it answers such calls, by what was `known` by measuring.
    bool is_for(Collective c, std::int64_t n, int r, Operands o,
                const select::Choice* known = nullptr) const {
        return bytes == n && collective == c && root == r && operands == o &&
               measured.get() == known;
    }
};

class PlanCache {
public:
    explicit PlanCache(Members& group) : group_(group) {}

    /// The decision on such calls, if it holds; null: none is known.
    Decision* find(Collective c, std::int64_t bytes, int root, Operands operands,
                   const select::Choice* known = nullptr) {
        Recent* const recent = recent_.now().get();
        if (!recent) return nullptr;
        Decision& d = (*recent)[slot_of(c, bytes, root, operands)];
        return d.is_for(c, bytes, root, operands, known) ? &d : nullptr;
    }
    /// Keeps a decision in the place of an older one.
    Decision& keep(Decision decision);
    /// Frees plans and decisions where there are very many: a program may use all roots of a large
    /// communicator. Before plans of a decision are made.
    void limit();
    /// The plan of an algorithm; null numbering: the ranks are taken as given. Throws Error where
    /// it does not serve these ranks.
    const Plan* plan(const Algorithm& a, const Parameters& parameters, int root, std::int64_t bytes,
                     const select::Numbering* numbering, bool sized_messages);

    int in_use = 0;  ///< nonblocking calls that run a plan; while there are any, none is freed

private:
    using Recent = std::array<Decision, 64>;
    /// Index in Recent.
    static std::size_t slot_of(Collective c, std::int64_t bytes, int root, Operands operands) {
        const auto mixed =
            (static_cast<std::uint64_t>(bytes) * 3 + static_cast<std::uint64_t>(operands)) *
                0x9E3779B97F4A7C15u +
            static_cast<std::uint64_t>(root) * 0xD1B54A32D192ED03u +
            static_cast<std::uint64_t>(c) * 0x8CB92BA72F3D8DD7u;
        return mixed >> 58;
    }

    Members& group_;
    /// Programs alternate between a few kinds of calls.
    ByRules<std::unique_ptr<Recent>> recent_;
    std::map<std::string, std::unique_ptr<Plan>> plans_;
};

}  // namespace hopbine::mpi
