#include "location/environment.hpp"

namespace hopbine::location {

Environment environment_of(const char* const* entries) {
    Environment out;
    for (; *entries; ++entries) {
        const std::string entry = *entries;
        const std::size_t equals = entry.find('=', 1);
        if (equals != std::string::npos)
            out.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
    return out;
}

std::vector<std::string> entries_of(const Environment& environment) {
    std::vector<std::string> out;
    out.reserve(environment.size());
    for (const auto& [name, value] : environment) out.push_back(name + "=" + value);
    return out;
}

const std::string& value_of(const Environment& environment, const std::string& name) {
    static const std::string none;
    const auto found = environment.find(name);
    return found == environment.end() ? none : found->second;
}

bool is_hopbines(const std::string& variable) {
    return variable.starts_with("HOPBINE_") ||
           variable.substr(0, variable.find('=')) == "LD_PRELOAD";
}

}  // namespace hopbine::location
