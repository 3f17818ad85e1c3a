#include "mpi/state/arrival.hpp"

#include <cmath>

#include "mpi/state/communicator.hpp"
#include "mpi/state/world.hpp"

namespace hopbine::mpi {

namespace {

/// Whether every rank needs something of every other, where there are data.
bool all_need_all(const Call& c) {
    return !c.among_neighbors && !spec(c.collective).rooted() && !spec(c.collective).prefix();
}

/// Whether this rank needs something of every other.
bool needs_all(const Call& c, int rank, int size) {
    if (!spec(c.collective).has_data()) return true;
    if (!c.counts) return c.recv_count > 0;
    if (c.collective == Collective::reduce_scatter) return c.counts[rank] > 0;
    for (int r = 0; r < size; ++r)
        if (c.counts[r] <= 0) return false;
    return true;
}

/// Where calls of a communicator are kept; null: they are not.
Arrivals* kept_at(Communicator& state) {
    if (!state.arrivals) state.arrivals = arrivals_of(state.members(), state.rank);
    return *state.arrivals;
}

float seconds(std::int64_t nanoseconds) { return static_cast<float>(nanoseconds) * 1e-9F; }

}  // namespace

void Arrival::come(const Call& c) {
    here_ = passed_ = false;
    if (!World::alive() || c.comm == MPI_COMM_NULL) return;
    Communicator* const state = Communicator::of(c.comm);
    if (!state || state->unusable()) return;
    arrivals_ = kept_at(*state);
    counts_ = all_need_all(c);
    meets_ = counts_ && needs_all(c, state->rank, state->size);
    came_ = now();
    known_ &= left_ != 0;
    if (left_) outside_ += came_ - left_;
    left_ = 0;
    here_ = true;
}

void Arrival::leave(bool happened) {
    if (!here_) return;
    here_ = passed_ = false;
    left_ = now();
    if (!counts_ || !happened) return;
    static const std::int64_t first = came_;
    if (arrivals_)
        arrivals_->add(this, {meets_ && known_ ? seconds(left_ - came_) : NAN, seconds(outside_),
                              seconds(came_ - first)});
    if (!meets_) return;
    outside_ = 0;
    known_ = true;
}

}  // namespace hopbine::mpi
