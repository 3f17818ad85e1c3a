// What earlier jobs have learned of a communicator's calls, and what this one learns of them.
#include <algorithm>

#include "mpi/state/communicator.hpp"
#include "mpi/state/lessons.hpp"
#include "mpi/state/world.hpp"
#include "runtime/settings.hpp"
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
    if (bytes == select::kUnknown) {  // of an alltoallv: whatever size was measured last
        const auto& all = learned_->rules->rules;
        const auto one = std::ranges::find(all, c, &select::Rule::collective);
        if (one == all.end()) return {};
        bytes = one->bytes.high;
    }
    select::Choice choice = select::choose({&*learned_->rules}, {c, size, bytes, operands});
    if (!choice.found) return {};
    Chosen out{std::move(choice)};
    out.learned = true;
    if (out.choice.algorithm) {
        const std::string& name = out.choice.numbering;
        out.numbering = numbering_named(name.empty() ? "given" : name, operands);
        if (!out.numbering) return {};
    }
    const auto& measured = out.choice.rule->measured;
    const auto text = measured.find(select::sizes_of(select::size_class(bytes)).high);
    out.choice.why = "learned in " + job.file;
    if (text != measured.end()) {
        out.choice.why += ": " + text->second;
        out.took = select::measured_seconds(text->second);
    }
    return out;
}

/// Whether every algorithm has steps that wait for others. The rest can be done by messages that
/// are all posted at the start and go on while the program computes, which blocking calls do not
/// show: the count decides there.
static bool needs_steps(Collective c) {
    return reduces(c) || c == Collective::bcast || c == Collective::barrier;
}

/// Keeps the fastest candidate of those measured for calls of other forms, where links are scarce
/// and hopbine serves those. Whether it is faster than the library's nonblocking calls is not
/// known: where ranks share cores it need not be.
void Communicator::keep_measured(const MeasuredKind& k, Collective c, std::int64_t bytes,
                                 Operands operands) {
    if (!needs_steps(c) || !chooser().useful()) return;
    const Chosen* const fastest = measuring().fastest_candidate(k);
    if (!fastest) return;
    if (measured_since_ != settings().generation) measured_.clear();
    measured_since_ = settings().generation;
    select::Choice known = fastest->choice;
    if (fastest->numbering) known.numbering = fastest->numbering->name;
    known.rule = nullptr;  // calls under way may outlive it
    known.why = "measured in blocking calls: " + measuring().label(k, k.chosen) + ' ' +
                measuring().times(k);
    measured_[{c, select::size_class(bytes), operands}] =
        std::make_shared<const select::Choice>(std::move(known));
}

std::shared_ptr<const select::Choice> Communicator::measured(Collective c, std::int64_t bytes,
                                                             Operands operands) const {
    if (bytes < 0 || measured_since_ != settings().generation) return nullptr;
    const auto found = measured_.find({c, select::size_class(bytes), operands});
    return found == measured_.end() ? nullptr : found->second;
}

/// Keeps what was measured to be the fastest for the next job.
void Communicator::keep_lesson(const MeasuredKind& k) {
    if (rank != 0 || !World::get().job().learns || !measuring().take_lesson(k)) return;
    const Collective c = k.key.collective;
    select::Rule r{c, select::kLibrary, {}, {}};
    if (k.chosen != 0) {
        const Chosen& winner = measuring().chosen(k, k.chosen);
        r.algorithm = winner.choice.algorithm->name;
        r.parameters = winner.choice.parameters;
        if (winner.numbering && !winner.numbering->order.empty())
            r.numbering = winner.numbering->name;
    }
    const int sizes =
        c == Collective::alltoallv ? select::size_class(measuring().agreed_sent) : k.key.size_class;
    r.ranks = {size, size};
    r.bytes = select::sizes_of(sizes);
    if (reduces(c)) r.operands = select::text(static_cast<Operands>(k.key.operands));
    select::ask_for(r, site());
    r.measured[r.bytes.high] = measuring().times(k);
    add_lesson(std::move(r));
}

}  // namespace hopbine::mpi
