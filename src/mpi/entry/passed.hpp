/// Calls that are passed on because the MPI library serves all calls of their kind.
///
/// A call with the same arguments, but for the buffers, is of the same kind. That saves their
/// validation, which takes as long as a short call.
#pragma once
#include <array>
#include <functional>

#include "mpi/arguments/arguments.hpp"
#include "mpi/arguments/refusal.hpp"

namespace hopbine::mpi {

/// The arguments of a call but for its buffers. Handles of derived datatypes and operations may
/// come to mean others, and arrays of counts may change: calls with these have no kind.
struct KindOfCall {
    bool known = false;
    Collective collective = Collective::bcast;
    int root = 0;
    MPI_Comm comm{};
    std::int64_t send_count = 0, recv_count = 0;
    MPI_Datatype send_type{}, recv_type{};
    MPI_Op op{};
    unsigned epoch = 0;

    KindOfCall() = default;
    KindOfCall(const Call& c, const Communicator& state, const Arguments& valid)
        : collective(c.collective),
          root(c.root),
          comm(c.comm),
          send_count(c.send_count),
          recv_count(c.recv_count),
          send_type(c.send_type),
          recv_type(c.recv_type),
          op(c.op),
          epoch(Communicator::epoch) {
        const auto lasting = [](const Type& t) { return t.handle == MPI_DATATYPE_NULL || t.named; };
        known = settings().stats.empty() && lasting(valid.send) && lasting(valid.recv) &&
                (!reduces(c.collective) || state.reduction().predefined);
    }
    bool holds(const Call& c) const {
        return known && comm == c.comm && collective == c.collective &&
               recv_count == c.recv_count && send_count == c.send_count &&
               recv_type == c.recv_type && send_type == c.send_type && op == c.op &&
               root == c.root && !c.varies && !c.counts && !c.among_neighbors &&
               epoch == Communicator::epoch;
    }
};

/// The last kinds of calls, two for each hash.
template <class Kind, std::size_t kSets>
class LastKinds {
public:
    /// Null: the call is of none.
    [[gnu::always_inline]] const Kind* find(const Call& c) const {
        const auto& set = kinds_[set_of(c)];
        return set[0].holds(c) ? &set[0] : set[1].holds(c) ? &set[1] : nullptr;
    }
    /// In the place of an older one.
    void set(const Call& c, const Kind& kind) {
        auto& set = kinds_[set_of(c)];
        if (!set[0].holds(c)) set[1] = set[0];
        set[0] = kind;
    }

private:
    static std::size_t set_of(const Call& c) {
        const auto mixed =
            (static_cast<std::uint64_t>(c.recv_count + c.send_count) * 16 +
             static_cast<std::uint64_t>(c.collective)) *
                0x9E3779B97F4A7C15u +
            static_cast<std::uint64_t>(std::hash<MPI_Comm>()(c.comm)) * 0xD1B54A32D192ED03u;
        return (mixed >> 32) % kSets;
    }
    std::array<std::array<Kind, 2>, kSets> kinds_{};
};

/// Blocking calls of one thread that the library serves, of kinds that are measured. They are
/// looked up before anything else is done.
class PassedCalls {
public:
    struct Kind : KindOfCall {
        Communicator* state = nullptr;
        MeasuredKind* measured = nullptr;
        PlainBuffers buffers;
    };
    [[gnu::always_inline]] const Kind* find(const Call& c) const {
        const Kind* const kind = kinds_.find(c);
        // One that a rank refuses is not counted.
        return kind && kind->buffers.hold(c) ? kind : nullptr;
    }
    /// Remembers a call that is passed on.
    void remember(const Call& c, Communicator& state, MeasuredKind& measured,
                  const Arguments& known) {
        kinds_.set(c, {{c, state, known}, &state, &measured, {c, state.rank, known}});
    }

private:
    LastKinds<Kind, 512> kinds_;
};

}  // namespace hopbine::mpi
