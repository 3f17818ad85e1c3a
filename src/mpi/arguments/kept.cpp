#include "mpi/arguments/kept.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <tuple>

#include "mpi/state/passing.hpp"

namespace hopbine::mpi {

namespace {

/// Handles in use, and those of them that are to be freed.
template <class Handle>
class InUse {
public:
    void add(Handle handle) {
        const std::lock_guard hold(lock_);
        ++uses_[handle].calls;
        any_ = true;
    }
    /// Whether the handle is to be freed now.
    bool remove(Handle handle) {
        const std::lock_guard hold(lock_);
        const auto at = uses_.find(handle);
        if (--at->second.calls > 0) return false;
        const bool freed = at->second.freed;
        uses_.erase(at);
        any_ = !uses_.empty();
        return freed;
    }
    /// Puts off the freeing of a handle in use. False: it is not.
    bool put_off(Handle handle) {
        if (!any_) return false;
        const std::lock_guard hold(lock_);
        const auto at = uses_.find(handle);
        if (at == uses_.end() || at->second.freed) return false;
        return at->second.freed = true;
    }

private:
    struct Use {
        int calls = 0;
        bool freed = false;
    };
    std::mutex lock_;
    std::map<Handle, Use> uses_;
    /// Read without the lock: a thread that has the handle comes after the one that has added it.
    std::atomic<bool> any_{false};
};

InUse<MPI_Datatype> datatypes;
InUse<MPI_Op> operations;

}  // namespace

void KeptArrays::keep(Call& c, const Communicator& state) {
    const bool all = !c.varies || !rooted(c.collective) || state.rank == c.root,
               sends = all && c.send != MPI_IN_PLACE;
    const int in = c.received_blocks(state.size), out = c.sent_blocks(state.size);
    const std::tuple<Array*, bool, int> arrays[] = {{&c.counts, all, in},
                                                    {&c.displacements, all, in},
                                                    {&c.send_counts, sends, out},
                                                    {&c.send_displacements, sends, out}};
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const auto& [array, significant, length] = arrays[i];
        if (!*array || !significant) continue;
        numbers_[i].clear();
        for (int b = 0; b < length; ++b) numbers_[i].push_back((*array)[b]);
        *array = numbers_[i].data();
    }
}

void KeptHandles::keep(const Call& call, const Arguments& known, const Reduction& reduction) {
    const auto own = [](const Type& t) { return t.handle != MPI_DATATYPE_NULL && !t.named; };
    if (own(known.send)) datatypes.add(send_ = call.send_type);
    if (own(known.recv)) datatypes.add(recv_ = call.recv_type);
    if (reduces(call.collective) && !reduction.predefined) operations.add(op_ = call.op);
}

void KeptHandles::release() {
    for (MPI_Datatype* type : {&send_, &recv_}) {
        if (*type != MPI_DATATYPE_NULL && datatypes.remove(*type)) PMPI_Type_free(type);
        *type = MPI_DATATYPE_NULL;
    }
    if (op_ != MPI_OP_NULL && operations.remove(op_)) PMPI_Op_free(&op_);
    op_ = MPI_OP_NULL;
}

}  // namespace hopbine::mpi

using namespace hopbine::mpi;

extern "C" {

int hopbine_MPI_Type_free(MPI_Datatype* type) {
    ++Communicator::generation_of_handles;
    if (!type || !datatypes.put_off(*type)) return kPass;
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int hopbine_MPI_Op_free(MPI_Op* op) {
    ++Communicator::generation_of_handles;
    if (!op || !operations.put_off(*op)) return kPass;
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}
}
