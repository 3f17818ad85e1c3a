/// State of a user's communicator: plans, decisions, scratch, and the endpoint of its messages.
#pragma once
#include <mpi.h>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "mpi/alltoallv/nonuniform.hpp"
#include "mpi/execute/execute.hpp"
#include "mpi/state/chooser.hpp"
#include "mpi/state/device_gate.hpp"
#include "mpi/state/max_bytes_estimate.hpp"
#include "mpi/state/measuring.hpp"
#include "mpi/state/served_tally.hpp"
#include "mpi/state/stats.hpp"
#include "mpi/state/tag_space.hpp"
#include "runtime/plan.hpp"
#include "runtime/settings.hpp"
#include "select/rules.hpp"

namespace hopbine::mpi {

/// What serves a call.
struct Served {
    const Plan* plan = nullptr;    ///< null: the MPI library serves
    StatRow* row = nullptr;        ///< null when no statistics are kept
    const char* by = nullptr;      ///< "bine_large:segment=0", or "mpi"; never freed
    bool for_many = false;         ///< pays where many such calls are made
    ServedTally* tally = nullptr;  ///< null where the job's end is to tell nothing of them
};

/// The decision for calls of the same collective, bytes, root and operands. `bytes` is
/// select::kUnknown where not all ranks know them.
struct Decision {
    Collective collective = Collective::bcast;
    Operands operands = Operands::exact;
    int root = -1, generation = -1;
    std::int64_t bytes = -2;
    Served served;
    /// What blocking calls have measured, if a call of another form was decided by it.
    std::shared_ptr<const select::Choice> measured;
    bool ruled = false;                  ///< a rule of the user decides
    const MeasuredKind* kind = nullptr;  ///< that `arms` are of
    int version = -1;                    ///< of `kind`
    std::vector<Served> arms;            ///< by arm; made when they are to serve first

    /// Whether it answers such calls, by the settings of now and by what was `known` by measuring.
    bool is_for(Collective c, std::int64_t n, int r, Operands o,
                const select::Choice* known = nullptr) const {
        return bytes == n && collective == c && root == r && operands == o &&
               generation == settings().generation && measured.get() == known;
    }
};

class Neighborhood;
class Nonblocking;

class Communicator : public TimesOfCalls {
public:
    /// The state of `comm`, made at its first use without communication. Null when it cannot be
    /// kept, and while this thread frees the communicator.
    static Communicator* of(MPI_Comm comm);
    /// A communicator's state, or one of its first calls, which the library serves.
    struct AtCall {
        Communicator* state = nullptr;
        int* first_calls = nullptr;  ///< to be raised when the call has completed
    };
    /// The state of `comm` at a collective call. A communicator that the program makes, uses a few
    /// times and frees gets no state: making one takes as long as hopbine may spend in a hundred
    /// short calls. One with a topology has cost more: it lasts.
    static AtCall at_call(MPI_Comm comm, bool among_neighbors);
    /// This thread frees the communicator until end_free(): callbacks that delete its attributes
    /// may call collectives on it.
    static void begin_free(MPI_Comm comm);
    static void end_free();
    /// Frees the states of all communicators; called before MPI is finalized.
    static void end_all();
    ~Communicator() override;
    /// Changes when a communicator is freed or the rules change. Until then a handle means the same
    /// communicator, and its calls are served the same way.
    static std::atomic<unsigned> generation;

    /// A state of the same ranks for their nonblocking or persistent calls, without tags of its
    /// own. It shares no choice with others, since ranks may make those calls on several
    /// communicators in different orders, and nothing is measured. Where it counts hopbine always
    /// serves nonblocking calls: one rank may learn that the library is faster after others have
    /// started the call by hopbine.
    std::unique_ptr<Communicator> for_form(Form form) const;
    /// The state for persistent calls, made at their first. It may outlive this one.
    const std::shared_ptr<Communicator>& for_persistent();
    /// Whether decide() needs no counting, which all ranks do together.
    bool decides_at_once(Collective c, std::int64_t bytes, int root, Operands operands);
    /// Whether decide() answers by the rules and the ranks' places alone.
    bool decides_for_ever(Collective c);
    /// Sets the endpoint over which the ranks count.
    void count_over(const Endpoint& endpoint) { endpoint_ = endpoint; }
    int using_plans = 0;  ///< nonblocking calls that run a plan; while there are any, none is freed

    int rank = 0, size = 1;
    Workspace workspace;
    NonuniformWorkspace nonuniform;
    DeviceGate device;
    bool workspace_told = false;  ///< the other ranks know this rank's (peer_agreement.cpp)
    std::shared_ptr<Nonblocking> nonblocking_calls;  ///< made by the first of them
    std::optional<Mailboxes*> mailboxes;  ///< of persistent calls, set by the first that fits
    std::shared_ptr<Neighborhood> neighborhood;  ///< of this form, made by its first call

    /// Opens the communicator at its first call.
    /// - Collective, inside the user's own call.
    /// - `use`: the device use of this rank's buffers in that call.
    /// - False, on all ranks: the MPI library serves every call.
    bool open(DeviceUse use);
    bool is_open() const { return tags_.is_open(); }
    /// Whether the MPI library serves every call of `c`, whatever its arguments. The same on all
    /// ranks.
    bool library_only(Collective c) { return library_only(c, form_); }
    /// library_only() for calls of another form.
    bool library_only(Collective c, Form form);
    /// Decides on a call: a plan, or the MPI library. The same on all ranks of the communicator.
    /// `known`: measured() of the blocking calls, for one of another form. It decides where it has
    /// a plan.
    Decision& decide(Collective c, std::int64_t bytes, int root, Operands operands,
                     const std::shared_ptr<const select::Choice>& known = {});
    /// What is to serve a nonblocking or persistent call by what the blocking calls of its kind
    /// have measured, up to the last one on this communicator: the same on all ranks, since calls
    /// on a communicator have one order. Null: nothing is known that decides.
    std::shared_ptr<const select::Choice> measured(Collective c, std::int64_t bytes,
                                                   Operands operands) const;
    /// The kind of calls whose server is found by measuring. Null: rules of the user decide, or
    /// the library serves them for another reason.
    MeasuredKind* measured_kind(Collective c, std::int64_t bytes, int root, Operands operands);
    /// Before Selector::turn() of a kind: lets a counted choice serve where that is due. May be
    /// collective.
    void consider(MeasuredKind& k, std::int64_t bytes, int root);
    /// Whether consider() has something to do.
    bool considers(const MeasuredKind& k) {
        return !k.considered && k.quiet == 0 && k.arms[0].plain.calls == 0 && chooser().useful();
    }
    /// Whether hopbine can serve the next call of a kind here. May be collective.
    bool ready_for(const MeasuredKind& k);
    /// What an arm of a kind is.
    const Served& served_by(MeasuredKind& k, int arm, Collective c, std::int64_t bytes, int root,
                            Operands operands);
    void took(MeasuredKind& k, double seconds) override;
    void refused(MeasuredKind& k) override { measuring().selector.undo(k); }
    Measuring& measuring();
    /// What this rank tells the others in agreements, and what becomes of their maxima.
    std::vector<double> tell();
    void hear(std::span<const double> all);
    /// The candidates of a kind, and whether they are found without communication.
    bool offers_ready(const select::KindKey& key);
    std::vector<select::Offer> offers(const select::KindKey& key);
    /// Whether the choice for an alltoallv depends on sizes, which the ranks then exchange. The
    /// same on all ranks.
    bool asks_sizes();
    /// Begins an alltoallv in which this rank sends `mine` bytes, where asks_sizes(). Returns the
    /// bytes to decide on, equal on all ranks. Collective.
    std::int64_t begin_alltoallv(std::int64_t mine);
    /// Decides on a persistent alltoallv in which no rank sends more than `most` bytes.
    /// `always`: spread_out serves where the MPI library would be chosen, which need not have the
    /// persistent form.
    Decision decide_repeated(std::int64_t most, bool always);
    /// A plan for calls that are not left to the MPI library, because a rank has device memory.
    Served serve_anyhow(Collective c, std::int64_t bytes, int root, Operands operands);
    /// Ends an alltoallv that begin_alltoallv() began. `plan` served it; null: the MPI library did.
    void end_alltoallv(const Plan* plan);
    /// describe(op, type), cached for the last predefined pair.
    const Reduction& find_reduction(MPI_Op op, const Type& type);
    /// The reduction of the current call.
    const Reduction& reduction() const { return reduction_; }
    /// The user's communicator, for agreements of ranks that are all in the same call on it;
    /// MPI_COMM_WORLD once it is freed.
    MPI_Comm user() const { return user_; }
    const Endpoint& endpoint() const { return endpoint_; }
    /// The pairs of the ranks whose devices exchange messages; null: there are none. Calls begun
    /// later heed them. They live as long as the process.
    const Peers* peers() const { return endpoint_.peers(); }
    void set_peers(const Peers* peers) {
        endpoint_.carrier = {};
        endpoint_.carry_by(peers);
    }
    /// The endpoint of these ranks with the tags of another space.
    Endpoint endpoint(const TagSpace& tags) const;
    /// Whether the MPI library serves every call, whatever its arguments.
    bool unusable() const { return !unusable_.empty(); }
    const std::string& why_unusable() const { return unusable_; }
    /// The nodes of the ranks.
    const Units& nodes() { return located().nodes; }
    /// Whether small nonblocking and persistent calls can send through shared memory.
    bool shares_memory() const;
    /// Whether measuring may decide.
    bool measures() const { return measures(form_); }
    static bool measures(Form form) { return form == Form::blocking && settings().measures; }
    Form form() const { return form_; }

private:
    explicit Communicator(MPI_Comm comm);
    Communicator(const Communicator& other, Form form);
    static bool library_serves_first_calls();
    /// Calls of a communicator before it gets a state. That takes 3,800 instructions, about 1 us
    /// (callgrind), which is 1/200 (Account::kShare) of 32 calls of 6 us.
    static constexpr int kFirstCalls = 32;
    std::string find_unusable() const;
    const select::LocatedRanks& located();
    Chooser& chooser();
    void say(const std::string& what) const;
    /// Whether hopbine chooses by counting where no rule of the user answers.
    bool counted(Collective c);
    Chosen through_memory(Collective c, std::int64_t bytes, Operands operands, Form form) const;
    /// Bytes of calls that through_memory() serves wherever it serves any of the collective.
    static constexpr std::int64_t kServedThroughMemory = 1024;
    Chosen guess(Collective c, std::int64_t bytes, int root, Operands operands);
    Chosen remembered(Collective c, std::int64_t bytes, Operands operands);
    const select::Numbering* numbering_named(const std::string& name, Operands operands);
    void keep_lesson(const MeasuredKind& k);
    void keep_measured(const MeasuredKind& k, Collective c, std::int64_t bytes, Operands operands);
    void begin_kind(MeasuredKind& k, std::int64_t bytes);
    double weight(Collective c, std::int64_t bytes);
    const Measuring* of_all_ranks() const;
    void close();
    void number(Chosen& chosen, Collective c, Operands operands);
    const select::Site& site();
    const Algorithm* any_algorithm(Collective c, Operands operands) const;
    Chosen by_table(const select::Asked& call);
    std::vector<Chosen> alltoallv_candidates(std::int64_t bytes);
    Chosen choose(Collective c, std::int64_t bytes, int root, Operands operands);
    Served serve(Chosen chosen, Collective c, std::int64_t bytes, int root);
    const Plan* plan_of(Chosen& chosen, Collective c, std::int64_t bytes, int root);
    select::Asked asked(Collective c, std::int64_t bytes, Operands operands);
    select::Asked asked_here(Collective c, std::int64_t bytes, Operands operands);
    std::vector<int> shape() const;
    std::vector<int> torus() const;
    void limit_plans();
    const Plan* plan_for(const Algorithm& a, const Parameters& parameters, int root,
                         std::int64_t bytes, const select::Numbering* numbering,
                         bool sized_messages);
    ServedTally* tally(const Plan& plan, Collective c, std::int64_t bytes, int root,
                       const Chosen& chosen);
    /// Whether its ranks are all of MPI_COMM_WORLD, in their order.
    bool has_all_in_order() const;
    Served count(Collective c, std::int64_t bytes, int root, const std::string& why,
                 const Plan* plan, const Parameters& parameters, const std::string& numbering);

    MPI_Comm user_;
    const Form form_ = Form::blocking;
    std::vector<int> shape_;    ///< not blocking: the program may free its communicator meanwhile
    std::string unusable_;      ///< why the MPI library serves every call; empty: hopbine may serve
    std::vector<int> members_;  ///< ranks in MPI_COMM_WORLD
    TagSpace tags_;
    Endpoint endpoint_;
    std::optional<select::LocatedRanks> located_;
    /// Collective, size class and operands.
    using Kind = std::tuple<Collective, int, Operands>;
    /// Collectives for which library_only() is true, and those for which that is known, as bits.
    struct LibraryOnly {
        unsigned only = 0, known = 0;
        int since = -1;  ///< generation of the settings
    };
    /// What is known of the choice for these ranks in this order.
    struct Learned {
        std::array<LibraryOnly, 3> library_only;  ///< by form
        std::unique_ptr<Chooser> chooser;         ///< made at first use
        std::optional<select::Site> site;         ///< made at first use
        std::optional<select::Rules> rules;       ///< of earlier jobs; made at first use
        std::unique_ptr<Measuring> measuring;     ///< made at first use
    };
    static std::shared_ptr<Learned> learned_by(const std::vector<int>& members);
    std::shared_ptr<Learned> learned_;
    std::map<Kind, std::shared_ptr<const select::Choice>> measured_;  ///< what measured() returns
    int measured_since_ = -1;  ///< generation of the settings that measured_ is of
    std::shared_ptr<Communicator> persistent_;
    Reduction reduction_;
    MaxBytesEstimate max_bytes_;
    int asks_since_ = -1;  ///< generation of the settings at which asks_ was found
    bool asks_ = false;
    using Recent = std::array<Decision, 64>;
    std::unique_ptr<Recent> recent_;  ///< indexed by a hash of what is decided on: programs
                                      ///< alternate between a few kinds of calls
    double may_gain_ = 0;  ///< seconds that calls would have gained if the communicator were open
    std::map<std::string, std::unique_ptr<Plan>> plans_;
};

}  // namespace hopbine::mpi
