// What may serve measured calls from the first on, when the communicator is opened, agreements of
// its ranks, and lessons of them.
#include "choice/learning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "choice/job.hpp"
#include "choice/summary.hpp"
#include "runtime/settings.hpp"
#include "select/model_errors.hpp"
#include "select/size_class.hpp"
#include "statistics/rank_runs.hpp"

namespace hopbine::mpi {

namespace {

/// Earlier jobs' ratios hold in the next one up to this deviation of the logarithm.
constexpr double kLearnedError = 0.1;

/// Whether a rank may leave a call before all have come.
bool leaves(Collective c) { return rooted(c) || spec(c).prefix() || c == Collective::alltoallv; }

/// Whether a rule of the user is about the collective.
bool any_rule(Collective c) {
    const auto any = [&](const select::Rules& all) {
        return std::ranges::find(all.rules, c, &select::Rule::collective) != all.rules.end();
    };
    return any(settings().asked) || any(settings().file);
}

}  // namespace

double Learning::weight(Collective c, std::int64_t bytes) {
    const select::LinkCosts& net = settings().network;
    const bool between = group_.located().nodes.count() > 1;
    const double bandwidth = between ? net.node_bandwidth / (chooser().useful() ? net.taper : 1)
                                     : net.rank_bandwidth,
                 latency = (between ? net.global_latency : net.node_latency) * rounds(group_.size);
    return (leaves(c) ? 0.5 : 1) +
           static_cast<double>(std::max<std::int64_t>(bytes, 0)) / (bandwidth * latency);
}

/// Whether the ranks are on one node, and something may be known of their MPI library there.
bool Learning::on_known_node() {
    return job().known_library && group_.located().nodes.count() == 1;
}

double Learning::claimed(std::int64_t bytes) {
    return on_known_node() && bytes >= 0 ? job().known_library->claimed(static_cast<double>(bytes))
                                         : 0;
}

Learning::Found Learning::find(Collective c, std::int64_t bytes, int root, Operands operands) {
    const bool sized = c != Collective::alltoallv,
               unmeasured = (bytes == 0 && spec(c).has_data()) ||
                            (sized ? bytes == select::kUnknown
                                   : !select::by_size({&select::default_rules()}, c, group_.size));
    if (unmeasured || any_rule(c))
        if (const Decision& d = decider_.decide(c, bytes, root, operands); unmeasured || d.ruled)
            return {nullptr, &d.served};
    const int sizes = sized ? select::size_class(bytes) : 0;
    const select::KindKey key{c, sizes, static_cast<int>(operands)};
    Measuring& all = measuring();
    if (MeasuredKind* const known = all.selector.find(key)) return {known, nullptr};
    const select::Belief untried = sized && on_known_node()
                                       ? job().known_library->untried(c, static_cast<double>(bytes))
                                       : select::kUntried;
    MeasuredKind& k = all.selector.kind(key, leaves(c), weight(c, bytes), untried);
    begin_kind(k, sized ? bytes : select::kUnknown);
    offer_devices(k);
    // Where consider() may claim something, it is asked at timed calls.
    if (!select::counts(c) || !chooser().useful()) select::Selector::time_few(k);
    return {&k, nullptr};
}

/// The factor by which the model errs in how many times as fast a candidate is.
double Learning::model_error(Collective c, std::int64_t bytes) {
    const bool torus = group_.located().dimensions() > 0;
    return select::error_bar(c, static_cast<double>(bytes), group_.size, torus).apart;
}

/// Takes what an earlier job has found the fastest.
void Learning::begin_kind(MeasuredKind& k, std::int64_t bytes) {
    Measuring& all = measuring();
    const auto operands = static_cast<Operands>(k.key.operands);
    const char* const why = select::counts(k.key.collective)
                                ? select::library_first(group_.located(), true, true)
                                : nullptr;
    if (all.selector.kinds().size() == 1)
        note_unserved(why ? why : "nothing was measured to be faster than the MPI library");
    if (!settings().stats.empty() && why) all.why_library[&k] = why;
    Chosen known = decider_.knowledge().remembered(group_, k.key.collective, bytes, operands);
    if (!known.learned) return;
    const select::MeasuredSeconds took = known.took;
    if (!known.choice.algorithm) {
        all.why_library[&k] = known.choice.why;
        return all.selector.trust_library(k);
    }
    select::Offer offer = all.offer(k.key.collective, std::move(known));
    offer.deviation = kLearnedError;
    offer.ratio =
        took.library > 0 ? took.serves / took.library : 1 / model_error(k.key.collective, bytes);
    // A rule without times is by hand: it serves at once.
    offer.gain = took.library > 0 ? std::max(0.0, took.library - took.serves)
                                  : all.selector.setup_price() + all.selector.agreement_price();
    k.considered = true;
    all.selector.promise(k, offer, all.selector.setup_price(), false);
}

/// Lets the counted choice serve where the model says that it is clearly faster. What counting
/// takes is spent as soon as the bytes of the calls so far may have gained it.
void Learning::consider(MeasuredKind& k, std::int64_t bytes, int root) {
    if (!considers(k)) return;
    const Collective c = k.key.collective;
    const auto operands = static_cast<Operands>(k.key.operands);
    Measuring& all = measuring();
    select::Selector& selector = all.selector;
    if (!select::counts(c) || !decider_.any_algorithm(c, operands))
        return void(k.considered = true);
    if (!chooser().counted(c) && !selector.counting_may_pay(k, k.weight - weight(c, 0))) return;
    const Spending spending;
    if (!group_.open(DeviceUse::none)) return;
    k.considered = true;
    Chooser::Shortlist counted =
        chooser().shortlist(c, bytes, root, operands, settings().network, group_);
    const bool faster =
        !counted.best.empty() && counted.sure &&
        selector.promise_counted(k, all.offer(c, std::move(counted.best.front())).name,
                                 counted.seconds.front(), counted.classic, model_error(c, bytes));
    if (!faster && !settings().stats.empty())
        all.why_library[&k] = "latencies decide: links are not scarce for this size";
}

/// Whether hopbine can serve calls here. Opens the communicator where the calls so far, if as many
/// follow, gain what that takes.
bool Learning::ready_for(const MeasuredKind& k) {
    if (group_.is_open()) return true;
    if (group_.unusable() || (k.now == 0 && k.queue.empty())) return false;
    const select::Selector& selector = measuring().selector;
    const double library = selector.seconds(k, 0);
    may_gain_ += std::max(selector.gain(k), k.doubt * library);
    if (may_gain_ < selector.agreement_price()) return false;
    const Spending spending;
    return group_.open(DeviceUse::none);
}

const Served& Learning::served_by(MeasuredKind& k, int arm, Collective c, std::int64_t bytes,
                                  int root, Operands operands) {
    Decision& d = decider_.decide(c, bytes, root, operands);
    if (d.kind != &k || d.version != k.version || d.arms.size() != k.arms.size()) {
        d.kind = &k;
        d.version = k.version;
        d.arms.assign(k.arms.size(), {});
        keep_measured(k, c, bytes, operands);
    }
    Served& out = d.arms[static_cast<std::size_t>(arm)];
    if (out.by) return out;
    // Where the library serves, this is for a row of the statistics, which is no learning.
    std::optional<Spending> spending;
    if (arm != 0) spending.emplace();
    Chosen chosen = arm == 0 ? Chosen{} : measuring().chosen(k, arm);
    chosen.choice.why = measuring().reason(k, arm);
    if (chosen.by_devices) group_.join_devices();  // as another communicator of the ranks has
    return out = decider_.serve(std::move(chosen), c, bytes, root);
}

void Learning::took(MeasuredKind& k, double seconds) {
    select::Selector& selector = measuring().selector;
    selector.took(k, seconds, group_);
    if (!selector.agreement_due()) return;
    const auto [tags, more_tags, use] = group_.tell();
    std::vector<double> told{tags, more_tags, use, static_cast<double>(measuring().most_sent)};
    ByDevices& devices = decider_.knowledge().by_devices;
    std::ranges::copy(devices.tell(), std::back_inserter(told));
    selector.agree(group_, *this, told);
    const Spending spending;
    if (devices.begins(group_.device_ranks()) && group_.join_devices())
        for (MeasuredKind& one : selector.kinds()) offer_devices(one);
    lend_to_devices();
    for (const MeasuredKind& one : selector.kinds()) keep_lesson(one);
}

/// What the kernels would have gained so far may be spent on trying them, until some kind has shown
/// whether they gain.
void Learning::lend_to_devices() {
    ByDevices& devices = decider_.knowledge().by_devices;
    if (!devices.group || devices.serves) return;
    for (const MeasuredKind& k : measuring().selector.kinds())
        for (int arm = 1; arm < static_cast<int>(k.arms.size()); ++arm) {
            if (!measuring().chosen(k, arm).by_devices || !measuring().selector.compared(k, arm))
                continue;
            devices.shown = true;
            devices.serves = devices.serves || arm == k.chosen;
        }
    const double credit = devices.shown ? 0 : devices.agreed_gain();
    account().claim(credit - std::exchange(devices.credit, credit));
}

void Learning::hear(std::span<const double> all) {
    group_.hear(all);
    measuring().agreed_sent = static_cast<std::int64_t>(all[3]);
    measuring().most_sent = 0;
    decider_.knowledge().by_devices.hear(all.subspan(4));
}

bool Learning::ready(const select::KindKey& key) const {
    return !group_.is_open() || !select::counts(key.collective) ||
           chooser().counted(key.collective);
}

std::vector<select::Offer> Learning::offers(const select::KindKey& key) {
    std::vector<select::Offer> out;
    if (!group_.is_open()) return out;
    const Collective c = key.collective;
    const auto operands = static_cast<Operands>(key.operands);
    const std::int64_t bytes = select::sizes_of(key.size_class).high;
    Chooser::Shortlist all;
    if (select::counts(c))
        all = chooser().shortlist(c, bytes, 0, operands, settings().network, group_);
    else
        all.best = decider_.alltoallv_candidates(measuring().agreed_sent);
    for (Chosen& one : all.best) out.push_back(measuring().offer(c, std::move(one)));
    if (!all.sure) return out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i].ratio = all.seconds[i] / all.classic;
        out[i].deviation = std::log(model_error(c, bytes));
    }
    return out;
}

/// Where the ranks' devices may serve a kind by themselves, offers that, with a plan for calls that
/// their kernels do not fit. A new kind they serve at once, where others have shown that they gain
/// and the models, which are of one machine, say so.
void Learning::offer_devices(MeasuredKind& k) {
    const Collective c = k.key.collective;
    const ByDevices& devices = decider_.knowledge().by_devices;
    if (!devices.group || !devices.may_serve(c, k.key.size_class)) return;
    const Algorithm* const plan = decider_.any_algorithm(c, static_cast<Operands>(k.key.operands));
    if (!plan) return;
    Chosen kernels{{plan, {}, "GPU memory", true, {}}};
    kernels.by_devices = true;
    select::Offer offer = measuring().offer(c, std::move(kernels));
    const std::int64_t bytes = select::sizes_of(k.key.size_class).high;
    select::Selector& selector = measuring().selector;
    const ModelledCall model(group_.size, group_.device_ranks(), bytes);
    offer.ratio = model.ratio(selector.seconds(k, 0), selector.seconds(k, k.chosen));
    offer.deviation = std::log(ModelledCall::kError);
    offer.gain = model.gain(model.copies);
    if (k.calls > 0 || offer.gain <= 0 || !devices.serves) return selector.offer(k, offer);
    k.considered = true;
    selector.promise(k, offer, selector.setup_price(), true);
}

bool Learning::devices_serve_next(Collective c, std::int64_t bytes, Operands operands) {
    if (!measures() || !group_.is_open() || any_rule(c)) return false;
    const MeasuredKind* const kind =
        measuring().selector.find({c, select::size_class(bytes), static_cast<int>(operands)});
    const int arm = kind ? select::Selector::next_arm(*kind, true) : 0;
    return arm > 0 && measuring().chosen(*kind, arm).by_devices;
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
void Learning::keep_measured(const MeasuredKind& k, Collective c, std::int64_t bytes,
                             Operands operands) {
    if (!needs_steps(c) || !chooser().useful()) return;
    const Chosen* const fastest = measuring().fastest_candidate(k);
    if (!fastest) return;
    select::Choice known = fastest->choice;
    if (fastest->numbering) known.numbering = fastest->numbering->name;
    known.rule = nullptr;  // calls under way may outlive it
    known.why = "measured in blocking calls: " + measuring().label(k, k.chosen) + ' ' +
                measuring().times(k);
    measured_.now()[{c, select::size_class(bytes), operands}] =
        std::make_shared<const select::Choice>(std::move(known));
}

std::shared_ptr<const select::Choice> Learning::measured(Collective c, std::int64_t bytes,
                                                         Operands operands) {
    if (bytes < 0) return nullptr;
    const auto& all = measured_.now();
    const auto found = all.find({c, select::size_class(bytes), operands});
    return found == all.end() ? nullptr : found->second;
}

/// Keeps what was measured to be the fastest for the next job.
void Learning::keep_lesson(const MeasuredKind& k) {
    if (group_.rank != 0 || !job().learns || !measuring().take_lesson(k)) return;
    const Collective c = k.key.collective;
    select::Rule r{c, select::kLibrary, {}, {}};
    if (k.chosen != 0) {
        const Chosen& winner = measuring().chosen(k, k.chosen);
        if (winner.by_devices) return;  // no rule says that
        r.algorithm = winner.choice.algorithm->name;
        r.parameters = winner.choice.parameters;
        if (winner.numbering && !winner.numbering->order.empty())
            r.numbering = winner.numbering->name;
    }
    const int sizes =
        c == Collective::alltoallv ? select::size_class(measuring().agreed_sent) : k.key.size_class;
    r.ranks = {group_.size, group_.size};
    r.bytes = select::sizes_of(sizes);
    if (reduces(c)) r.operands = select::text(static_cast<Operands>(k.key.operands));
    select::ask_for(r, decider_.knowledge().site(group_));
    r.measured[r.bytes.high] = measuring().times(k);
    add_lesson(std::move(r));
}

}  // namespace hopbine::mpi
