// What earlier jobs have learned of a communicator's calls, and what this one learns of them.
#include "mpi/state/communicator.hpp"
#include "mpi/state/lessons.hpp"
#include "mpi/state/settings.hpp"
#include "mpi/state/world.hpp"
#include "select/site.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

/// The rules for calls of these ranks, which ask for nothing but bytes and operands any more.
select::Rules rules_for(const select::Rules& all, select::Asked call) {
    select::Rules out;
    out.skip_unfit = true;
    for (select::Rule r : all.rules) {
        const select::Range bytes = r.bytes;
        const std::string operands = r.operands;
        r.bytes = {};
        r.operands.clear();
        call.collective = r.collective;
        if (!r.answers(call)) continue;
        r.bytes = bytes;
        r.nodes = r.ranks_per_node = {};
        for (const select::TextCondition& c : select::kTextConditions) (r.*c.text).clear();
        r.operands = operands;
        out.rules.push_back(std::move(r));
    }
    return out;
}

}  // namespace

const select::Site& Communicator::site() {
    if (!learned_->site) {
        const Job& job = World::get().job();
        learned_->site = job.site;
        learned_->site->placement = select::placement_shape(located());
    }
    return *learned_->site;
}

/// A numbering of these ranks that keeps the order of the operands where it matters, or null.
const select::Numbering* Communicator::numbering_named(const std::string& name, Operands operands) {
    for (const select::Numbering& n : chooser().numberings())
        if (n.name == name && (n.order.empty() || operands != Operands::in_order)) return &n;
    return nullptr;
}

/// What an earlier job has found the fastest; `learned` is not set where none has.
Chosen Communicator::remembered(Collective c, std::int64_t bytes, Operands operands) {
    const Job& job = World::get().job();
    if (!settings().measures || job.learned.rules.empty()) return {};
    if (!learned_->rules) learned_->rules = rules_for(job.learned, asked_here(c, bytes, operands));
    select::Choice choice = select::choose({&*learned_->rules}, {c, size, bytes, operands});
    if (!choice.found) return {};
    Chosen out{std::move(choice), nullptr, true, true};
    if (out.choice.algorithm) {
        const std::string& name = out.choice.numbering;
        out.numbering = numbering_named(name.empty() ? "given" : name, operands);
        if (!out.numbering) return {};
    }
    const auto& measured = out.choice.rule->measured;
    const auto text = measured.find(select::sizes_of(select::size_class(bytes)).high);
    out.choice.why = "learned in " + job.file + (text == measured.end() ? "" : ": " + text->second);
    return out;
}

/// Whether every algorithm has steps that wait for others. The rest can be done by messages that
/// are all posted at the start and go on while the program computes, which blocking calls do not
/// show: the count decides there.
static bool needs_steps(Collective c) {
    return reduces(c) || c == Collective::bcast || c == Collective::barrier;
}

/// Keeps the fastest candidate of trials that have ended for calls of other forms, where links are
/// scarce and hopbine serves those. Whether it is faster than the library's nonblocking calls is
/// not known: where ranks share cores it need not be.
void Communicator::keep_measured(const Decision& d, const Learning& learning) {
    const Chosen* const fastest = learning.fastest_candidate();
    if (!fastest || !needs_steps(d.collective) || !chooser().useful()) return;
    if (measured_since_ != settings().generation) measured_.clear();
    measured_since_ = settings().generation;
    select::Choice known = fastest->choice;
    if (fastest->numbering) known.numbering = fastest->numbering->name;
    known.rule = nullptr;  // calls under way may outlive it
    known.why = "measured in blocking calls: " + learning.measured_arms();
    measured_[{d.collective, select::size_class(d.bytes), d.operands}] =
        std::make_shared<const select::Choice>(std::move(known));
}

std::shared_ptr<const select::Choice> Communicator::measured(Collective c, std::int64_t bytes,
                                                             Operands operands) const {
    if (bytes < 0 || measured_since_ != settings().generation) return nullptr;
    const auto found = measured_.find({c, select::size_class(bytes), operands});
    return found == measured_.end() ? nullptr : found->second;
}

/// Keeps the winner of trials that have ended for the next job.
void Communicator::keep_lesson(const Decision& d, const Learning& learning) {
    const Chosen* const winner = learning.measured_winner();
    if (rank != 0 || !winner || !World::get().job().learns) return;
    const select::Choice& choice = winner->choice;
    select::Rule r{d.collective, select::kLibrary, {}, {}};
    if (choice.algorithm) {
        r.algorithm = choice.algorithm->name;
        r.parameters = choice.parameters;
        if (winner->numbering && !winner->numbering->order.empty())
            r.numbering = winner->numbering->name;
    }
    r.ranks = {size, size};
    r.bytes = select::sizes_of(select::size_class(d.bytes));
    if (reduces(d.collective)) r.operands = select::text(d.operands);
    select::ask_for(r, site());
    r.measured[r.bytes.high] = learning.measured();
    add_lesson(std::move(r));
}

}  // namespace hopbine::mpi
