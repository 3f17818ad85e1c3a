// Decides what serves calls that are measured: what may serve from the first calls on, when the
// communicator is opened, and agreements of its ranks.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include "mpi/state/communicator.hpp"
#include "mpi/state/summary.hpp"
#include "mpi/state/world.hpp"
#include "runtime/rank_runs.hpp"
#include "runtime/settings.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

/// Modelled times are wrong by about this factor where the links are known (docs/choice-errors:
/// 1.05 to 1.18 in the geometric mean): a claim is less by so much.
constexpr double kModelError = 1.2;
/// Earlier jobs' ratios hold in the next one up to this deviation of the logarithm.
constexpr double kLearnedError = 0.1;
/// The part of the bytes' time that counting may be expected to gain.
constexpr double kCountGains = 0.25;

/// Rounds of an agreement.
double rounds(int ranks) {
    return std::max(1.0, static_cast<double>(std::bit_width(static_cast<unsigned>(ranks - 1))));
}

/// Whether a rank may leave a call before all have come.
bool leaves(Collective c) { return rooted(c) || spec(c).prefix() || c == Collective::alltoallv; }

/// Whether a rule of the user is about the collective.
bool any_rule(Collective c) {
    const auto any = [&](const select::Rules& all) {
        return std::ranges::find(all.rules, c, &select::Rule::collective) != all.rules.end();
    };
    return any(settings().asked) || any(settings().file);
}

/// Candidates of a communicator's calls, and what its ranks tell each other in an agreement: tags
/// if it is not open yet, the use of devices, and the largest alltoallv.
class Candidates : public select::Offers {
public:
    explicit Candidates(Communicator& of) : of_(of) {}
    std::vector<double> told() { return of_.tell(); }
    void hear(std::span<const double> also) override { of_.hear(also); }
    bool ready(const select::KindKey& key) const override { return of_.offers_ready(key); }
    std::vector<select::Offer> offers(const select::KindKey& key) override {
        return of_.offers(key);
    }

private:
    Communicator& of_;
};

}  // namespace

Measuring& Communicator::measuring() {
    if (!learned_->measuring) {
        // An agreement of fewer ranks takes as much less as its rounds are fewer.
        const double all = rounds(static_cast<int>(World::get().ranks().size()));
        learned_->measuring =
            std::make_unique<Measuring>(World::get().exchange() * rounds(size) / all,
                                        of_all_ranks(), rank == 0 ? rank_runs(members_) : "");
    }
    return *learned_->measuring;
}

/// What is measured of the calls of all ranks, in their order; null: nothing, or threads may call
/// at once, so that it need not be the same on all ranks.
const Measuring* Communicator::of_all_ranks() const {
    if (World::get().threaded() || members_.size() == World::get().ranks().size()) return nullptr;
    std::vector<int> all(World::get().ranks().size());
    std::iota(all.begin(), all.end(), 0);
    return learned_by(all)->measuring.get();
}

/// The modelled time of a call over that of an agreement.
double Communicator::weight(Collective c, std::int64_t bytes) {
    const select::LinkCosts& net = settings().network;
    const bool between = located().nodes.count() > 1;
    const double bandwidth = between ? net.node_bandwidth / (chooser().useful() ? net.taper : 1)
                                     : net.rank_bandwidth,
                 latency = (between ? net.global_latency : net.node_latency) * rounds(size);
    return (leaves(c) ? 0.5 : 1) +
           static_cast<double>(std::max<std::int64_t>(bytes, 0)) / (bandwidth * latency);
}

MeasuredKind* Communicator::measured_kind(Collective c, std::int64_t bytes, int root,
                                          Operands operands) {
    if (!measures() || (bytes == 0 && spec(c).has_data())) return nullptr;
    if (any_rule(c) && decide(c, bytes, root, operands).ruled) return nullptr;
    const bool sized = c != Collective::alltoallv;
    if (sized ? bytes == select::kUnknown : !select::by_size({&select::default_rules()}, c, size))
        return nullptr;
    const int sizes = sized ? select::size_class(bytes) : 0;
    const select::KindKey key{c, sizes, static_cast<int>(operands)};
    Measuring& all = measuring();
    if (MeasuredKind* const known = all.selector.find(key)) return known;
    MeasuredKind& k = all.selector.kind(key, leaves(c), weight(c, bytes));
    begin_kind(k, sized ? bytes : select::kUnknown);
    return &k;
}

/// Takes what an earlier job has found the fastest.
void Communicator::begin_kind(MeasuredKind& k, std::int64_t bytes) {
    Measuring& all = measuring();
    const auto operands = static_cast<Operands>(k.key.operands);
    const char* const why =
        select::counts(k.key.collective) ? select::library_first(located(), true, true) : nullptr;
    if (all.selector.kinds().size() == 1)
        note_unserved(why ? why : "nothing was measured to be faster than the MPI library");
    if (!settings().stats.empty() && why) all.why_library[&k] = why;
    Chosen known = remembered(k.key.collective, bytes, operands);
    if (!known.learned) return;
    const select::MeasuredSeconds took = known.took;
    if (!known.choice.algorithm) {
        all.why_library[&k] = known.choice.why;
        return all.selector.trust_library(k);
    }
    select::Offer offer = all.offer(k.key.collective, std::move(known));
    offer.deviation = kLearnedError;
    offer.ratio = took.library > 0 ? took.serves / took.library : 1 / kModelError;
    // A rule without times is by hand: it serves at once.
    offer.gain = took.library > 0 ? std::max(0.0, took.library - took.serves)
                                  : all.selector.setup_price() + all.selector.agreement_price();
    k.considered = true;
    all.selector.promise(k, offer, all.selector.setup_price(), false);
}

/// Lets the counted choice serve where the model says that it is clearly faster. What counting
/// takes is spent as soon as the bytes of the calls so far may have gained it.
void Communicator::consider(MeasuredKind& k, std::int64_t bytes, int root) {
    if (!considers(k)) return;
    const Collective c = k.key.collective;
    const auto operands = static_cast<Operands>(k.key.operands);
    Measuring& all = measuring();
    select::Selector& selector = all.selector;
    if (!select::counts(c) || !any_algorithm(c, operands)) return void(k.considered = true);
    if (!chooser().counted(c)) {
        const double of_bytes = (k.weight - weight(c, 0)) * selector.agreement_price(),
                     may_gain = kCountGains * of_bytes * static_cast<double>(k.calls + 1);
        if (may_gain < selector.counting_price()) return;
    }
    const Spending spending;
    if (!open(DeviceUse::none)) return;
    k.considered = true;
    Chooser::Shortlist counted =
        chooser().shortlist(c, bytes, root, operands, settings().network, {rank, size, endpoint_});
    const double gain = counted.classic / kModelError - counted.seconds;
    if (counted.best.empty() || !counted.sure || !(gain > 0)) {
        if (!settings().stats.empty())
            all.why_library[&k] = "latencies decide: links are not scarce for this size";
        return;
    }
    select::Offer offer = all.offer(c, std::move(counted.best.front()));
    offer.ratio = counted.seconds / counted.classic;
    offer.gain = gain;
    offer.deviation = std::log(kModelError);
    selector.promise(k, offer, selector.setup_price(), true);
}

/// Whether hopbine can serve calls here. Opens the communicator where the calls so far, if as many
/// follow, gain what that takes.
bool Communicator::ready_for(const MeasuredKind& k) {
    if (is_open()) return true;
    if (!unusable_.empty() || (k.now == 0 && k.queue.empty())) return false;
    const select::Selector& selector = measuring().selector;
    const double library = selector.seconds(k, 0);
    may_gain_ += std::max(selector.gain(k), k.doubt * library);
    if (may_gain_ < selector.agreement_price()) return false;
    const Spending spending;
    return open(DeviceUse::none);
}

const Served& Communicator::served_by(MeasuredKind& k, int arm, Collective c, std::int64_t bytes,
                                      int root, Operands operands) {
    Decision& d = decide(c, bytes, root, operands);
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
    return out = serve(std::move(chosen), c, bytes, root);
}

void Communicator::took(MeasuredKind& k, double seconds) {
    CommPort port(user_);
    select::Selector& selector = measuring().selector;
    selector.took(k, seconds, port);
    if (!selector.agreement_due()) return;
    Candidates candidates(*this);
    const std::vector<double> told = candidates.told();
    selector.agree(port, candidates, told);
    const Spending spending;
    for (const MeasuredKind& one : selector.kinds()) keep_lesson(one);
}

std::vector<double> Communicator::tell() {
    std::array<double, 2> tags{};
    if (!is_open() && unusable_.empty()) tags = tags_.offer();
    device::Runtime& runtime = device::Runtime::get();
    const DeviceUse use = !runtime.loaded()  ? DeviceUse::none
                          : runtime.opaque() ? DeviceUse::used
                                             : DeviceUse::loaded;
    return {tags[0], tags[1], static_cast<double>(use), static_cast<double>(measuring().most_sent)};
}

void Communicator::hear(std::span<const double> all) {
    const auto most = static_cast<DeviceUse>(all[2]);
    if (is_open()) {
        device.start_early(most);
    } else if (unusable_.empty() && tags_.end_offer(user_, size, all[0], all[1])) {
        endpoint_ = endpoint(tags_);
        device.start_early(most);
    } else {
        close();
    }
    measuring().agreed_sent = static_cast<std::int64_t>(all[3]);
    measuring().most_sent = 0;
}

bool Communicator::offers_ready(const select::KindKey& key) {
    return !is_open() || !select::counts(key.collective) || chooser().counted(key.collective);
}

std::vector<select::Offer> Communicator::offers(const select::KindKey& key) {
    std::vector<select::Offer> out;
    if (!is_open()) return out;
    const Collective c = key.collective;
    const auto operands = static_cast<Operands>(key.operands);
    const std::int64_t bytes = select::sizes_of(key.size_class).high;
    std::vector<Chosen> candidates =
        select::counts(c)
            ? chooser()
                  .shortlist(c, bytes, 0, operands, settings().network, {rank, size, endpoint_})
                  .best
            : alltoallv_candidates(measuring().agreed_sent);
    for (Chosen& one : candidates) out.push_back(measuring().offer(c, std::move(one)));
    return out;
}

}  // namespace hopbine::mpi
