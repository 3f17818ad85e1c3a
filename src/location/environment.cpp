#include "location/environment.hpp"

namespace hopbine::location {

Environment environment_of(const char* const* entries, bool (*wanted)(std::string_view)) {
    Environment out;
    for (; *entries; ++entries) {
        const std::string_view entry = *entries;
        const std::size_t equals = entry.find('=', 1);
        if (equals == entry.npos) continue;
        const std::string_view name = entry.substr(0, equals);
        if (!wanted || wanted(name)) out.emplace(name, entry.substr(equals + 1));
    }
    return out;
}

std::vector<std::string> entries_of(const Environment& environment) {
    std::vector<std::string> out;
    out.reserve(environment.size());
    for (const auto& [name, value] : environment) out.push_back(name + "=" + value);
    return out;
}

const std::string& value_of(const Environment& environment, std::string_view name) {
    static const std::string none;
    const auto found = environment.find(name);
    return found == environment.end() ? none : found->second;
}

bool is_hopbines(std::string_view variable) {
    return variable.starts_with("HOPBINE_") ||
           variable.substr(0, variable.find('=')) == "LD_PRELOAD";
}

}  // namespace hopbine::location
