#include "select/model_errors.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace hopbine::select {

namespace {

constexpr ErrorBar kTable[] = {
#include "select/model_errors.inc"
};

constexpr std::string_view kTorus = "torus", kMore = "more";

}  // namespace

const char* network_class(bool torus) { return torus ? kTorus.data() : "groups"; }

/// Latencies decide, both, or bandwidths.
const char* bytes_class(double bytes) {
    return bytes <= (16 << 10) ? "up to 16 KiB" : bytes <= (1 << 20) ? "up to 1 MiB" : kMore.data();
}

const char* ranks_class(int ranks) { return ranks <= 64 ? "up to 64" : kMore.data(); }

std::span<const ErrorBar> error_bars() { return kTable; }

const ErrorBar& error_bar(Collective c, double bytes, int ranks, bool torus) {
    const auto is = [](const char* has, std::string_view asked) { return has == asked; };
    const std::string_view pairs[][2] = {
        {name(c), ranks_class(ranks)}, {name(c), kAll}, {kAll, kAll}};
    for (const auto& [collective, of_ranks] : pairs)
        for (const ErrorBar& bar : kTable)
            if (is(bar.network, network_class(torus)) && is(bar.bytes, bytes_class(bytes)) &&
                is(bar.collective, collective) && is(bar.ranks, of_ranks))
                return bar;
    throw std::logic_error("src/select/model_errors.inc has no row of all collectives");
}

std::string calls_of(const ErrorBar& bar) {
    const auto or_more = [](std::string_view word, const char* last) {
        return word == kMore ? std::string("more than ") + last : std::string(word);
    };
    std::string out = bar.collective == std::string_view(kAll) ? "all collectives" : bar.collective;
    out += ", " + or_more(bar.bytes, "1 MiB");
    if (bar.ranks != std::string_view(kAll)) out += ", " + or_more(bar.ranks, "64") + " ranks";
    return out + (bar.network == kTorus ? ", tori" : ", networks of groups");
}

}  // namespace hopbine::select
