// Decides what serves a call: rules, counted traffic, default table. Makes and keeps the plans.
#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>

#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "mpi/state/communicator.hpp"
#include "mpi/state/log.hpp"
#include "mpi/state/summary.hpp"
#include "runtime/rank_runs.hpp"
#include "runtime/settings.hpp"
#include "schedule/bounds.hpp"
#include "select/pipelines.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

/// Keeps a text for ever: programs may ask what served a call after freeing its communicator.
const char* lasting(const std::string& text) {
    static std::mutex lock;
    static std::set<std::string> all;
    const std::lock_guard hold(lock);
    return all.insert(text).first->c_str();
}

/// Index in Communicator::recent_.
std::size_t slot_of(Collective c, std::int64_t bytes, int root, Operands operands) {
    const auto mixed =
        (static_cast<std::uint64_t>(bytes) * 3 + static_cast<std::uint64_t>(operands)) *
            0x9E3779B97F4A7C15u +
        static_cast<std::uint64_t>(root) * 0xD1B54A32D192ED03u +
        static_cast<std::uint64_t>(c) * 0x8CB92BA72F3D8DD7u;
    return mixed >> 58;
}

}  // namespace

/// The properties of a call that rules test. Settings are equal on all ranks: all of them look up
/// locations, or none.
select::Asked Communicator::asked(Collective c, std::int64_t bytes, Operands operands) {
    const auto asks = [&](const select::Rules& all) {
        return std::ranges::any_of(all.rules, [&](const select::Rule& r) {
            return r.collective == c && r.ranks.holds(size) && r.asks_more();
        });
    };
    if (asks(settings().file) || asks(select::default_rules()))
        return asked_here(c, bytes, operands);
    return {c, size, bytes, operands};
}

/// The properties of a call that rules test, with the location of the ranks.
select::Asked Communicator::asked_here(Collective c, std::int64_t bytes, Operands operands) {
    const Units& nodes = located().nodes;
    int most = 1;
    for (int n = 0; n < nodes.count(); ++n) most = std::max(most, nodes.size(n));
    return {c, size, bytes, operands, nodes.count(), most, &site()};
}

/// The shape of the ranks: a Cartesian communicator's dimensions; else the torus; else one
/// dimension.
std::vector<int> Communicator::shape() const {
    if (form_ != Form::blocking) return shape_;
    int kind = MPI_UNDEFINED, dimensions = 0;
    PMPI_Topo_test(user_, &kind);
    if (kind == MPI_CART && PMPI_Cartdim_get(user_, &dimensions) == MPI_SUCCESS && dimensions > 0 &&
        dimensions <= static_cast<int>(kMostDimensions)) {
        std::vector<int> out(static_cast<std::size_t>(dimensions)), periods(out), coordinates(out);
        PMPI_Cart_get(user_, dimensions, out.data(), periods.data(), coordinates.data());
        return out;
    }
    return torus();
}

/// HOPBINE_SHAPE where it has as many ranks; else none.
std::vector<int> Communicator::torus() const {
    const std::vector<int>& told = settings().shape;
    return std::accumulate(told.begin(), told.end(), std::int64_t{1}, std::multiplies<>()) == size
               ? told
               : std::vector<int>{};
}

/// The schedule in the form that runs over MPI. Throws Error where it has none.
static SchedulePtr runnable(const Algorithm& a, SchedulePtr s, bool sized_messages) {
    if (!kCallTags.serves(s->traits().channels))
        throw Error(std::string(a.name) + " has more than " + std::to_string(kCallTags.each) +
                    " channels here");
    if (pairs(a.collective) && (s->traits().parts > 1 || s->traits().channels > 1))
        throw Error(std::string(a.name) + " moves parts of blocks, or on several channels, which " +
                    name(a.collective) + " does not over MPI");
    if (!sized_messages) return s;
    if (s->traits().parts > 1)
        throw Error(std::string(a.name) +
                    " moves parts of blocks, which have sizes of their own here");
    return s->traits().wire == Wire::per_run ? wired(s, Wire::packed) : s;
}

/// Limits the number of plans: a program may use all roots of a large communicator.
void Communicator::limit_plans() {
    constexpr std::size_t kMostPlans = 1024;
    if (plans_.size() < kMostPlans || using_plans > 0) return;
    plans_.clear();
    recent_.reset();
}

const Plan* Communicator::plan_for(const Algorithm& a, const Parameters& parameters, int root,
                                   std::int64_t bytes, const select::Numbering* numbering,
                                   bool sized_messages) {
    const bool renumbered = numbering && !numbering->order.empty() && !a.follows_placement;
    const int r = rooted(a.collective) ? root : 0;
    const std::string key =
        std::string(name(a.collective)) + ' ' + select::text(a.name, parameters) + '@' +
        std::to_string(r) + '/' + std::to_string(schedule_bytes(a, parameters, bytes)) +
        (renumbered ? numbering->name : "") + (sized_messages ? " of sized messages" : "");
    if (const auto found = plans_.find(key); found != plans_.end()) return found->second.get();
    Problem q = resolve(
        a, {a.collective, size, renumbered && rooted(a.collective) ? numbering->plays(r) : r,
            parameters, a.follows_placement ? located().placement : nullptr,
            a.follows_shape ? shape() : std::vector<int>{}, bytes});
    SchedulePtr s = runnable(a, a.make(q), sized_messages);
    if (renumbered) s = relabelled(s, a.collective, numbering->order);
    q.root = r;
    return plans_.emplace(key, std::make_unique<Plan>(make_plan(a, q, *s, rank, sized_messages)))
        .first->second.get();
}

Served Communicator::count(Collective c, std::int64_t bytes, int root, const std::string& why,
                           const Plan* plan, const Parameters& parameters,
                           const std::string& numbering) {
    const char* const name = plan ? plan->algorithm->name : select::kLibrary;
    Served out{plan, nullptr, lasting(plan ? select::text(name, parameters) : name)};
    if (!plan) note_unserved(why);
    if (settings().stats.empty()) return out;
    const std::string listed = select::text("", parameters);
    StatKey key{size,
                hopbine::name(c),
                form_,
                rooted(c) ? root : -1,
                select::size_class(bytes),
                name,
                plan && !listed.empty() ? listed.substr(1) : "",
                plan ? numbering : "",
                why};
    if (rank == 0 && !has_all_in_order()) key.members = rank_runs(members_);
    out.row = stat_row(key);
    return out;
}

bool Communicator::counted(Collective c) { return settings().counts && select::counts(c); }

bool Communicator::library_only(Collective c, Form form) {
    const Settings& s = settings();
    LibraryOnly& all = learned_->library_only[static_cast<std::size_t>(form)];
    if (all.since != s.generation) all = {0, 0, s.generation};
    const unsigned bit = 1u << static_cast<unsigned>(c);
    if (!(all.known & bit)) {
        all.known |= bit;
        const auto only = [&](const std::vector<const select::Rules*>& sources, bool rest) {
            return select::library_only(sources, c, size, rest);
        };
        const bool rest = counted(c)
                              ? !measures(form) && !chooser().useful() &&
                                    !through_memory(c, kServedThroughMemory, Operands::exact, form)
                                         .choice.algorithm
                              : only({&select::default_rules()}, true);
        if (only(s.sources(), rest)) {
            all.only |= bit;
            const char* const why =
                only({&s.asked}, false)    ? "--algorithm (HOPBINE_ALGORITHM) asks for it"
                : only(s.sources(), false) ? "the rules leave them to the MPI library"
                : counted(c)               ? select::library_first(located(), true, true)
                                           : nullptr;
            note_unserved(why ? why : "the default table leaves them to the MPI library");
        }
    }
    return all.only & bit;
}

Served Communicator::serve_anyhow(Collective c, std::int64_t bytes, int root, Operands operands) {
    return serve({{any_algorithm(c, operands), {}, "device memory", true, {}}}, c, bytes, root);
}

/// An algorithm that serves these calls whatever their shape; null: there is none.
const Algorithm* Communicator::any_algorithm(Collective c, Operands operands) const {
    for (const Algorithm* a : algorithms())
        if (a->collective == c && fits(*a, size) && !a->follows_placement && !a->follows_shape &&
            hopbine::serves(*a, operands))
            return a;
    return nullptr;
}

/// The choice by counting. Where links are not scarce it is the MPI library: the model knows them,
/// and little of what takes the time then.
Chosen Communicator::guess(Collective c, std::int64_t bytes, int root, Operands operands) {
    const auto library = [](const char* why) { return Chosen{{nullptr, {}, why, true, {}}}; };
    if (bytes == 0 && spec(c).has_data()) return library("no data");
    const bool must = form_ == Form::nonblocking && chooser().useful();
    if (must && !any_algorithm(c, operands)) return library("no algorithm serves it");
    if (!chooser().useful())
        if (Chosen out = through_memory(c, bytes, operands, form_); out.choice.algorithm)
            return out;
    if (form_ != Form::nonblocking)
        if (Chosen known = remembered(c, bytes, operands); known.learned) return known;
    Chooser::Shortlist counted;
    if (chooser().useful())
        counted = chooser().shortlist(c, bytes, root, operands, settings().network,
                                      {rank, size, endpoint_});
    const bool sure = counted.sure || form_ == Form::nonblocking;
    if (must && counted.best.empty())
        return {
            {any_algorithm(c, operands), {}, "no counted algorithm serves these calls", true, {}}};
    if (const char* why = select::library_first(located(), !counted.best.empty(), sure))
        return library(why);
    return std::move(counted.best.front());
}

/// The choice of the default table, for collectives that cannot be counted.
Chosen Communicator::by_table(const select::Asked& call) {
    if (Chosen known = remembered(call.collective, call.bytes, call.operands); known.learned)
        return known;
    return {select::choose({&select::default_rules()}, call)};
}

/// Another order of the ranks would be another order of the operands, or another prefix sum.
static Operands order_of_ranks(Collective c, Operands operands) {
    return spec(c).prefix() ? Operands::in_order : operands;
}

/// Trees forward blocks of sizes that they cannot know in advance: a tree serves only where the
/// user asks for it.
static bool only_by_request(Collective c, std::int64_t bytes) {
    return rooted(c) && bytes == select::kUnknown;
}

Chosen Communicator::choose(Collective c, std::int64_t bytes, int root, Operands operands) {
    const Settings& s = settings();
    const select::Asked call = asked(c, bytes, operands);
    Chosen out{select::choose(s.sources(), call)};
    if (!out.choice.complaint.empty())
        say(out.choice.why + ": " + out.choice.complaint +
            (out.choice.algorithm ? "" : "; the MPI library serves these calls."));
    out.ruled = out.choice.found;
    if (measures() && !out.ruled) {  // Communicator::measured_kind has the others
        out.choice.why = bytes == 0 && spec(c).has_data() ? "no data" : "";
        return out;
    }
    if (!out.choice.found && !only_by_request(c, bytes))
        out = counted(c) ? guess(c, bytes, root, operands) : by_table(call);
    number(out, c, operands);
    return out;
}

/// Finds the numbering that the choice names, or that the settings ask for.
void Communicator::number(Chosen& chosen, Collective c, Operands operands) {
    const Operands order = order_of_ranks(c, operands);
    const select::Choice& choice = chosen.choice;
    if (!choice.numbering.empty() && !chosen.numbering) {
        chosen.numbering = numbering_named(choice.numbering, order);
        if (!chosen.numbering)
            say(choice.why + ": these ranks have no numbering '" + choice.numbering +
                "' for these calls; they are taken as given.");
    }
    if (choice.algorithm && !chosen.numbering && settings().renumber && order != Operands::in_order)
        chosen.numbering = numbering_named("by group", order);  // paper, Sec. 2.2
}

/// The plan of the choice. Null: the MPI library serves, and `chosen` has the reason.
const Plan* Communicator::plan_of(Chosen& chosen, Collective c, std::int64_t bytes, int root) {
    select::Choice& choice = chosen.choice;
    if (!choice.algorithm) return nullptr;
    const select::LinkCosts& net = settings().network;
    try {
        choice.parameters = select::with_segments(
            *choice.algorithm, choice.parameters, size,
            choice.algorithm->follows_shape ? shape() : std::vector<int>{}, bytes,
            net.segment_start(), 1 / net.node_bandwidth, segments::kFewer);
        return plan_for(*choice.algorithm, choice.parameters, root, bytes, chosen.numbering,
                        bytes == select::kUnknown || c == Collective::alltoallv);
    } catch (const Error& unfit) {  // depends on the shape, which is the same on all ranks
        choice.complaint = unfit.what();
        say(choice.why + ": " + choice.complaint + "; the MPI library serves these calls.");
        return nullptr;
    }
}

bool Communicator::decides_at_once(Collective c, std::int64_t bytes, int root, Operands operands) {
    if (recent_ && (*recent_)[slot_of(c, bytes, root, operands)].is_for(c, bytes, root, operands))
        return true;
    return (bytes == 0 && spec(c).has_data()) || only_by_request(c, bytes) || !counted(c) ||
           !chooser().useful() || !any_algorithm(c, operands) ||
           select::choose(settings().sources(), asked(c, bytes, operands)).found;
}

Served Communicator::serve(Chosen chosen, Collective c, std::int64_t bytes, int root) {
    const Plan* const plan = plan_of(chosen, c, bytes, root);
    const select::Choice& choice = chosen.choice;
    const bool renumbered = chosen.numbering && plan && !plan->algorithm->follows_placement;
    Served out =
        count(c, bytes, root, plan || choice.complaint.empty() ? choice.why : choice.complaint,
              plan, choice.parameters, renumbered ? chosen.numbering->name : "given");
    out.for_many = chosen.for_many;
    if (plan && reports()) out.tally = tally(*plan, c, bytes, root, chosen);
    return out;
}

Decision& Communicator::decide(Collective c, std::int64_t bytes, int root, Operands operands,
                               const std::shared_ptr<const select::Choice>& known) {
    const std::size_t slot = slot_of(c, bytes, root, operands);
    if (recent_ && (*recent_)[slot].is_for(c, bytes, root, operands, known.get()))
        return (*recent_)[slot];
    limit_plans();
    if (!recent_) recent_ = std::make_unique<Recent>();
    Decision& d = (*recent_)[slot];
    bool ruled = false;
    Served served;
    if (known) {
        Chosen chosen{*known};
        number(chosen, c, operands);
        served = serve(std::move(chosen), c, bytes, root);
    }
    if (!served.plan) {
        Chosen chosen{{nullptr, {}, unusable_, true, {}}};
        if (unusable_.empty()) {
            chosen = choose(c, bytes, root, operands);
            ruled = chosen.ruled;
        }
        served = serve(std::move(chosen), c, bytes, root);
    }
    d = {c, operands, root, settings().generation, bytes, served, known, ruled, nullptr, -1, {}};
    return d;
}

}  // namespace hopbine::mpi
