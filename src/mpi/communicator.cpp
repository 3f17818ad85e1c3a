#include "mpi/communicator.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>

#include "core/combinators.hpp"
#include "mpi/log.hpp"
#include "mpi/persistent.hpp"
#include "mpi/places.hpp"
#include "mpi/settings.hpp"

namespace hopbine::mpi {

namespace {

std::atomic<int> keyval{MPI_KEYVAL_INVALID};
std::mutex lock;
/// User communicators with state, in the order of their first use, which is the same on all ranks of each.
std::vector<MPI_Comm> living;
/// How many communicators have been freed: a handle means what it meant while this stands still.
std::atomic<unsigned> freed{0};

/// The communicator of this thread's last call: asking the MPI library for an attribute takes longer than all else that is done before a small message is sent.
struct LastUsed {
    MPI_Comm comm = MPI_COMM_NULL;
    unsigned freed = 0;
    Communicator* state = nullptr;
};
thread_local LastUsed last_used;

/// MPI calls this when the user frees the communicator.
int forget(MPI_Comm comm, int, void* state, void*) {
    {
        const std::lock_guard hold(lock);
        std::erase(living, comm);
        ++freed;
    }
    delete static_cast<Communicator*>(state);
    return MPI_SUCCESS;
}

/// A text that outlives every communicator: programs may ask what served a call after freeing its communicator.
const char* lasting(const std::string& text) {
    static std::set<std::string> all;
    const std::lock_guard hold(lock);
    return all.insert(text).first->c_str();
}

/// Sizes that differ from call to call: few decisions are enough.
std::int64_t decided_on(std::int64_t bytes) { return bytes > std::int64_t{1} << 62 ? bytes : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bytes))); }

/// Ranks ordered by group and node, then by rank: neighbours in the new order are neighbours in place (paper, Sec. 2.2).
const select::Numbering* by_group(const std::vector<select::Numbering>& all) {
    for (const select::Numbering& n : all)
        if (n.name == "by group") return &n;
    return nullptr;
}

}  // namespace

Communicator* Communicator::of(MPI_Comm comm) {
    const unsigned so_far = freed;
    if (last_used.comm == comm && last_used.freed == so_far && last_used.state) return last_used.state;
    Communicator* const state = find_or_make(comm);
    last_used = {comm, so_far, state};
    return state;
}

Communicator* Communicator::find_or_make(MPI_Comm comm) {
    if (keyval == MPI_KEYVAL_INVALID) {
        const std::lock_guard hold(lock);
        int made = MPI_KEYVAL_INVALID;
        if (keyval == MPI_KEYVAL_INVALID) {
            if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &made, nullptr) != MPI_SUCCESS) return nullptr;
            keyval = made;
        }
    }
    void* state = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(comm, keyval, &state, &found) != MPI_SUCCESS) return nullptr;
    if (found) return static_cast<Communicator*>(state);
    std::unique_ptr<Communicator> made(new Communicator(comm));
    if (PMPI_Comm_set_attr(comm, keyval, made.get()) != MPI_SUCCESS) return nullptr;
    const std::lock_guard hold(lock);
    living.push_back(comm);
    return made.release();
}

void Communicator::end_all() {
    std::vector<MPI_Comm> all;
    {
        const std::lock_guard hold(lock);
        all = living;
    }
    for (MPI_Comm comm : all) PMPI_Comm_delete_attr(comm, keyval);
}

Communicator::Communicator(MPI_Comm comm) : user_(comm) {
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (between) unusable_ = "intercommunicator";
    else if (size == 1) unusable_ = "one rank";
    passes_all_ = !unusable_.empty();
}

Communicator::~Communicator() {
    forget_requests(this);
    if (private_ != MPI_COMM_NULL) PMPI_Comm_free(&private_);
}

/// Settings come from each rank's environment: they are used only where they are equal.
void Communicator::agree() {
    agreed_ = true;
    if (!unusable_.empty()) return;
    const Settings& s = settings();
    const auto own = static_cast<std::uint64_t>(rank), nobody = static_cast<std::uint64_t>(size);
    const std::uint64_t mine[3] = {s.hash, ~s.hash, s.broken.empty() ? nobody : own};
    std::uint64_t least[3] = {};
    PMPI_Allreduce(mine, least, 3, MPI_UINT64_T, MPI_MIN, user_);
    if (least[0] != ~least[1]) {
        unusable_ = "settings differ between ranks";
        if (least[2] == own) say("rank " + std::to_string(rank) + ": " + s.broken);
        say_once("HOPBINE_ settings differ between ranks of a communicator of " + std::to_string(size) +
                 "; the MPI library serves all its calls. Give every rank the same settings.");
    } else if (!s.broken.empty()) {
        unusable_ = "settings cannot be used";
        say_once(s.broken + "; the MPI library serves all calls.");
    }
}

/// Made when an algorithm is first chosen. Comm_create copies no attributes of the user's.
bool Communicator::make_private() {
    if (private_tried_) return private_ != MPI_COMM_NULL;
    private_tried_ = true;
    MPI_Errhandler users;
    PMPI_Comm_get_errhandler(user_, &users);
    PMPI_Comm_set_errhandler(user_, MPI_ERRORS_RETURN);
    MPI_Group group;
    PMPI_Comm_group(user_, &group);
    int ok = PMPI_Comm_create(user_, group, &private_) == MPI_SUCCESS && private_ != MPI_COMM_NULL, all = 0;
    PMPI_Group_free(&group);
    PMPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, user_);
    PMPI_Comm_set_errhandler(user_, users);
    PMPI_Errhandler_free(&users);
    if (all) {
        PMPI_Comm_set_errhandler(private_, MPI_ERRORS_RETURN);
        chooser_ = std::make_unique<Chooser>(where());
        return true;
    }
    if (ok) PMPI_Comm_free(&private_);
    private_ = MPI_COMM_NULL;
    unusable_ = "no communicator left";
    say_once("no private communicator can be had for one of " + std::to_string(size) + " ranks; the MPI library serves its calls.");
    return false;
}

/// Where the ranks are: gathered once (collective), when somebody first needs it.
const select::Where& Communicator::where() {
    if (!where_) where_.emplace(find_places(private_ != MPI_COMM_NULL ? private_ : user_, size));
    return *where_;
}

/// What rules look at. Settings are equal on all ranks, so that all of them gather places or none.
select::Asked Communicator::asked(Collective c, std::int64_t bytes, Operands operands) {
    select::Asked call{c, size, bytes, operands};
    const auto asks = [&](const select::Rules& all) { return std::ranges::any_of(all.rules, [&](const select::Rule& r) { return r.collective == c && r.ranks.holds(size) && r.asks_places(); }); };
    if (!asks(settings().file) && !asks(select::default_rules())) return call;
    const Units& nodes = where().nodes;
    call.nodes = nodes.count();
    for (int n = 0; n < nodes.count(); ++n) call.ranks_per_node = std::max<std::int64_t>(call.ranks_per_node, nodes.size(n));
    return call;
}

const Reduction& Communicator::reduction(MPI_Op op, const Type& type) {
    // Handles of derived types and of users' operations may be freed and come back as others.
    const bool same = reduction_.predefined && reduction_.op == op && type.named && reduction_.type.named && reduction_.type.handle == type.handle;
    if (!same) reduction_ = describe(op, type);
    return reduction_;
}

/// The torus that the ranks are on: a Cartesian communicator's dimensions, HOPBINE_SHAPE where it holds as many ranks, else one dimension.
std::vector<int> Communicator::shape() const {
    int kind = MPI_UNDEFINED, dimensions = 0;
    PMPI_Topo_test(user_, &kind);
    if (kind == MPI_CART && PMPI_Cartdim_get(user_, &dimensions) == MPI_SUCCESS && dimensions > 0) {
        std::vector<int> out(static_cast<std::size_t>(dimensions)), periods(out), coordinates(out);
        PMPI_Cart_get(user_, dimensions, out.data(), periods.data(), coordinates.data());
        return out;
    }
    const std::vector<int>& told = settings().shape;
    return std::accumulate(told.begin(), told.end(), std::int64_t{1}, std::multiplies<>()) == size ? told : std::vector<int>{};
}

const Plan* Communicator::plan_for(const Algorithm& a, const Parameters& parameters, int root, const select::Numbering* numbering, bool letters) {
    // Plans of many roots add up; a program that walks all roots of a large communicator must not hoard them.
    constexpr std::size_t kMostPlans = 1024;
    const bool renumbered = numbering && !numbering->order.empty() && !a.follows_placement;
    const int r = rooted(a.collective) ? root : 0;
    const std::string key = std::string(name(a.collective)) + ' ' + select::text(a.name, parameters) + '@' + std::to_string(r) + (renumbered ? numbering->name : "") + (letters ? " of letters" : "");
    if (const auto found = plans_.find(key); found != plans_.end()) return found->second.get();
    if (plans_.size() >= kMostPlans) {
        plans_.clear();
        recent_ = {};
    }
    const int virtual_root = renumbered && rooted(a.collective) ? numbering->plays(r) : r;
    Problem q = resolve(a, {a.collective, size, virtual_root, parameters, a.follows_placement ? chooser_->where().placement : nullptr,
                            a.follows_shape ? shape() : std::vector<int>{}});
    SchedulePtr s = a.make(q);
    if (renumbered) s = relabelled(s, a.collective, numbering->order);
    if (letters && s->parts() > 1) throw Error(std::string(a.name) + " moves parts of blocks, which have sizes of their own here");
    if (letters && s->wire() == Wire::per_run) s = wired(s, Wire::packed);
    q.root = r;
    return plans_.emplace(key, std::make_unique<Plan>(make_plan(a, q, *s, rank, letters))).first->second.get();
}

void Communicator::count(Decision& d, Collective c, std::int64_t bytes, const std::string& why, const Algorithm* a,
                         const Parameters& parameters, const std::string& numbering) {
    d.served = lasting(a ? select::text(a->name, parameters) : select::kLibrary);
    if (settings().stats.empty()) return;
    const std::string listed = select::text("", parameters);
    d.row = stat_row({size, c, rooted(c) ? d.root : -1, bytes < 0 ? kNoClass : size_class(bytes), a ? a->name : select::kLibrary,
                      a && !listed.empty() ? listed.substr(1) : "", a ? numbering : "", why});
}

bool Communicator::asks_sizes() {
    if (!agreed_) agree();
    if (asks_since_ == settings().generation) return asks_;
    std::vector<const select::Rules*> sources = settings().sources();
    sources.push_back(&select::default_rules());
    asks_ = unusable_.empty() && select::by_size(sources, Collective::alltoallv, size) && make_private();
    asks_since_ = settings().generation;
    return asks_;
}

std::int64_t Communicator::begin_alltoallv(std::int64_t mine) { return decided_on(busiest_.before(mine, private_)); }

Decision Communicator::decide_repeated(std::int64_t mine, bool always) {
    constexpr Collective kAlltoallv = Collective::alltoallv;
    std::int64_t most = select::kUnknown;
    if (!passes_all_ && asks_sizes()) {
        PMPI_Allreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, private_);
        most = decided_on(most);
    }
    Decision d = decide(kAlltoallv, most, 0, Operands::exact);
    if (d.plan || !always || !make_private()) return d;
    const Algorithm& straight = algorithm_named(kAlltoallv, "spread_out");
    d.plan = plan_for(straight, {}, 0, nullptr, true);
    count(d, kAlltoallv, most, std::string("repeated, where ") + d.served + " serves single calls", &straight, {}, "given");
    return d;
}

void Communicator::end_alltoallv(const Plan* plan) {
    if (!plan || !plan->tells) return busiest_.untold();
    const std::int64_t bytes = workspace.nonuniform.busiest;
    busiest_.told(bytes, decide(Collective::alltoallv, decided_on(bytes), 0, Operands::exact).plan == plan);
}

const Decision& Communicator::decide(Collective c, std::int64_t bytes, int root, Operands operands) {
    const auto mixed = (static_cast<std::uint64_t>(bytes) * 3 + static_cast<std::uint64_t>(operands)) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(root) * 0xD1B54A32D192ED03u +
                       static_cast<std::uint64_t>(c) * 0x8CB92BA72F3D8DD7u;
    Decision& d = recent_[mixed >> 58];
    const Settings& s = settings();
    if (d.bytes == bytes && d.collective == c && d.root == root && d.operands == operands && d.generation == s.generation) return d;
    if (!agreed_) agree();
    const Plan* plan = nullptr;
    select::Choice choice;
    const select::Numbering* numbering = nullptr;  // another order of the ranks would be another order of the operands
    if (unusable_.empty()) {
        const select::Asked call = asked(c, bytes, operands);
        // Trees hand blocks on, and of what size these are nobody can tell: a tree serves where somebody asked for it.
        const bool asked_only = rooted(c) && bytes == select::kUnknown;
        choice = select::choose(s.sources(), call);
        if (!choice.complaint.empty()) say_once(choice.why + ": " + choice.complaint + (choice.algorithm ? "" : "; the MPI library serves these calls."));
        if (!choice.found && !asked_only && s.counts && select::counts(c) && make_private() && chooser_->useful()) {
            const Chooser::Pick pick = chooser_->pick(c, bytes, root, operands, s.network, private_);
            if (pick.candidate) {
                choice = {pick.candidate->algorithm, pick.candidate->parameters, pick.why, true, {}};
                numbering = &chooser_->numberings()[static_cast<std::size_t>(pick.candidate->numbering)];
            }
        }
        if (!choice.found && !asked_only) choice = select::choose({&select::default_rules()}, call);
        if (choice.algorithm && make_private()) {
            if (!numbering && s.renumber && operands != Operands::in_order) numbering = by_group(chooser_->numberings());
            try {
                plan = plan_for(*choice.algorithm, choice.parameters, root, numbering, bytes == select::kUnknown || c == Collective::alltoallv);
            } catch (const Error& unfit) {  // of the shape, which is the same on all ranks
                choice.complaint = unfit.what();
                say_once(choice.why + ": " + choice.complaint + "; the MPI library serves these calls.");
            }
        }
    }
    d = {};
    d.collective = c;
    d.bytes = bytes;
    d.root = root;
    d.operands = operands;
    d.generation = s.generation;
    d.plan = plan;
    const std::string why = !unusable_.empty() ? unusable_ : plan || choice.complaint.empty() ? choice.why : choice.complaint;
    count(d, c, bytes, why, plan ? plan->algorithm : nullptr, plan ? choice.parameters : Parameters{},
          numbering && plan && !plan->algorithm->follows_placement ? numbering->name : "given");
    return d;
}

}  // namespace hopbine::mpi
