/// What was decided on calls before, found again by the arguments of a call.
///
/// Programs make the same calls in loops. To examine the arguments of one takes as long as a short
/// call of the MPI library.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "mpi/arguments/arguments.hpp"
#include "mpi/arguments/refusal.hpp"
#include "mpi/entry/known_counts.hpp"

namespace hopbine::mpi {

/// The arguments of a call, in one form of calls, but for its buffers, of which it has whether they
/// are MPI_IN_PLACE; or the collective and the communicator alone, where the others do not matter.
/// Its tests are inlined where a call is described: there its form and most of its members are
/// constants.
class RouteKey {
public:
    RouteKey() = default;
    /// The key of an examined call; none where its arguments do not tell what is decided. Handles
    /// of datatypes and operations that the program has made do until it frees one. Larger counts
    /// than a key has room for are of calls so long that none needs to be known.
    static std::optional<RouteKey> of(const Call& c, Form form, const Communicator& state,
                                      const Arguments& known) {
        return c.counts ? std::nullopt : but_for_counts(c, form, state, known);
    }
    /// of() for a call that may have counts in an array, which the key does not tell.
    static std::optional<RouteKey> but_for_counts(const Call& c, Form form,
                                                  const Communicator& state,
                                                  const Arguments& known) {
        if (c.varies || c.among_neighbors || !std::in_range<Count>(c.send_count) ||
            !std::in_range<Count>(c.recv_count))
            return {};
        const auto made = [](const Type& t) { return t.handle != MPI_DATATYPE_NULL && !t.named; };
        const bool of_handles = made(known.send) || made(known.recv) ||
                                (reduces(c.collective) && !state.reduction().predefined);
        RouteKey out(c, function_of(c, form) | in_place(c) | (of_handles ? kOfHandles : 0),
                     c.send_count, c.recv_count, c.root);
        out.buffers = {c, state.rank, known};
        out.send_type_ = c.send_type;
        out.recv_type_ = c.recv_type;
        out.op_ = c.op;
        return out;
    }
    /// Any call of this collective on this communicator.
    static RouteKey of_all(const Call& c, Form form) {
        return {c, function_of(c, form) | kAll, 0, 0, 0};
    }

    [[gnu::always_inline]] bool is(const Call& c, Form form) const {
        return (kind_ & ~kOfHandles) == (function_of(c, form) | in_place(c)) && comm_ == c.comm &&
               recv_count_ == c.recv_count && send_count_ == c.send_count &&
               recv_type_ == c.recv_type && send_type_ == c.send_type && op_ == c.op &&
               root_ == c.root && holds();
    }
    [[gnu::always_inline]] bool is_of_all(const Call& c, Form form) const {
        return kind_ == (function_of(c, form) | kAll) && comm_ == c.comm && holds();
    }

    /// What no rank refuses, where it holds of the call: a refused call is not counted.
    PlainBuffers buffers{};

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
    using Count = std::uint32_t;
    static constexpr unsigned kAll = 1u << 31;
    /// It holds until the program frees a datatype or an operation: the handle may come to mean
    /// another.
    static constexpr unsigned kOfHandles = 1u << 30;
    /// What distinguishes functions of MPI, as bits; not 0.
    [[gnu::always_inline]] static unsigned function_of(const Call& c, Form form) {
        return 1u | static_cast<unsigned>(form) << 1 | unsigned{c.among_neighbors} << 3 |
               unsigned{c.varies} << 4 | unsigned{static_cast<bool>(c.counts)} << 5 |
               static_cast<unsigned>(c.collective) << 8;
    }
    [[gnu::always_inline]] static unsigned in_place(const Call& c) {
        return unsigned{c.send == MPI_IN_PLACE} << 6 | unsigned{c.recv == MPI_IN_PLACE} << 7;
    }
    [[gnu::always_inline]] static std::uint64_t base(const Call& c, Form form) {
        return function_of(c, form) * 0x9E3779B97F4A7C15u +
               static_cast<std::uint64_t>(std::hash<MPI_Comm>()(c.comm)) * 0xD1B54A32D192ED03u;
    }
    RouteKey(const Call& c, unsigned kind, std::int64_t send_count, std::int64_t recv_count,
             int root)
        : kind_(kind),
          generation_(generation(kind)),
          root_(root),
          comm_(c.comm),
          send_count_(static_cast<Count>(send_count)),
          recv_count_(static_cast<Count>(recv_count)) {}
    [[gnu::always_inline]] static unsigned generation(unsigned kind) {
        return kind & kOfHandles ? Communicator::generation_of_handles : Communicator::generation;
    }
    [[gnu::always_inline]] bool holds() const { return generation_ == generation(kind_); }

    unsigned kind_ = 0, generation_ = 0;
    int root_ = 0;
    MPI_Comm comm_{};
    Count send_count_ = 0, recv_count_ = 0;
    MPI_Datatype send_type_{}, recv_type_{};
    MPI_Op op_{};
};

/// The last decisions. Four share a place: of 224 kinds that a program calls in turns one in
/// fourteen was never found in 512 places for two, one in eighty is not in 256 for four. `Known`
/// has a RouteKey, `key`, and may have expect(), which prefetches what it leads to, and holds(),
/// which asks more of a call with such arguments than PlainBuffers.
///
/// Between two calls of a program, other data evicts this from the processor's cache. A call then
/// takes as long as the lines that are loaded again, 100 ns each where ranks share cores
/// (docs/choice.md). So hashes lie together, where what is not there is seen, and a decision has a
/// line of its own. Programs make their calls in the same order again: those of the next calls are
/// prefetched.
template <class Known, std::size_t kPlaces>
class RouteCache {
public:
    /// Null: the call is not known.
    [[gnu::always_inline]] const Known* find(const Call& c, Form form) {
        return find_at<&RouteCache::is>(RouteKey::hash(c, form), c, form);
    }
    /// The decision on all calls of the collective on the communicator.
    [[gnu::always_inline]] const Known* find_of_all(const Call& c, Form form) {
        return find_at<&RouteCache::is_of_all>(RouteKey::hash_of_all(c, form), c, form);
    }
    /// Keeps a decision in the place of an older one.
    void keep(const Call& c, Form form, const Known& known) {
        keep_at<&RouteCache::is>(RouteKey::hash(c, form), known, c, form);
    }
    void keep_of_all(const Call& c, Form form, const Known& known) {
        keep_at<&RouteCache::is_of_all>(RouteKey::hash_of_all(c, form), known, c, form);
    }

private:
    static constexpr std::size_t kWays = 4;
    using Index = std::uint16_t;
    static_assert(kPlaces * kWays - 1 <= std::numeric_limits<Index>::max());
    struct alignas(32) Place {
        std::array<std::uint32_t, kWays> hashes{};
        std::array<Index, kWays> next{};
        unsigned oldest = 0;  ///< decision, whose place the next new one takes
    };

    [[gnu::always_inline]] static bool is(const Known& known, const Call& c, Form form) {
        if (!known.key.is(c, form)) return false;
        if constexpr (requires { known.holds(c); })
            return known.holds(c);
        else
            return known.key.buffers.hold(c);
    }
    [[gnu::always_inline]] static bool is_of_all(const Known& known, const Call& c, Form form) {
        return known.key.is_of_all(c, form);
    }
    template <auto kIs>
    [[gnu::always_inline]] const Known* find_at(std::uint32_t hash, const Call& c, Form form) {
        const std::size_t place = hash % kPlaces;
        for (std::size_t i = 0; i < kWays; ++i) {
            const std::size_t at = place * kWays + i;
            if (places_[place].hashes[i] == hash && kIs(known_[at], c, form)) {
                expect_after(at);
                return &known_[at];
            }
        }
        return nullptr;
    }
    /// Which decision came after that one the last time.
    [[gnu::always_inline]] Index& next(std::size_t at) {
        return places_[at / kWays].next[at % kWays];
    }
    /// Prefetches what the second call after this one needs, and what the decision on the first
    /// one leads to: the call before has prefetched that decision.
    [[gnu::always_inline]] void expect_after(std::size_t at) {
        if (next(last_) != at) next(last_) = static_cast<Index>(at);
        last_ = static_cast<Index>(at);
        const Index first = next(at), second = next(first);
        __builtin_prefetch(&places_[second / kWays]);
        __builtin_prefetch(&known_[second]);
        if constexpr (requires { known_[first].expect(); }) known_[first].expect();
    }
    /// In the place of the same call's, else of the oldest one.
    template <auto kIs>
    void keep_at(std::uint32_t hash, const Known& known, const Call& c, Form form) {
        Place& place = places_[hash % kPlaces];
        Known* const all = &known_[hash % kPlaces * kWays];
        std::size_t i = 0;
        while (i < kWays && !(place.hashes[i] == hash && kIs(all[i], c, form))) ++i;
        if (i == kWays) i = place.oldest++ % kWays;
        place.hashes[i] = hash;
        all[i] = known;
    }

    std::array<Place, kPlaces> places_{};
    Index last_ = 0;  ///< the decision on the last call
    std::array<Known, kPlaces * kWays> known_{};
};

/// Calls that the MPI library serves. In a line of the processor's cache.
struct alignas(64) PassedRoute {
    RouteKey key;
    MeasuredKind* measured = nullptr;  ///< that the call is of; null: none
    [[gnu::always_inline]] void expect() const {
        if (measured) __builtin_prefetch(&measured->quiet, 1);
    }
};
static_assert(sizeof(PassedRoute) == 64);

/// A call that is passed on and has its counts in an array. Other counts with as many bytes, up to
/// a power of two, are of the same kind.
struct CountedRoute : PassedRoute {
    KnownCounts counts;
    [[gnu::always_inline]] bool holds(const Call& c) const {
        return key.buffers.given(c) && counts.hold(c, key.buffers.both());
    }
};

}  // namespace hopbine::mpi
