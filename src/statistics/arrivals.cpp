#include "statistics/arrivals.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "schedule/hash.hpp"
#include "statistics/arrivals_packed.hpp"
#include "statistics/rank_runs.hpp"

namespace hopbine::mpi {

namespace {

/// Communicators of other ranks each that a rank keeps calls of: 1 MiB of them.
constexpr std::size_t kCommunicators = 64;
/// Times of calls that are gathered on rank 0: 32 MiB of them.
constexpr std::size_t kGathered = (32 << 20) / (2 * sizeof(float));

std::mutex all_lock;
std::map<std::uint64_t, Arrivals>& all() {
    static auto& found = *new std::map<std::uint64_t, Arrivals>;
    return found;
}

}  // namespace

/// The last step of SplitMix64.
std::uint32_t Arrivals::draw(std::uint64_t call) {
    std::uint64_t z = (call + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

void Arrivals::thin(std::vector<Kept>& kept, std::uint32_t& limit, std::size_t most) {
    while (kept.size() > most && limit > 0) {
        limit /= 2;
        std::erase_if(kept, [&](const Kept& one) { return one.draw > limit; });
    }
}

void Arrivals::add(const void* thread, const CallTimes& times) {
    const std::lock_guard hold(all_lock);  // threads may use communicators of the same ranks
    if (!thread_) thread_ = thread;
    mixed_ |= thread_ != thread;
    if (mixed_) return;
    const std::uint32_t drawn = draw(calls_++);
    if (drawn > limit_) return;
    kept_.push_back({drawn, times});
    thin(kept_, limit_, kKept);
}

std::string Arrivals::packed(std::size_t most) const {
    std::vector<Kept> kept = kept_;
    std::uint32_t limit = limit_;
    thin(kept, limit, most);
    const PackedArrivals header{.key = key_,
                                .calls = calls_,
                                .rank = static_cast<std::uint32_t>(rank_),
                                .size = static_cast<std::uint32_t>(size_),
                                .kept = static_cast<std::uint32_t>(kept.size()),
                                .ranks = static_cast<std::uint32_t>(ranks_.size()),
                                .mixed = mixed_};
    std::string out;
    append(out, &header, sizeof header);
    for (const auto of : {&CallTimes::inside, &CallTimes::outside, &CallTimes::begun})
        if (of != &CallTimes::begun || rank_ == 0)
            for (const Kept& one : kept) append(out, &(one.times.*of), sizeof(float));
    return out + ranks_;
}

Arrivals* arrivals_of(std::span<const int> members, int rank) {
    const std::uint64_t key =
        fnv1a({reinterpret_cast<const char*>(members.data()), members.size_bytes()});
    const std::lock_guard hold(all_lock);
    if (const auto at = all().find(key); at != all().end()) return &at->second;
    if (all().size() == kCommunicators) return nullptr;
    return &all()
                .try_emplace(key, key, rank, static_cast<int>(members.size()),
                             rank == 0 ? rank_runs(members) : "")
                .first->second;
}

std::size_t arrivals_here() { return all().size(); }

std::string packed_arrivals(std::size_t most) {
    std::string out;
    for (const auto& [key, one] : all()) out += one.packed(most);
    return out;
}

std::size_t most_gathered(std::size_t ranks, std::size_t communicators) {
    return std::clamp<std::size_t>(kGathered / ranks / std::max<std::size_t>(1, communicators), 1,
                                   kKept);
}

}  // namespace hopbine::mpi
