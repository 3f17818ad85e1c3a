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

}  // namespace

std::optional<int> world_rank(const Environment& environment) {
    const std::span<const char* const> names(hopbine_rank_names);
    // Slurm, the last of these, gives a rank to batch scripts too, which are no step.
    const bool in_step = !value_of(environment, "SLURM_STEP_ID").empty();
    return told(environment, in_step ? names : names.first(names.size() - 1));
}

std::optional<int> world_size(const Environment& environment) {
    static constexpr const char* names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "FLUX_JOB_SIZE",
                                            "JSM_NAMESPACE_SIZE"};
    return told(environment, names);
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
