#include "launcher/rank.hpp"

#include <unistd.h>

#include <charconv>

#include "launcher/text.hpp"
#include "preload/rank_names.h"
#include "preload/slurm_node.h"

namespace hopbine::launcher {

namespace {

template <class Names>
std::optional<int> told(const Environment& environment, const Names& names) {
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

const char* variable(const char* name, const void* environment) {
    return value_of(*static_cast<const Environment*>(environment), name).c_str();
}

}  // namespace

bool is_of_other_launcher(const Environment& environment) {
    return hopbine_is_of_other_launcher(variable, &environment);
}

std::optional<int> world_rank(const Environment& environment) {
    return told(environment, hopbine_rank_names);
}

std::optional<int> world_size(const Environment& environment) {
    static constexpr const char* names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "FLUX_JOB_SIZE",
                                            "JSM_NAMESPACE_SIZE"};
    return told(environment, names);
}

std::string node_name(const Environment& environment) {
    const std::string& given = value_of(environment, "HOPBINE_NODE");
    if (!given.empty()) return given;
    if (const char* node = hopbine_slurm_node(variable, &environment)) return node;
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
