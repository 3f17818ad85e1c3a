/// The user's settings, read once from the environment. hopbine_select may override algorithms at
/// run time.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "select/account.hpp"
#include "select/cost_choice.hpp"
#include "select/learned_cache.hpp"
#include "select/rules.hpp"
#include "watch/setting.hpp"

namespace hopbine::mpi {

/// When rank 0 reports at the end what hopbine did.
enum class SummaryLine { automatic, always, never };

/// What serves calls on GPU memory (docs/device-memory.md).
enum class Gpu : std::uint8_t { automatic, direct, staged, pass };

struct Settings {
    select::Rules asked;                      ///< HOPBINE_ALGORITHM, or hopbine_select
    select::Rules file;                       ///< HOPBINE_RULES
    bool counts = true;                       ///< HOPBINE_CHOICE is not "table"
    bool measures = true;                     ///< HOPBINE_CHOICE is "measure"
    double patience = select::kPatience;      ///< HOPBINE_PATIENCE
    double budget = select::Account::kShare;  ///< HOPBINE_BUDGET
    select::LinkCosts network;                ///< HOPBINE_NETWORK
    std::vector<int> shape;                   ///< HOPBINE_SHAPE, empty: not given
    bool renumber = false;                    ///< HOPBINE_RENUMBER
    bool everywhere = false;                  ///< HOPBINE_EVERYWHERE: all ranks run under hopbine
    bool progress_thread = false;             ///< HOPBINE_PROGRESS is "thread"
    bool shared_memory = true;                ///< HOPBINE_SHARED_MEMORY is not "0"
    Gpu gpu = Gpu::automatic;                 ///< HOPBINE_GPU
    watch::Setting watch;                     ///< HOPBINE_WATCH
    bool exact_sums = false;                  ///< HOPBINE_SUMS is "exact"
    std::int64_t peers = 0;                   ///< HOPBINE_GPU_PEERS: bytes; 0: there are none
    SummaryLine summary = SummaryLine::automatic;  ///< HOPBINE_SUMMARY
    bool sites = false;                            ///< HOPBINE_SITES, where there are statistics
    std::string stats;                             ///< HOPBINE_STATS
    select::LearnedFile learned;                   ///< HOPBINE_LEARN, where calls are measured
    std::string
        broken;  ///< why the settings cannot be used; then the MPI library serves every call
    std::uint64_t hash = 0;  ///< of all settings that must be equal on all ranks
    int generation = 0;      ///< changes when the rules change
    /// Whether calls on GPU memory are served, by copies where nothing else can be.
    bool stages() const { return gpu != Gpu::pass; }
    /// Whether they were asked for: all ranks know it before any has such memory.
    bool asks_for_gpu() const { return gpu == Gpu::direct || gpu == Gpu::staged; }
    /// The user's rules, in order of precedence.
    std::vector<const select::Rules*> sources() const { return {&asked, &file}; }
};

/// The settings once they have been read. A call looks at them eight times: a function for each
/// look takes 130 of its 1,850 instructions. Released after they were read, acquired before they
/// are used.
inline constinit std::atomic<const Settings*> settings_read{nullptr};
const Settings& read_settings();
inline const Settings& settings() {
    const Settings* const s = settings_read.load(std::memory_order_acquire);
    return s ? *s : read_settings();
}
/// Replaces the rules of HOPBINE_ALGORITHM; null restores them. Throws Error.
void override_algorithms(const char* text);

/// What was found by the rules of now: empty again when they have changed.
template <class T>
class ByRules {
public:
    T& now() {
        if (generation_ != settings().generation) {
            value_ = T{};
            generation_ = settings().generation;
        }
        return value_;
    }

private:
    T value_{};
    int generation_ = -1;
};

}  // namespace hopbine::mpi
