#include "launcher/rank.hpp"

#include <unistd.h>

#include <charconv>
#include <span>

#include "launcher/text.hpp"
#include "location/this_node.hpp"
#include "preload/rank_names.h"

namespace hopbine::launcher {

namespace {

std::optional<int> told(const Environment& environment, std::span<const char* const> names) {
    for (const char* name : names) {
        const auto found = environment.find(name);
        if (found == environment.end()) continue;
        const std::string& text = found->second;
        int number = 0;
        const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (wrong == std::errc() && number >= 0 && end == text.data() + text.size()) return number;
        return {};
    }
    return {};
}

/// The names without the last one, Slurm's, outside of a step: it tells batch scripts too.
std::span<const char* const> in_step(const Environment& environment,
                                     std::span<const char* const> names) {
    const bool step = !value_of(environment, "SLURM_STEP_ID").empty();
    return step ? names : names.first(names.size() - 1);
}

}  // namespace

std::optional<int> world_rank(const Environment& environment) {
    return told(environment, in_step(environment, hopbine_rank_names));
}

std::optional<int> world_size(const Environment& environment) {
    static constexpr const char* names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "FLUX_JOB_SIZE",
                                            "JSM_NAMESPACE_SIZE", "SLURM_STEP_NUM_TASKS"};
    return told(environment, in_step(environment, names));
}

std::string node_name(const Environment& environment) {
    if (const auto node = location::told_node(environment)) return *node;
    char name[256] = "";
    ::gethostname(name, sizeof name - 1);
    return name;
}

std::string message_of_rank(const Environment& environment, const std::string& what) {
    const std::optional<int> rank = world_rank(environment);
    if (!rank) return message_of_all(what);
    return message_of_all("rank " + std::to_string(*rank) + " on " + node_name(environment) + ": " +
                          what);
}

std::string message_of_all(const std::string& what) { return "hopbine: " + one_line(what); }

}  // namespace hopbine::launcher
