#include "choice/neighborhood.hpp"

#include <algorithm>

#include "choice/gather_neighbors.hpp"
#include "choice/job.hpp"
#include "choice/knowledge.hpp"
#include "runtime/settings.hpp"
#include "select/measured_text.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

using select::NeighborMode;

std::size_t index(NeighborBlocks blocks) { return static_cast<std::size_t>(blocks); }

/// What stands for joined messages among the arms of trials. It is no row of the registry, whose
/// algorithms depend on the number of ranks alone.
const Algorithm kJoined{.collective = Collective::alltoallv, .name = "joined"};

}  // namespace

/// The times of both arms, that which serves first.
static std::string times_of(const select::Selector& selector, const MeasuredKind& kind) {
    const int other = 1 - kind.chosen;
    return select::measured_text(
        selector.seconds(kind, kind.chosen),
        {{other == 0 ? select::kLibrary : kJoined.name, selector.seconds(kind, other)}});
}

const char* name(NeighborBlocks blocks) {
    return blocks == NeighborBlocks::each ? "neighbor_alltoallv" : "neighbor_allgather";
}

Neighborhood::Neighborhood(Members& of, std::optional<Neighbors> mine)
    : of_(of), nodes_(of.located().nodes), exists_(mine.has_value()) {
    if (mine) mine_ = std::move(*mine);
    can_join_ = nodes_.count() > 1 && nodes_.count() < of.size;
    for (int n = 0; n < nodes_.count(); ++n)
        for (select::NeighborLoads& l : most_)
            l.ranks_per_node = std::max<std::int64_t>(l.ranks_per_node, nodes_.size(n));
}

NeighborMode Neighborhood::asked(NeighborBlocks blocks) const {
    const select::NeighborModes& modes = settings().asked.neighbors;
    return blocks == NeighborBlocks::each ? modes.alltoallv : modes.allgather;
}

bool Neighborhood::library_only(NeighborBlocks blocks) const {
    const NeighborMode mode = asked(blocks);
    if (!exists_ || mode == NeighborMode::library) return true;
    if (mode != NeighborMode::automatic) return false;
    return !can_join_ || !settings().counts || (prepared() && !any_joined_[index(blocks)]);
}

const NeighborPlan& Neighborhood::plan(NeighborBlocks blocks, Joined joined) {
    const auto [at, fresh] = plans_.try_emplace({blocks, joined});
    const select::LinkCosts& net = settings().network;
    if (fresh)
        at->second = make_neighbor_plan(of_.rank, nodes_, lists_, blocks, [&](const PairCount& c) {
            return joined == Joined::all
                       ? c.messages > 1
                       : joined == Joined::counted &&
                             select::joins(c.messages, c.sources, c.destinations, net);
        });
    return at->second;
}

void Neighborhood::prepare() {
    if (prepared()) return;
    lists_ = gather_neighbors(mine_, nodes_.members(nodes_.of(of_.rank)), of_);
    const NeighborCount each = plan(NeighborBlocks::each, Joined::counted).count,
                        same = plan(NeighborBlocks::same, Joined::counted).count;
    std::array<std::int64_t, 8> most{each.direct, each.between, each.hops, each.joined,
                                     same.direct, same.between, same.hops, same.joined};
    of_.most_of_all(most);
    for (std::size_t b = 0; b < most_.size(); ++b) {
        most_[b].direct = most[4 * b];
        most_[b].between = most[4 * b + 1];
        most_[b].hops = most[4 * b + 2];
        any_joined_[b] = most[4 * b + 3] > 0;
    }
}

/// Rounded up to a power of two: calls of one size class are decided alike.
std::int64_t Neighborhood::agreed(NeighborBlocks blocks, std::int64_t bytes) {
    MaxBytesEstimate& estimate = estimates_[index(blocks)];
    const std::int64_t most = estimate.begin(bytes, [&](std::int64_t own) {
        std::array<std::int64_t, 1> all{own};
        of_.most_of_all(all);
        return all[0];
    });
    estimate.end();
    return select::sizes_of(select::size_class(most)).high;
}

bool Neighborhood::joins_pay(NeighborBlocks blocks, std::int64_t bytes) const {
    const select::NeighborLoads& loads = most_[index(blocks)];
    const select::LinkCosts& net = settings().network;
    return any_joined_[index(blocks)] &&
           select::joined_seconds(loads, net, static_cast<double>(bytes),
                                  blocks == NeighborBlocks::same) <
               select::direct_seconds(loads, net, static_cast<double>(bytes));
}

std::string Neighborhood::counted(NeighborBlocks blocks) const {
    const select::NeighborLoads& loads = most_[index(blocks)];
    return "counted: a rank has up to " + std::to_string(loads.direct) +
           " messages to other nodes, joined " + std::to_string(loads.between);
}

StatRow* Neighborhood::library_row(NeighborBlocks blocks) {
    if (settings().stats.empty()) return nullptr;
    const char* const why = !exists_ ? "no topology"
                            : asked(blocks) == NeighborMode::library
                                ? "asked for"
                                : "no messages of one node to another to join";
    return served(blocks, nullptr, select::kLibrary, select::kUnknown, why).row;
}

Served Neighborhood::served(NeighborBlocks blocks, const Plan* plan, const char* by,
                            std::int64_t bytes, const std::string& why) const {
    Served out{plan, nullptr, by};
    if (!settings().stats.empty())
        out.row = stat_row({of_.size, name(blocks), of_.form(), -1, select::size_class(bytes), by,
                            "", plan ? "given" : "", why});
    return out;
}

Served Neighborhood::by_plan(NeighborBlocks blocks, Joined joined, std::int64_t bytes,
                             const std::string& why) {
    return served(blocks, &plan(blocks, joined).plan,
                  joined == Joined::none ? "direct" : kJoined.name, bytes, why);
}

const Served* Neighborhood::by_request(NeighborBlocks blocks) {
    const NeighborMode mode = asked(blocks);
    if (mode != NeighborMode::direct && mode != NeighborMode::joined) return nullptr;
    Served& out = requested_[{blocks, mode}];
    if (!out.by)
        out = by_plan(blocks, mode == NeighborMode::direct ? Joined::none : Joined::all,
                      select::kUnknown, "asked for");
    return &out;
}

MeasuredKind* Neighborhood::measured_kind(NeighborBlocks blocks) {
    if (!measures(of_.form()) || asked(blocks) != NeighborMode::automatic) return nullptr;
    if (!selector_) {
        selector_ = std::make_unique<select::Selector>(account(), job().exchange, job().start);
    }
    const Collective c =
        blocks == NeighborBlocks::each ? Collective::alltoallv : Collective::allgather;
    // A rank may leave a call before others come to it.
    return &selector_->kind({c, 0, 0}, true, 1);
}

const Served& Neighborhood::served_by(const MeasuredKind& kind, NeighborBlocks blocks, int arm) {
    Served& out = measured_[{blocks, kind.version}][static_cast<std::size_t>(arm)];
    if (out.by) return out;
    const Spending spending;
    const std::int64_t bytes = agreed_sent_[index(blocks)];
    const std::string why = kind.version > 0 && arm == kind.chosen
                                ? "measured: " + times_of(*selector_, kind)
                            : prepared() ? counted(blocks)
                                         : "nothing faster is known yet";
    return out = arm ? by_plan(blocks, Joined::counted, bytes, why)
                     : served(blocks, nullptr, select::kLibrary,
                              prepared() ? bytes : select::kUnknown, why);
}

void Neighborhood::took(MeasuredKind& kind, double seconds) {
    selector_->took(kind, seconds, of_);
    if (!selector_->agreement_due()) return;
    const std::array<double, 2> told{static_cast<double>(most_sent_[0]),
                                     static_cast<double>(most_sent_[1])};
    selector_->agree(of_, *this, told);
}

void Neighborhood::hear(std::span<const double> also) {
    for (std::size_t b = 0; b < agreed_sent_.size(); ++b)
        agreed_sent_[b] =
            select::sizes_of(select::size_class(static_cast<std::int64_t>(also[b]))).high;
    most_sent_ = {};
}

/// Joined messages, where the ranks of a node have some to join. Reads the graph first.
std::vector<select::Offer> Neighborhood::offers(const select::KindKey& key) {
    const NeighborBlocks blocks =
        key.collective == Collective::alltoallv ? NeighborBlocks::each : NeighborBlocks::same;
    if (!of_.open(DeviceUse::none)) return {};
    prepare();
    if (!any_joined_[index(blocks)]) return {};
    select::Offer joined;
    joined.name = 1;
    return {joined};
}

Served Neighborhood::decide(NeighborBlocks blocks, std::int64_t bytes) {
    if (const Served* const asked = by_request(blocks)) return *asked;
    const std::int64_t most = agreed(blocks, bytes);
    Served& out = counted_[{blocks, select::size_class(most)}];
    if (out.by) return out;
    const bool joins = joins_pay(blocks, most);
    return out =
               joins || of_.form() != Form::blocking
                   ? by_plan(blocks, joins ? Joined::counted : Joined::none, most, counted(blocks))
                   : served(blocks, nullptr, select::kLibrary, most, counted(blocks));
}

Served Neighborhood::decide_repeated(NeighborBlocks blocks, std::int64_t most) {
    if (const Served* const asked = by_request(blocks)) return *asked;
    return joins_pay(blocks, most)
               ? by_plan(blocks, Joined::counted, most, counted(blocks))
               : served(blocks, nullptr, select::kLibrary, most, counted(blocks));
}

}  // namespace hopbine::mpi
