#include "select/network.hpp"

#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

#include "core/problem.hpp"

namespace hopbine::select {

namespace {
constexpr std::pair<const char*, double Network::*> kFields[] = {
    {"node_bandwidth", &Network::node_bandwidth}, {"taper", &Network::taper},
    {"memory_bandwidth", &Network::memory_bandwidth}, {"node_latency", &Network::node_latency},
    {"local_latency", &Network::local_latency}, {"global_latency", &Network::global_latency},
    {"overhead", &Network::overhead}};
}  // namespace

std::string network_keys() {
    std::string out;
    for (const auto& field : kFields) out += (out.empty() ? "" : ", ") + std::string(field.first);
    return out;
}

Network parse_network(const std::string& text, const std::string& source) {
    Network out;
    std::stringstream in(text);
    for (std::string part; std::getline(in, part, ':');) {
        const auto equals = part.find('=');
        const std::string key = part.substr(0, equals);
        double Network::*field = nullptr;
        for (const auto& [name, at] : kFields)
            if (key == name) field = at;
        if (!field || equals == std::string::npos) throw Error(source + ": '" + part + "' is not KEY=NUMBER with a key of " + network_keys());
        const char *begin = part.data() + equals + 1, *end = part.data() + part.size();
        double value = 0;
        if (std::from_chars(begin, end, value).ptr != end || begin == end || !std::isfinite(value) || value <= 0)
            throw Error(source + ": '" + part + "' needs a number above 0");
        out.*field = value;
    }
    return out;
}

}  // namespace hopbine::select
