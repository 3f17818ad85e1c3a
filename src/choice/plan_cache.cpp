#include "choice/plan_cache.hpp"

#include "combinators/combinators.hpp"
#include "schedule/bounds.hpp"
#include "schedule/call_tags.hpp"

namespace hopbine::mpi {

Decision& PlanCache::keep(Decision decision) {
    std::unique_ptr<Recent>& recent = recent_.now();
    if (!recent) recent = std::make_unique<Recent>();
    const Decision& d = decision;
    return (*recent)[slot_of(d.collective, d.bytes, d.root, d.operands)] = std::move(decision);
}

void PlanCache::limit() {
    constexpr std::size_t kMostPlans = 1024;
    if (plans_.size() < kMostPlans || in_use > 0) return;
    plans_.clear();
    recent_.now().reset();
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

const Plan* PlanCache::plan(const Algorithm& a, const Parameters& parameters, int root,
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
        a, {a.collective, group_.size, renumbered && rooted(a.collective) ? numbering->plays(r) : r,
            parameters, a.follows_placement ? group_.located().placement : nullptr,
            a.follows_shape ? group_.shape() : std::vector<int>{}, bytes});
    SchedulePtr s = runnable(a, a.make(q), sized_messages);
    if (renumbered) s = relabelled(s, a.collective, numbering->order);
    q.root = r;
    return plans_
        .emplace(key, std::make_unique<Plan>(make_plan(a, q, *s, group_.rank, sized_messages)))
        .first->second.get();
}

}  // namespace hopbine::mpi
