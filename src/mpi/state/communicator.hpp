/// What hopbine keeps for a communicator of the user's: plans, decisions, scratch, and how its
/// messages travel.
#pragma once
#include <mpi.h>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mpi/alltoallv/nonuniform.hpp"
#include "mpi/execute/execute.hpp"
#include "mpi/execute/plan.hpp"
#include "mpi/state/chooser.hpp"
#include "mpi/state/device_gate.hpp"
#include "mpi/state/max_bytes_estimate.hpp"
#include "mpi/state/stats.hpp"
#include "mpi/state/tag_space.hpp"
#include "select/rules.hpp"

namespace hopbine::mpi {

/// What was decided for calls alike in collective, bytes (select::kUnknown where not all ranks know
/// them), root and what the operation allows.
struct Decision {
    Collective collective = Collective::bcast;
    Operands operands = Operands::exact;
    int root = -1, generation = -1;
    std::int64_t bytes = -2;
    const Plan* plan = nullptr;    ///< null: the MPI library serves
    StatRow* row = nullptr;        ///< null when no statistics are kept
    const char* served = nullptr;  ///< "bine_large:segment=0", or "mpi"; valid for ever
};

class Communicator {
public:
    /// The state of `comm`, made at its first use without a message. Null when it cannot be kept.
    static Communicator* of(MPI_Comm comm);
    /// Forgets all of them, before MPI is finalized.
    static void end_all();
    ~Communicator();
    /// Called with a state that is about to be no more; null: nobody has to know.
    static std::atomic<void (*)(const Communicator*)> forgotten;
    /// Changes when a communicator is freed or other rules hold: until then a handle means what it
    /// meant, and is served as it was.
    static std::atomic<unsigned> epoch;

    int rank = 0, size = 1;
    Workspace workspace;
    NonuniformWorkspace nonuniform;
    DeviceGate device;

    /// Gives back what one unusually large call made the memory of calls grow to. Only when the
    /// call is over: results may still lie in it before.
    void trim();
    /// Makes ready for calls: at the first one, whatever it is and whatever this rank's arguments
    /// are, so that no rank waits for one that the MPI library has refused. Collective, inside the
    /// user's own call, with what this rank uses in it. False, on all ranks: every call passes
    /// through.
    bool open(DeviceUse use);
    bool is_open() const { return tags_.is_open(); }
    /// The MPI library serves every call of `c`, whatever its arguments: nothing is to be looked at
    /// or agreed on. The same on all ranks.
    bool leaves(Collective c);
    /// Counts what algorithms would load, at the first call of `c`; as early, and collective.
    void prepare_choice(Collective c, int root);
    /// Plan (or not) for a call. All ranks of the communicator come to the same decision.
    const Decision& decide(Collective c, std::int64_t bytes, int root, Operands operands);
    /// Does the choice for an alltoallv depend on sizes, so that ranks tell each other? The same on
    /// all ranks.
    bool asks_sizes();
    /// Where it does, an alltoallv in which this rank sends `mine` bytes begins: what to decide on,
    /// equal on all ranks. Collective.
    std::int64_t begin_alltoallv(std::int64_t mine);
    /// Plan (or not) for an alltoallv that is to be repeated, in which this rank sends `mine`
    /// bytes. `always`: where the library's would be chosen, which cannot be started in any order,
    /// straight messages instead. Collective.
    Decision decide_repeated(std::int64_t mine, bool always);
    /// It is over; `plan` served it, or null: the MPI library.
    void end_alltoallv(const Plan* plan);
    /// describe(op, type), remembered for the last predefined pair.
    const Reduction& find_reduction(MPI_Op op, const Type& type);
    /// That of the call under way.
    const Reduction& reduction() const { return reduction_; }
    /// The user's: for agreements of ranks that are all in the same call on it.
    MPI_Comm user() const { return user_; }
    const Endpoint& endpoint() const { return endpoint_; }
    /// The same, with tags of its own.
    Endpoint endpoint(const TagSpace& tags) const;
    /// Every call passes through, whatever its arguments.
    bool passes_all() const { return !unusable_.empty(); }
    const std::string& why_unusable() const { return unusable_; }

private:
    explicit Communicator(MPI_Comm comm);
    static Communicator* find_or_make(MPI_Comm comm);
    std::string find_unusable() const;
    const select::LocatedRanks& located();
    Chooser& chooser();
    void say(const std::string& what) const;
    /// What serves calls of a kind, and how the ranks are numbered; null: as they are given.
    struct Chosen {
        select::Choice choice;
        const select::Numbering* numbering = nullptr;
    };
    Chosen choose_by_cost(Collective c, std::int64_t bytes, int root, Operands operands);
    Chosen choose(Collective c, std::int64_t bytes, int root, Operands operands);
    const Plan* plan_of(Chosen& chosen, Collective c, std::int64_t bytes, int root);
    select::Asked asked(Collective c, std::int64_t bytes, Operands operands);
    std::vector<int> shape() const;
    const Plan* plan_for(const Algorithm& a, const Parameters& parameters, int root,
                         const select::Numbering* numbering, bool sized_messages);
    void count(Decision& d, Collective c, std::int64_t bytes, const std::string& why,
               const Algorithm* a, const Parameters& parameters, const std::string& numbering);

    MPI_Comm user_;
    std::string unusable_;      ///< why every call passes through; empty: hopbine may serve
    std::vector<int> members_;  ///< ranks in MPI_COMM_WORLD
    TagSpace tags_;
    unsigned prepared_ = 0;  ///< collectives, by their bits
    unsigned left_ = 0;      ///< the same: what leaves() says, as far as it was asked
    unsigned left_known_ = 0;
    int left_since_ = -1;  ///< generation of the settings that left_ is of
    Endpoint endpoint_;
    std::optional<select::LocatedRanks> located_;
    std::unique_ptr<Chooser> chooser_;  ///< what the places make the best
    Reduction reduction_;
    MaxBytesEstimate max_bytes_;
    int asks_since_ = -1;  ///< generation of the settings that asks_ is of
    bool asks_ = false;
    std::array<Decision, 64> recent_;  ///< by a hash of what is decided on: programs alternate
                                       ///< between a few kinds of calls
    std::map<std::string, std::unique_ptr<Plan>> plans_;
};

}  // namespace hopbine::mpi
