#include "select/link_costs.hpp"

#include <charconv>
#include <utility>

#include "schedule/bounds.hpp"
#include "schedule/near_names.hpp"
#include "schedule/parts_of.hpp"
#include "schedule/problem.hpp"

namespace hopbine::select {

namespace {
constexpr double kLeast = 1e-18,
                 kMost = 1e18;  // s and B/s; keeps products and quotients finite
constexpr std::pair<const char*, double LinkCosts::*> kFields[] = {
    {"node_bandwidth", &LinkCosts::node_bandwidth},
    {"taper", &LinkCosts::taper},
    {"rank_bandwidth", &LinkCosts::rank_bandwidth},
    {"cards", &LinkCosts::cards},
    {"port_bandwidth", &LinkCosts::port_bandwidth},
    {"memory_bandwidth", &LinkCosts::memory_bandwidth},
    {"reduce_bandwidth", &LinkCosts::reduce_bandwidth},
    {"node_latency", &LinkCosts::node_latency},
    {"local_latency", &LinkCosts::local_latency},
    {"global_latency", &LinkCosts::global_latency},
    {"hop_latency", &LinkCosts::hop_latency},
    {"overhead", &LinkCosts::overhead},
    {"port_overhead", &LinkCosts::port_overhead},
    {"pack", &LinkCosts::pack},
    {"rendezvous", &LinkCosts::rendezvous}};
}  // namespace

std::string link_cost_keys() {
    std::vector<std::string> names;
    for (const auto& field : kFields) names.emplace_back(field.first);
    return listed(names);
}

std::map<std::string, double> values(const LinkCosts& costs) {
    std::map<std::string, double> out;
    for (const auto& [key, at] : kFields) out.emplace(key, costs.*at);
    return out;
}

LinkCosts parse_link_costs(const std::string& text, const std::string& source) {
    if (text.size() > kMostSettingBytes)
        throw Error(source + ": '" + shown(text) + "' is longer than " +
                    std::to_string(kMostSettingBytes) + " bytes");
    LinkCosts out;
    for (const std::string& part : parts_of(text, ':')) {
        const auto equals = part.find('=');
        const std::string key = part.substr(0, equals);
        double LinkCosts::* field = nullptr;
        for (const auto& [name, at] : kFields)
            if (key == name) field = at;
        if (!field || equals == std::string::npos)
            throw Error(source + ": '" + shown(part) + "' is not KEY=NUMBER with a key of " +
                        link_cost_keys());
        const char *begin = part.data() + equals + 1, *end = part.data() + part.size();
        double value = 0;
        const auto [stop, wrong] = std::from_chars(begin, end, value);
        if (wrong != std::errc() || stop != end || !(value >= kLeast && value <= kMost))
            throw Error(source + ": '" + shown(part) +
                        "' needs a number above 0, from 1e-18 to 1e18");
        out.*field = value;
    }
    return out;
}

}  // namespace hopbine::select
