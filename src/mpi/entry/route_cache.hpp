/// What was decided on calls before, found again by the arguments of a call.
///
/// Programs make the same calls in loops. To examine the arguments of one takes as long as a short
/// call of the MPI library.
#pragma once
#include <algorithm>
#include <array>
#include <functional>

#include "mpi/arguments/arguments.hpp"
#include "mpi/arguments/refusal.hpp"

namespace hopbine::mpi {

/// The arguments of a call but for its buffers, in one form of calls; or the collective and the
/// communicator alone, where the others do not matter. Its tests are inlined where a call is
/// described: there its form and most of its members are constants.
class RouteKey {
public:
    RouteKey() = default;
    /// All arguments of a call.
    RouteKey(const Call& c, Form form)
        : RouteKey(c, kind_of(c, form), c.send_count, c.recv_count, c.root) {
        send_type_ = c.send_type;
        recv_type_ = c.recv_type;
        op_ = c.op;
    }
    /// Any call of this collective on this communicator.
    static RouteKey of_all(const Call& c, Form form) {
        return {c, kind_of(c, form) | kAll, 0, 0, 0};
    }
    /// Whether the arguments tell the call apart as long as the communicator lives: handles of
    /// derived datatypes and operations may come to mean others, and arrays of counts may change.
    static bool lasting(const Call& c, const Communicator& state, const Arguments& valid) {
        const auto lasts = [](const Type& t) { return t.handle == MPI_DATATYPE_NULL || t.named; };
        return !c.varies && !c.counts && !c.among_neighbors && lasts(valid.send) &&
               lasts(valid.recv) && (!reduces(c.collective) || state.reduction().predefined);
    }

    [[gnu::always_inline]] bool is(const Call& c, Form form) const {
        return kind_ == kind_of(c, form) && comm_ == c.comm && recv_count_ == c.recv_count &&
               send_count_ == c.send_count && recv_type_ == c.recv_type &&
               send_type_ == c.send_type && op_ == c.op && root_ == c.root && holds();
    }
    [[gnu::always_inline]] bool is_of_all(const Call& c, Form form) const {
        return kind_ == (kind_of(c, form) | kAll) && comm_ == c.comm && holds();
    }

    /// Numbers to find keys by.
    [[gnu::always_inline]] static std::uint32_t hash(const Call& c, Form form) {
        return static_cast<std::uint32_t>(
            (base(c, form) +
             static_cast<std::uint64_t>(c.recv_count + c.send_count) * 0x8CB92BA72F3D8DD7u) >>
            32);
    }
    [[gnu::always_inline]] static std::uint32_t hash_of_all(const Call& c, Form form) {
        return static_cast<std::uint32_t>(base(c, form) >> 32);
    }

private:
    static constexpr unsigned kAll = 1u << 31;
    /// What distinguishes functions of MPI, as bits; not 0.
    [[gnu::always_inline]] static unsigned kind_of(const Call& c, Form form) {
        return 1u | static_cast<unsigned>(form) << 1 | unsigned{c.among_neighbors} << 3 |
               unsigned{c.varies} << 4 | unsigned{static_cast<bool>(c.counts)} << 5 |
               static_cast<unsigned>(c.collective) << 8;
    }
    [[gnu::always_inline]] static std::uint64_t base(const Call& c, Form form) {
        return kind_of(c, form) * 0x9E3779B97F4A7C15u +
               static_cast<std::uint64_t>(std::hash<MPI_Comm>()(c.comm)) * 0xD1B54A32D192ED03u;
    }
    RouteKey(const Call& c, unsigned kind, std::int64_t send_count, std::int64_t recv_count,
             int root)
        : kind_(kind),
          generation_(Communicator::generation),
          comm_(c.comm),
          send_count_(send_count),
          recv_count_(recv_count),
          root_(root) {}
    [[gnu::always_inline]] bool holds() const { return generation_ == Communicator::generation; }

    unsigned kind_ = 0, generation_ = 0;
    MPI_Comm comm_{};
    std::int64_t send_count_ = 0, recv_count_ = 0;
    MPI_Datatype send_type_{}, recv_type_{};
    MPI_Op op_{};
    int root_ = 0;
};

/// The last decisions. Four share a place: of 224 kinds that a program calls in turns one in
/// fourteen was never found in 512 places for two, one in eighty is not in 256 for four.
/// `Known` has a RouteKey, `key`.
template <class Known, std::size_t kPlaces>
class RouteCache {
public:
    /// Null: the call is not known.
    [[gnu::always_inline]] const Known* find(const Call& c, Form form) const {
        return find_at(RouteKey::hash(c, form), [&](const RouteKey& k) { return k.is(c, form); });
    }
    /// The decision on all calls of the collective on the communicator.
    [[gnu::always_inline]] const Known* find_of_all(const Call& c, Form form) const {
        return find_at(RouteKey::hash_of_all(c, form),
                       [&](const RouteKey& k) { return k.is_of_all(c, form); });
    }
    /// Keeps a decision in the place of an older one.
    void keep(const Call& c, Form form, const Known& known) {
        keep_at(RouteKey::hash(c, form), known, [&](const RouteKey& k) { return k.is(c, form); });
    }
    void keep_of_all(const Call& c, Form form, const Known& known) {
        keep_at(RouteKey::hash_of_all(c, form), known,
                [&](const RouteKey& k) { return k.is_of_all(c, form); });
    }

private:
    static constexpr std::size_t kWays = 4;
    /// Hashes lie together, so that what is not there is seen in one line of the processor's cache.
    struct Place {
        std::array<std::uint32_t, kWays> hashes{};
        std::array<Known, kWays> known{};
    };

    template <class Is>
    [[gnu::always_inline]] const Known* find_at(std::uint32_t hash, const Is& is) const {
        const Place& place = places_[hash % kPlaces];
        for (std::size_t i = 0; i < kWays; ++i)
            if (place.hashes[i] == hash && is(place.known[i].key)) return &place.known[i];
        return nullptr;
    }
    /// In the place of the same call's, else of the oldest one.
    template <class Is>
    void keep_at(std::uint32_t hash, const Known& known, const Is& is) {
        Place& place = places_[hash % kPlaces];
        std::size_t i = 0;
        while (i < kWays && !is(place.known[i].key)) ++i;
        if (i == kWays) {
            std::shift_right(place.hashes.begin(), place.hashes.end(), 1);
            std::shift_right(place.known.begin(), place.known.end(), 1);
            i = 0;
        }
        place.hashes[i] = hash;
        place.known[i] = known;
    }

    std::array<Place, kPlaces> places_{};
};

/// Calls that the MPI library serves.
struct PassedRoute {
    RouteKey key;
    Learning* learning = nullptr;
    MeasuredKind* measured = nullptr;  ///< that the call is of; null: none
    PlainBuffers buffers{};            ///< that no rank refuses: a refused call is not counted
};

}  // namespace hopbine::mpi
