#include "launcher/defaults.hpp"

#include <cerrno>
#include <cstring>

#include "launcher/settings.hpp"
#include "location/trimmed.hpp"
#include "schedule/bounds.hpp"
#include "schedule/parts_of.hpp"
#include "schedule/problem.hpp"
#include "select/cost_choice.hpp"
#include "select/link_costs.hpp"
#include "select/rules.hpp"
#include "watch/setting.hpp"

namespace hopbine::launcher {

namespace {

using location::trimmed;

constexpr std::size_t kMostLines = 1000;

/// Validates a line's value as far as that needs no other setting.
void check_line(const std::string& name, const std::string& value) {
    check_settings({{name, value}}, {});
    if (name == "HOPBINE_ALGORITHM") select::parse_algorithms(value, name);
    if (name == "HOPBINE_NETWORK") select::parse_link_costs(value, name);
    if (name == "HOPBINE_PATIENCE") select::parse_patience(value, name);
    if (name == "HOPBINE_BUDGET") select::parse_budget(value, name);
    if (name == "HOPBINE_WATCH") watch::parse_watch(value, name);
    if (name == "HOPBINE_GPU_PEERS") parse_bytes(value, name);
}

void read_line(const std::string& line, Environment& out) {
    const std::size_t equals = line.find('=');
    const std::string name(trimmed(line.substr(0, equals)));
    if (equals == std::string::npos || !setting_named(name)) {
        if (equals != std::string::npos) check_settings({{name, ""}}, {});  // may know a near name
        throw Error("'" + shown(line) + "' is not NAME=VALUE of a setting (hopbine info)");
    }
    const std::string value(trimmed(line.substr(equals + 1)));
    if (value.empty()) throw Error(name + " is empty");
    check_line(name, value);
    if (!out.emplace(name, value).second) throw Error(name + " is set a second time");
}

}  // namespace

std::vector<std::string> defaults_files(const std::string& folder) {
    const std::size_t slash = folder.rfind('/');
    const std::string prefix = slash == std::string::npos ? "" : folder.substr(0, slash);
    return {prefix + "/etc/hopbine.conf", "/etc/hopbine.conf"};
}

Defaults read_defaults(const std::vector<std::string>& files) {
    Defaults out;
    for (const std::string& file : files) {
        const std::optional<std::string> text = contents_of(file, kMostFileBytes);
        if (!text && (errno == ENOENT || errno == ENOTDIR)) continue;
        if (!text) throw Error(file + ": cannot be read: " + std::strerror(errno));
        out.file = file;
        std::size_t n = 0;
        for (const std::string& untrimmed : parts_of(*text, '\n')) {
            const std::string where = file + ":" + std::to_string(++n) + ": ";
            if (n > kMostLines)
                throw Error(where + "more lines than " + std::to_string(kMostLines));
            const std::string line(trimmed(untrimmed));
            if (line.empty() || line[0] == '#') continue;
            try {
                read_line(line, out.settings);
            } catch (const Error& e) {
                throw Error(where + e.what());
            }
        }
        break;
    }
    return out;
}

}  // namespace hopbine::launcher
