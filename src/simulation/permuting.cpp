#include "simulation/permuting.hpp"

namespace hopbine::simulation {

Permuting::Permuting(const Program& p, const MessageCosts& costs, double bytes,
                     const Messages& first)
    : bytes_(bytes) {
    const Permutation how = p.permutation();
    all_ = how.runs > 0 ? static_cast<double>(how.runs) * costs.block + bytes * costs.copy : 0;
    if (all_ == 0) return;
    in_flight_ = how.in_flight;
    later_ = how.in_flight && !how.before && bytes > 0;
    if (!how.before && !how.in_flight) at_the_end_ = all_;
    if (how.before) before_.assign(static_cast<std::size_t>(p.ranks()), in_flight_ ? 0 : all_);
    if (!in_flight_) return;
    // After the first step the own block is there already.
    rest_.assign(static_cast<std::size_t>(p.ranks()), how.before ? all_ : all_ / p.ranks());
    for (std::size_t i = 0; how.before && i < first.all.size(); ++i) {
        const Message& m = first.all[i];
        const double sent = all_ * static_cast<double>(m.parts) / static_cast<double>(p.parts());
        before_[static_cast<std::size_t>(m.from)] += sent;
        rest_[static_cast<std::size_t>(m.from)] -= sent;
    }
    waiting_ = rest_;
}

double Permuting::before(int rank) const {
    return before_.empty() ? 0 : before_[static_cast<std::size_t>(rank)];
}

}  // namespace hopbine::simulation
