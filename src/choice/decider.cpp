#include "choice/decider.hpp"

#include <algorithm>
#include <mutex>
#include <set>

#include "choice/summary.hpp"
#include "combinators/segments.hpp"
#include "runtime/settings.hpp"
#include "select/pipelines.hpp"
#include "select/size_class.hpp"
#include "statistics/rank_runs.hpp"

namespace hopbine::mpi {

namespace {

/// Keeps a text for ever: programs may ask what served a call after freeing its communicator.
const char* lasting(const std::string& text) {
    static std::mutex lock;
    static std::set<std::string> all;
    const std::lock_guard hold(lock);
    return all.insert(text).first->c_str();
}

}  // namespace

/// The properties of a call that rules test. Settings are equal on all ranks: all of them look up
/// locations, or none.
select::Asked Decider::asked(Collective c, std::int64_t bytes, Operands operands) {
    const auto asks = [&](const select::Rules& all) {
        return std::ranges::any_of(all.rules, [&](const select::Rule& r) {
            return r.collective == c && r.ranks.holds(group_.size) && r.asks_more();
        });
    };
    if (asks(settings().file) || asks(select::default_rules()))
        return knowledge_->asked(group_, c, bytes, operands);
    return {c, group_.size, bytes, operands};
}

Served Decider::count(Collective c, std::int64_t bytes, int root, const std::string& why,
                      const Plan* plan, const char* name, const Parameters& parameters,
                      const std::string& numbering) {
    Served out{plan, nullptr, lasting(plan ? select::text(name, parameters) : name)};
    if (!plan) note_unserved(why);
    if (settings().stats.empty()) return out;
    const std::string listed = select::text("", parameters);
    StatKey key{group_.size,
                hopbine::name(c),
                group_.form(),
                rooted(c) ? root : -1,
                select::size_class(bytes),
                name,
                plan && !listed.empty() ? listed.substr(1) : "",
                plan ? numbering : "",
                why};
    if (group_.rank == 0 && !group_.has_all_in_order()) key.members = rank_runs(group_.members());
    out.row = stat_row(key);
    return out;
}

bool Decider::counted(Collective c) const { return settings().counts && select::counts(c); }

bool Decider::library_only(Collective c, Form form) {
    const Settings& s = settings();
    Knowledge::LibraryOnly& all = knowledge_->library_only[static_cast<std::size_t>(form)].now();
    const unsigned bit = 1u << static_cast<unsigned>(c);
    if (!(all.known & bit)) {
        all.known |= bit;
        const auto only = [&](const std::vector<const select::Rules*>& sources, bool rest) {
            return select::library_only(sources, c, group_.size, rest);
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
                : counted(c)               ? select::library_first(group_.located(), true, true)
                                           : nullptr;
            note_unserved(why ? why : "the default table leaves them to the MPI library");
        }
    }
    return all.only & bit;
}

Served Decider::serve_anyhow(Collective c, std::int64_t bytes, int root, Operands operands) {
    return serve({{any_algorithm(c, operands), {}, "device memory", true, {}}}, c, bytes, root);
}

const Algorithm* Decider::any_algorithm(Collective c, Operands operands) const {
    for (const Algorithm* a : algorithms())
        if (a->collective == c && fits(*a, group_.size) && !a->follows_placement &&
            !a->follows_shape && hopbine::serves(*a, operands))
            return a;
    return nullptr;
}

/// The choice by counting. Where links are not scarce it is the MPI library: the model knows them,
/// and little of what takes the time then.
Chosen Decider::guess(Collective c, std::int64_t bytes, int root, Operands operands) {
    const auto library = [](const char* why) { return Chosen{{nullptr, {}, why, true, {}}}; };
    if (bytes == 0 && spec(c).has_data()) return library("no data");
    const bool must = group_.form() == Form::nonblocking && chooser().useful();
    if (must && !any_algorithm(c, operands)) return library("no algorithm serves it");
    if (!chooser().useful())
        if (Chosen out = through_memory(c, bytes, operands, group_.form()); out.choice.algorithm)
            return out;
    if (group_.form() != Form::nonblocking)
        if (Chosen known = knowledge_->remembered(group_, c, bytes, operands); known.learned)
            return known;
    Chooser::Shortlist counted;
    if (chooser().useful())
        counted = chooser().shortlist(c, bytes, root, operands, settings().network, group_);
    const bool sure = counted.sure || group_.form() == Form::nonblocking;
    if (must && counted.best.empty())
        return {
            {any_algorithm(c, operands), {}, "no counted algorithm serves these calls", true, {}}};
    if (const char* why = select::library_first(group_.located(), !counted.best.empty(), sure))
        return library(why);
    return std::move(counted.best.front());
}

/// The choice of the default table, for collectives that cannot be counted.
Chosen Decider::by_table(const select::Asked& call) {
    if (Chosen known = knowledge_->remembered(group_, call.collective, call.bytes, call.operands);
        known.learned)
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

Chosen Decider::choose(Collective c, std::int64_t bytes, int root, Operands operands) {
    const Settings& s = settings();
    const select::Asked call = asked(c, bytes, operands);
    Chosen out{select::choose(s.sources(), call)};
    if (!out.choice.complaint.empty())
        group_.say(out.choice.why + ": " + out.choice.complaint +
                   (out.choice.algorithm ? "" : "; the MPI library serves these calls."));
    out.ruled = out.choice.found;
    if (measures(group_.form()) && !out.ruled) {  // Learning::kind_of has the others
        out.choice.why = bytes == 0 && spec(c).has_data() ? "no data" : "";
        return out;
    }
    if (!out.choice.found && !only_by_request(c, bytes))
        out = counted(c) ? guess(c, bytes, root, operands) : by_table(call);
    number(out, c, operands);
    return out;
}

/// Finds the numbering that the choice names, or that the settings ask for.
void Decider::number(Chosen& chosen, Collective c, Operands operands) {
    const Operands order = order_of_ranks(c, operands);
    const select::Choice& choice = chosen.choice;
    if (!choice.numbering.empty() && !chosen.numbering) {
        chosen.numbering = knowledge_->numbering(group_, choice.numbering, order);
        if (!chosen.numbering)
            group_.say(choice.why + ": these ranks have no numbering '" + choice.numbering +
                       "' for these calls; they are taken as given.");
    }
    if (choice.algorithm && !chosen.numbering && settings().renumber && order != Operands::in_order)
        chosen.numbering = knowledge_->numbering(group_, "by group", order);  // paper, Sec. 2.2
}

/// The plan of the choice. Null: the MPI library serves, and `chosen` has the reason.
const Plan* Decider::plan_of(Chosen& chosen, Collective c, std::int64_t bytes, int root) {
    select::Choice& choice = chosen.choice;
    if (!choice.algorithm) return nullptr;
    const select::LinkCosts& net = settings().network;
    try {
        choice.parameters = select::with_segments(
            *choice.algorithm, choice.parameters, group_.size,
            choice.algorithm->follows_shape ? group_.shape() : std::vector<int>{}, bytes,
            net.segment_start(), 1 / net.node_bandwidth, segments::kFewer);
        return plans_.plan(*choice.algorithm, choice.parameters, root, bytes, chosen.numbering,
                           bytes == select::kUnknown || c == Collective::alltoallv);
    } catch (const Error& unfit) {  // depends on the shape, which is the same on all ranks
        choice.complaint = unfit.what();
        group_.say(choice.why + ": " + choice.complaint + "; the MPI library serves these calls.");
        return nullptr;
    }
}

bool Decider::decides_at_once(Collective c, std::int64_t bytes, int root, Operands operands) {
    return plans_.find(c, bytes, root, operands) || (bytes == 0 && spec(c).has_data()) ||
           only_by_request(c, bytes) || !counted(c) || !chooser().useful() ||
           !any_algorithm(c, operands) ||
           select::choose(settings().sources(), asked(c, bytes, operands)).found;
}

Served Decider::serve(Chosen chosen, Collective c, std::int64_t bytes, int root) {
    const Plan* const plan = plan_of(chosen, c, bytes, root);
    const select::Choice& choice = chosen.choice;
    const bool renumbered = chosen.numbering && plan && !plan->algorithm->follows_placement;
    const char* const name = !plan               ? select::kLibrary
                             : chosen.by_devices ? kByDevices
                                                 : plan->algorithm->name;
    Served out =
        count(c, bytes, root, plan || choice.complaint.empty() ? choice.why : choice.complaint,
              plan, name, chosen.by_devices ? Parameters{} : choice.parameters,
              renumbered ? chosen.numbering->name : "given");
    out.for_many = chosen.for_many;
    out.by_devices = plan && chosen.by_devices;
    if (plan && reports() && !out.by_devices)
        out.tally = served_tally(*plan, group_, c, bytes, root, chosen);
    return out;
}

Decision& Decider::decide(Collective c, std::int64_t bytes, int root, Operands operands,
                          const std::shared_ptr<const select::Choice>& known) {
    if (Decision* const d = plans_.find(c, bytes, root, operands, known.get())) return *d;
    plans_.limit();
    bool ruled = false;
    Served served;
    if (known) {
        Chosen chosen{*known};
        number(chosen, c, operands);
        served = serve(std::move(chosen), c, bytes, root);
    }
    if (!served.plan) {
        Chosen chosen{{nullptr, {}, group_.why_unusable(), true, {}}};
        if (!group_.unusable()) {
            chosen = choose(c, bytes, root, operands);
            ruled = chosen.ruled;
        }
        served = serve(std::move(chosen), c, bytes, root);
    }
    return plans_.keep({c, operands, root, bytes, served, known, ruled, nullptr, -1, {}});
}

}  // namespace hopbine::mpi
