#include <numeric>

#include "mpi/alltoallv/nonuniform.hpp"
#include "mpi/execute/messages.hpp"

namespace hopbine::mpi {

namespace {

/// Sends sizes the way that the blocks will take.
class Telling {
public:
    Telling(const SizedSteps& plan, const Endpoint& at, Recalled& sizes)
        : plan_(plan), at_(at), sizes_(sizes), slots_(static_cast<std::size_t>(plan.slots)) {}

    int step(const SizedMessage* begin, const SizedMessage* end) {
        requests_.clear();
        for (const SizedMessage* l = begin; l != end; ++l)
            HOPBINE_TRY(l->direction == Direction::recv ? receive(*l) : send(*l));
        HOPBINE_TRY(PMPI_Waitall(static_cast<int>(requests_.size()), requests_.data(),
                                 MPI_STATUSES_IGNORE));
        for (const SizedMessage* l = begin; l != end; ++l)
            if (l->direction == Direction::recv) keep(*l);
        return MPI_SUCCESS;
    }

private:
    int receive(const SizedMessage& l) {
        return PMPI_Irecv(&sizes_.sizes[l.begin], static_cast<int>(l.end - l.begin), MPI_INT64_T,
                          at_.rank(l.peer), at_.own_tag(kDataChannel), at_.comm,
                          &requests_.emplace_back());
    }
    int send(const SizedMessage& l) {
        for (std::uint32_t i = l.begin; i < l.end; ++i) {
            const BlockRef& ref = plan_.blocks[i];
            sizes_.sizes[i] = ref.in_transit ? slots_[ref.slot()] : sizes_.own_size(ref);
        }
        return PMPI_Isend(&sizes_.sizes[l.begin], static_cast<int>(l.end - l.begin), MPI_INT64_T,
                          at_.rank(l.peer), at_.tag_of(l.peer, kDataChannel), at_.comm,
                          &requests_.emplace_back());
    }
    void keep(const SizedMessage& l) {
        for (std::uint32_t i = l.begin; i < l.end; ++i)
            if (plan_.blocks[i].in_transit) slots_[plan_.blocks[i].slot()] = sizes_.sizes[i];
    }

    const SizedSteps& plan_;
    const Endpoint& at_;
    Recalled& sizes_;
    std::vector<std::int64_t> slots_;  ///< sizes of the blocks in transit
    std::vector<MPI_Request> requests_;
};

/// Whether a block comes with another size than this rank's counts say.
bool mismatch(const SizedSteps& plan, const UserBlocks& recv, const Recalled& sizes) {
    for (const SizedMessage& l : plan.messages)
        for (std::uint32_t i = l.begin; l.direction == Direction::recv && i < l.end; ++i)
            if (const BlockRef& ref = plan.blocks[i];
                !ref.in_transit && recv.bytes(ref.at) != sizes.sizes[i])
                return true;
    return false;
}

int tell_sizes(const SizedSteps& plan, const UserBlocks& send, const UserBlocks& recv,
               const Endpoint& at, Recalled& sizes) {
    sizes = {};
    for (int b = 0; b < send.blocks(); ++b) sizes.own.push_back(send.bytes(b));
    sizes.sizes.resize(plan.blocks.size());
    Telling telling(plan, at, sizes);
    const SizedMessage* const all = plan.messages.data();
    HOPBINE_TRY(telling.step(all, all + plan.bounds[0]));
    for (std::size_t s = 0; s + 1 < plan.bounds.size(); ++s)
        HOPBINE_TRY(telling.step(all + plan.bounds[s], all + plan.bounds[s + 1]));
    for (const SizedMessage& l : plan.messages)
        sizes.lengths.push_back(std::accumulate(sizes.sizes.begin() + l.begin,
                                                sizes.sizes.begin() + l.end, std::int64_t{0}));
    if (mismatch(plan, recv, sizes)) return MPI_ERR_TRUNCATE;
    sizes.whole = sizes.fixed = true;
    return MPI_SUCCESS;
}

}  // namespace

int learn_sizes(const Plan& plan, const UserBlocks& send, const UserBlocks& recv, bool own_fits,
                const Endpoint& at, MPI_Comm comm, Recalled& sizes) {
    const int told = tell_sizes(plan.sized(), send, recv, at, sizes),
              mine = told == MPI_SUCCESS && !own_fits ? MPI_ERR_TRUNCATE : told;
    int any = MPI_SUCCESS;
    // All ranks return the error: a rank that continued would wait for ever.
    HOPBINE_TRY(PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm));
    return any;
}

}  // namespace hopbine::mpi
