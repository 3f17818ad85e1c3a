#include "choice/measuring.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>

#include "choice/job.hpp"
#include "runtime/settings.hpp"
#include "schedule/hash.hpp"
#include "select/measured_text.hpp"
#include "statistics/statistics.hpp"

namespace hopbine::mpi {

namespace {

/// The measurements of this process. Never destroyed: communicators may be freed when the process
/// ends.
struct All {
    std::mutex lock;
    std::set<Measuring*> known;
    std::int64_t uncompared = 0;  ///< calls of those that are gone
};
All& all() {
    static All& out = *new All;
    return out;
}

std::string label_of(const Chosen& c) {
    if (c.by_devices) return kByDevices;
    return select::text(c.choice.algorithm->name, c.choice.parameters);
}

}  // namespace

select::Account& account() {
    static select::Account& one = *new select::Account(settings().budget);
    return one;
}

Spending::Spending() : began_(now()) {}
Spending::~Spending() { account().spend(seconds_since(began_)); }

Measuring::Measuring(double agreement, const Measuring* known, std::string ranks_here)
    : selector(account(), agreement, job().start, known ? &known->selector : nullptr),
      ranks(std::move(ranks_here)) {
    const std::lock_guard hold(all().lock);
    all().known.insert(this);
}

Measuring::~Measuring() {
    const std::lock_guard hold(all().lock);
    all().known.erase(this);
    selector.settle_rest();
    all().uncompared += selector.uncompared_calls();
}

void settle_all() {
    const std::lock_guard hold(all().lock);
    for (Measuring* const one : all().known) one->selector.settle_rest();
}

void for_all_measured(const std::function<void(const Measuring&)>& visit) {
    const std::lock_guard hold(all().lock);
    for (const Measuring* const one : all().known) visit(*one);
}

bool any_measured() {
    const std::lock_guard hold(all().lock);
    return std::ranges::any_of(all().known, [](const Measuring* one) {
        return std::ranges::any_of(one->selector.kinds(),
                                   [](const MeasuredKind& k) { return k.version > 0; });
    });
}

bool any_stopped() {
    const std::lock_guard hold(all().lock);
    return std::ranges::any_of(all().known,
                               [](const Measuring* one) { return one->selector.stopped(); });
}

std::int64_t uncompared_calls() {
    const std::lock_guard hold(all().lock);
    std::int64_t out = all().uncompared;
    for (const Measuring* const one : all().known) out += one->selector.uncompared_calls();
    return out;
}

select::Offer Measuring::offer(Collective c, Chosen candidate) {
    const std::string text = std::string(name(c)) + ' ' + label_of(candidate) +
                             (candidate.numbering ? candidate.numbering->name : "");
    const std::uint64_t key = fnv1a(text);
    by_name_.insert_or_assign(key, std::move(candidate));
    select::Offer out;
    out.name = key;
    return out;
}

const Chosen& Measuring::chosen(const MeasuredKind& k, int arm) const {
    return by_name_.at(k.arms[static_cast<std::size_t>(arm)].name);
}

std::string Measuring::label(const MeasuredKind& k, int arm) const {
    return arm == 0 ? select::kLibrary : label_of(chosen(k, arm));
}

std::string Measuring::times(const MeasuredKind& k) const {
    std::vector<std::pair<std::string, double>> others;
    for (int i = 0; i < static_cast<int>(k.arms.size()); ++i)
        if (i != k.chosen && selector.compared(k, i))
            others.emplace_back(label(k, i), selector.seconds(k, i));
    return select::measured_text(selector.seconds(k, k.chosen), others);
}

std::string Measuring::reason(const MeasuredKind& k, int arm) const {
    if (arm != k.chosen)
        return arm != 0 || k.version > 0 || k.insures
                   ? "takes turns to be measured"
                   : "the calls so far would not pay for the start of " + label(k, k.chosen);
    if (k.version > 0) return "measured: " + times(k);
    if (arm != 0) return chosen(k, arm).choice.why;
    const auto found = why_library.find(&k);
    return found == why_library.end() ? "nothing faster is known yet" : found->second;
}

bool Measuring::take_lesson(const MeasuredKind& k) {
    if (k.version == 0) return false;
    Kept& last = kept_[&k];
    if (last.version == k.version && k.calls < 2 * last.calls) return false;
    last = {k.version, k.calls};
    return true;
}

const Chosen* Measuring::fastest_candidate(const MeasuredKind& k) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(k.arms.size()); ++i)
        if (selector.compared(k, i) && !chosen(k, i).by_devices &&
            (best == 0 || selector.seconds(k, i) < selector.seconds(k, best)))
            best = i;
    return best ? &chosen(k, best) : nullptr;
}

}  // namespace hopbine::mpi
