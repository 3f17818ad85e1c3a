/// Neighbourhood collectives of a communicator, in one form: its graph as far as this node knows
/// it, their plans, and what serves them.
#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "choice/measuring.hpp"
#include "choice/plan_cache.hpp"
#include "runtime/max_bytes_estimate.hpp"
#include "runtime/neighbor_plan.hpp"
#include "select/neighborhood.hpp"

namespace hopbine::mpi {

/// neighbor_alltoallv or neighbor_allgather.
const char* name(NeighborBlocks blocks);
class Neighborhood : public TimesOfCalls, select::Offers {
public:
    /// `mine`: of this rank, by the topology of the communicator; nothing: it has none.
    Neighborhood(Members& of, std::optional<Neighbors> mine);

    const Neighbors& mine() const { return mine_; }
    /// Whether the MPI library serves all such calls: known to all ranks without communication, or
    /// from prepare().
    bool library_only(NeighborBlocks blocks) const;
    bool prepared() const { return !lists_.empty(); }
    /// Tells the ranks of each node each other's neighbours, and all ranks the largest loads. Once;
    /// collective.
    void prepare();

    /// The kind of blocking calls whose server is found by measuring: the library, or joined
    /// messages. Null: the user has decided.
    MeasuredKind* measured_kind(NeighborBlocks blocks);
    select::Selector& selector() { return *selector_; }
    /// What an arm of it is.
    const Served& served_by(const MeasuredKind& kind, NeighborBlocks blocks, int arm);
    /// Notes what this rank sends in a call: the ranks agree on the most that any does.
    void note_sent(NeighborBlocks blocks, std::int64_t bytes) {
        std::int64_t& most = most_sent_[static_cast<std::size_t>(blocks)];
        most = std::max(most, bytes);
    }
    void took(MeasuredKind& kind, double seconds) override;
    void refused(MeasuredKind& kind) override { selector_->undo(kind); }
    void hear(std::span<const double> also) override;
    bool ready(const select::KindKey&) const override { return prepared(); }
    std::vector<select::Offer> offers(const select::KindKey& key) override;

    /// What serves a call in which this rank sends `bytes`, by counting: the ranks agree now and
    /// then on the most that any sends. Of a nonblocking call never the library. Collective.
    Served decide(NeighborBlocks blocks, std::int64_t bytes);
    /// What serves a persistent call in which no rank sends more than `most` bytes.
    Served decide_repeated(NeighborBlocks blocks, std::int64_t most);
    /// The row of calls that the library serves, of any size; null where no statistics are kept.
    StatRow* library_row(NeighborBlocks blocks);

private:
    /// Which pairs of nodes are joined: none, those for which the count says so, all.
    enum class Joined : std::uint8_t { none, counted, all };
    /// What serves by arm: 0 is the library, or of nonblocking calls direct messages; 1 joins
    /// messages.
    using Arms = std::array<Served, 2>;
    select::NeighborMode asked(NeighborBlocks blocks) const;
    const NeighborPlan& plan(NeighborBlocks blocks, Joined joined);
    std::int64_t agreed(NeighborBlocks blocks, std::int64_t bytes);
    bool joins_pay(NeighborBlocks blocks, std::int64_t bytes) const;
    std::string counted(NeighborBlocks blocks) const;
    Served served(NeighborBlocks blocks, const Plan* plan, const char* by, std::int64_t bytes,
                  const std::string& why) const;
    Served by_plan(NeighborBlocks blocks, Joined joined, std::int64_t bytes,
                   const std::string& why);
    const Served* by_request(NeighborBlocks blocks);

    Members& of_;
    const Units& nodes_;
    Neighbors mine_;
    bool exists_, can_join_;
    std::vector<Neighbors> lists_;  ///< of the node's ranks; empty: not prepared
    std::map<std::pair<NeighborBlocks, Joined>, NeighborPlan> plans_;
    std::array<select::NeighborLoads, 2> most_{};  ///< over all ranks
    std::array<bool, 2> any_joined_{};
    std::array<MaxBytesEstimate, 2> estimates_;
    std::map<std::pair<NeighborBlocks, int>, Served> counted_;  ///< by size class
    std::unique_ptr<select::Selector> selector_;
    std::map<std::pair<NeighborBlocks, int>, Arms> measured_;  ///< by version of the kind
    std::array<std::int64_t, 2> most_sent_{}, agreed_sent_{};  ///< bytes; of this rank, of all
    std::map<std::pair<NeighborBlocks, select::NeighborMode>, Served> requested_;
};

}  // namespace hopbine::mpi
