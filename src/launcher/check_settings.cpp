#include <algorithm>
#include <cstring>

#include "launcher/settings.hpp"
#include "launcher/text.hpp"
#include "schedule/bounds.hpp"
#include "schedule/near_names.hpp"
#include "schedule/problem.hpp"

namespace hopbine::launcher {

namespace {

constexpr const char* kPrefix = "HOPBINE_";

void check_name(const std::string& name) {
    if (!name.starts_with(kPrefix) || setting_named(name)) return;
    const auto& internal = internal_names();
    if (std::any_of(internal.begin(), internal.end(),
                    [&](const char* own) { return name.starts_with(own); }))
        return;
    std::vector<std::string> known;
    for (const Setting& s : settings()) known.push_back(s.name + std::strlen(kPrefix));
    const std::string near = nearest(name.substr(std::strlen(kPrefix)), known);
    throw Error(shown(name) + " is set, but hopbine has no such setting" +
                (near.empty() ? " (hopbine info lists them); unset it"
                              : std::string("; is ") + kPrefix + near + " meant?"));
}

/// "measure, count or table".
std::string listed(const std::vector<const char*>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i)
        out += std::string(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return out;
}

void check_value(const Setting& s, const std::string& value, const std::string& source) {
    if (!is_utf8(value)) throw Error(source + " is not UTF-8 text");
    const auto is_value = [&](const char* word) { return value == word; };
    if (!value.empty() && !s.allowed.empty() &&
        std::none_of(s.allowed.begin(), s.allowed.end(), is_value))
        throw Error(source + " is '" + shown(value) + "', not " + listed(s.allowed));
}

}  // namespace

std::string source_of(const std::string& setting, const Environment& sources) {
    const std::string& option = value_of(sources, setting);
    return option.empty() ? setting : option;
}

void check_settings(const Environment& environment, const Environment& sources) {
    for (const auto& entry : environment) check_name(entry.first);
    for (const Setting& s : settings())
        check_value(s, value_of(environment, s.name), source_of(s.name, sources));
}

}  // namespace hopbine::launcher
