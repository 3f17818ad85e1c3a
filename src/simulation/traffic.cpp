#include "simulation/traffic.hpp"

#include <algorithm>
#include <cmath>

#include "schedule/bounds.hpp"
#include "schedule/problem.hpp"

namespace hopbine::simulation {

namespace {

/// In a random order, the same with every C++ library.
template <typename T>
void shuffle(std::vector<T>& all, std::mt19937_64& random) {
    for (std::size_t i = 1; i < all.size(); ++i) std::swap(all[i], all[random() % (i + 1)]);
}

}  // namespace

Background::Pattern pattern_named(const std::string& name) {
    if (name == "uniform") return Background::Pattern::uniform;
    if (name == "permutation") return Background::Pattern::permutation;
    throw Error("background traffic '" + shown(name) + "' is not one of uniform, permutation");
}

Background::Aggressor aggressor_named(const std::string& name) {
    if (name == "none") return Background::Aggressor::none;
    if (name == "incast") return Background::Aggressor::incast;
    if (name == "alltoall") return Background::Aggressor::alltoall;
    throw Error("aggressor '" + shown(name) + "' is not one of incast, alltoall");
}

Traffic::Traffic(const Background& b, const std::vector<bool>& used, int cards, std::uint64_t seed)
    : b_(b), cards_(cards), random_(seed ^ 0x9e3779b97f4a7c15ULL) {
    if (!(b.share >= 0 && b.share <= 1)) throw Error("background traffic has a share of 0 to 1");
    std::vector<int> idle;
    for (std::size_t n = 0; n < used.size(); ++n)
        if (!used[n]) idle.push_back(static_cast<int>(n));
    const int free = static_cast<int>(idle.size()), job = static_cast<int>(used.size()) - free;
    shuffle(idle, random_);
    int taken = 0;
    if (b.aggressor != Background::Aggressor::none) {
        taken = b.nodes > 0 ? b.nodes : std::min(job, b.share > 0 ? free - 2 : free);
        if (taken < 2 || taken > free)
            throw Error("an aggressor of " + std::to_string(std::max(taken, b.nodes)) +
                        " nodes needs 2 at least, and the job leaves " + std::to_string(free) +
                        " of " + std::to_string(used.size()));
        add({idle.begin(), idle.begin() + taken}, true);
    }
    if (b.share == 0) return;
    if (free - taken < 2)
        throw Error("background traffic needs 2 nodes at least that no one uses; " +
                    std::to_string(free - taken) + " of " + std::to_string(used.size()) +
                    " are left");
    add({idle.begin() + taken, idle.end()}, false);
}

void Traffic::add(const std::vector<int>& nodes, bool aggressor) {
    std::vector<int>& all = aggressor ? aggressors_ : others_;
    for (int n : nodes)
        for (int c = 0; c < cards_; ++c) all.push_back(n * cards_ + c);
    const bool incast = aggressor && b_.aggressor == Background::Aggressor::incast;
    const auto each = static_cast<std::size_t>(cards_);
    // Nodes are in a random order: each to the next is a random permutation.
    for (std::size_t i = incast ? each : 0; i < all.size(); ++i)
        senders_.push_back({.at = all[i], .aggressor = aggressor, .to = (i + each) % all.size()});
}

int Traffic::next(Sender& s) {
    const unsigned turn = s.turn++;
    if (s.aggressor) {
        const std::size_t n = aggressors_.size();
        if (b_.aggressor == Background::Aggressor::incast)
            return aggressors_[turn % static_cast<unsigned>(cards_)];
        // to all but itself, which comes `cards` before the first
        return aggressors_[(s.to + turn % (n - static_cast<unsigned>(cards_))) % n];
    }
    if (b_.pattern == Background::Pattern::permutation) return others_[s.to];
    for (;;)
        if (const int to = others_[random_() % others_.size()]; to != s.at) return to;
}

double Traffic::gap(const Sender& s) {
    if (s.aggressor) return 1;
    const double u = static_cast<double>((random_() >> 11) + 1) * 0x1p-53;
    return -std::log(u) / b_.share;
}

double Traffic::warm_up() const {
    const double each = kWarmUp / (b_.share > 0 ? b_.share : 1);
    if (b_.aggressor != Background::Aggressor::incast) return each;
    return std::max(
        each, static_cast<double>(kWindow) * static_cast<double>(aggressors_.size()) / cards_);
}

}  // namespace hopbine::simulation
