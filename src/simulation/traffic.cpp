#include "simulation/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "schedule/bounds.hpp"
#include "schedule/problem.hpp"

namespace hopbine::simulation {

namespace {

/// In a random order, the same with every C++ library.
template <typename T>
void shuffle(std::vector<T>& all, std::mt19937_64& random) {
    for (std::size_t i = 1; i < all.size(); ++i) std::swap(all[i], all[random() % (i + 1)]);
}

/// Marks a job's nodes, which no other one has.
void occupy(std::vector<bool>& used, const std::vector<int>& job) {
    for (int node : job) {
        if (node < 0 || static_cast<std::size_t>(node) >= used.size())
            throw Error("node " + std::to_string(node) + " of another job is outside 0.." +
                        std::to_string(used.size() - 1));
        if (used[static_cast<std::size_t>(node)])
            throw Error("node " + std::to_string(node) + " is in two jobs, or twice in one");
        used[static_cast<std::size_t>(node)] = true;
    }
}

}  // namespace

Background::Pattern pattern_named(const std::string& name) {
    if (name == "uniform") return Background::Pattern::uniform;
    if (name == "permutation") return Background::Pattern::permutation;
    if (name == "alltoall") return Background::Pattern::alltoall;
    throw Error("background traffic '" + shown(name) +
                "' is not one of uniform, permutation, alltoall");
}

Background::Aggressor aggressor_named(const std::string& name) {
    if (name == "none") return Background::Aggressor::none;
    if (name == "incast") return Background::Aggressor::incast;
    if (name == "alltoall") return Background::Aggressor::alltoall;
    throw Error("aggressor '" + shown(name) + "' is not one of incast, alltoall");
}

OtherCalls::OtherCalls(Program of, std::vector<int> on, double of_bytes, double every)
    : program(std::move(of)), nodes(std::move(on)), bytes(of_bytes), period(every) {
    if (static_cast<std::size_t>(program.ranks()) != nodes.size() || nodes.size() < 2)
        throw Error("another job's " + std::to_string(program.ranks()) + " ranks are on " +
                    std::to_string(nodes.size()) + " nodes; each of 2 or more has one");
    if (!(period > 0 && bytes >= 0))
        throw Error("another job's calls have a period above 0 s and 0 bytes or more");
}

bool Background::none() const {
    const bool alone = !jobs.empty() && std::all_of(jobs.begin(), jobs.end(),
                                                    [](const auto& job) { return job.size() < 2; });
    return (share == 0 || alone) && aggressor == Aggressor::none && !called();
}

Traffic::Traffic(const Background& b, const std::vector<bool>& used, int cards, std::uint64_t seed)
    : b_(b), cards_(static_cast<std::size_t>(cards)), random_(seed ^ 0x9e3779b97f4a7c15ULL) {
    if (!(b.share >= 0 && b.share <= 1)) throw Error("background traffic has a share of 0 to 1");
    std::vector<bool> occupied = used;
    for (const std::vector<int>& one : b.jobs) occupy(occupied, one);
    if (b.calls) occupy(occupied, b.calls->nodes);
    std::vector<int> idle;
    for (std::size_t n = 0; n < used.size(); ++n)
        if (!occupied[n]) idle.push_back(static_cast<int>(n));
    shuffle(idle, random_);
    if (b.aggressor != Background::Aggressor::none)
        add_aggressor(idle, std::count(used.begin(), used.end(), true), used.size());
    if (b.share == 0) return;
    for (std::vector<int> one : b.jobs) {
        shuffle(one, random_);
        if (one.size() > 1) add(one, false);
    }
    if (!b.jobs.empty()) return;
    if (idle.size() < 2)
        throw Error("background traffic needs 2 nodes at least that no one uses; " +
                    std::to_string(idle.size()) + " of " + std::to_string(used.size()) +
                    " are left");
    add(idle, false);
}

void Traffic::add_aggressor(std::vector<int>& idle, std::ptrdiff_t job, std::size_t nodes) {
    const auto free = static_cast<std::ptrdiff_t>(idle.size());
    const bool background = b_.share > 0 && b_.jobs.empty();
    const std::ptrdiff_t taken =
        b_.nodes > 0 ? b_.nodes : std::min(job, background ? free - 2 : free);
    if (taken < 2 || taken > free)
        throw Error("an aggressor of " + std::to_string(std::max<std::ptrdiff_t>(taken, b_.nodes)) +
                    " nodes needs 2 at least, and " +
                    (b_.jobs.empty() ? "the job leaves " : "jobs leave ") + std::to_string(free) +
                    " of " + std::to_string(nodes));
    add({idle.begin(), idle.begin() + taken}, true);
    idle.erase(idle.begin(), idle.begin() + taken);
}

void Traffic::add(const std::vector<int>& nodes, bool aggressor) {
    const std::size_t first = ends_.size(), count = nodes.size() * cards_;
    for (int n : nodes)
        for (std::size_t c = 0; c < cards_; ++c)
            ends_.push_back(n * static_cast<int>(cards_) + static_cast<int>(c));
    if (aggressor) aggressors_ = count;
    const bool incast = aggressor && b_.aggressor == Background::Aggressor::incast;
    // Nodes are in a random order: each to the next is a random permutation.
    for (std::size_t i = incast ? cards_ : 0; i < count; ++i)
        senders_.push_back({.at = ends_[first + i],
                            .aggressor = aggressor,
                            .own = i,
                            .first = first,
                            .count = count});
}

int Traffic::after(const Sender& s, std::size_t turn) const {
    const std::size_t card = s.own % cards_, others = s.count - cards_;
    return ends_[s.first + (s.own - card + cards_ + (turn + card) % others) % s.count];
}

int Traffic::next(Sender& s) {
    const unsigned turn = s.turn++;
    if (s.aggressor && b_.aggressor == Background::Aggressor::incast)
        return ends_[s.first + turn % cards_];
    if (s.aggressor || b_.pattern == Background::Pattern::alltoall) return after(s, turn);
    if (b_.pattern == Background::Pattern::permutation) return after(s, 0);
    const int cards = static_cast<int>(cards_);
    for (;;)
        if (const int to = ends_[s.first + random_() % s.count]; to / cards != s.at / cards)
            return to;
}

double Traffic::gap(const Sender& s) {
    if (s.aggressor) return 1;
    const double u = static_cast<double>((random_() >> 11) + 1) * 0x1p-53;
    return -std::log(u) / b_.share;
}

double Traffic::warm_up() const {
    if (senders_.empty()) return 0;
    const double each = kWarmUp / (b_.share > 0 ? b_.share : 1);
    if (b_.aggressor != Background::Aggressor::incast) return each;
    return std::max(each, static_cast<double>(kWindow * aggressors_) / static_cast<double>(cards_));
}

}  // namespace hopbine::simulation
