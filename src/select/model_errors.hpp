/// How far the model of the choice was off on published times of similar calls: its error bars.
///
/// benchmarks/published_bars.py writes the table; docs/choice-errors says what it is made of.
#pragma once
#include <span>
#include <string>

#include "schedule/collective.hpp"

namespace hopbine::select {

/// What published times of `cells` calls have shown. The first four say of which; kAll: of any.
struct ErrorBar {
    const char *network, *collective, *bytes, *ranks;
    int cells;
    /// Modelled over measured time of the first choice, or its inverse where that is more: median,
    /// and what nine tenths of the cells do not exceed.
    double off, off_90;
    /// Time of the first choice over that of the fastest of all that was timed: geometric mean, and
    /// what nine tenths do not exceed.
    double lost, lost_90;
    /// By what factor the ratio of two modelled times is off: that of another algorithm to that of
    /// the first choice. Two thirds of the pairs do not exceed it, as with one deviation of a
    /// normal distribution.
    double apart;
};
inline constexpr const char* kAll = "all";

/// Classes of calls that the table tells apart: the kind of a network, bytes of the vector, ranks.
const char* network_class(bool torus);
const char* bytes_class(double bytes);
const char* ranks_class(int ranks);

/// All error bars.
std::span<const ErrorBar> error_bars();
/// The error bar of a call: of its collective and number of ranks, else of its collective, else of
/// all calls with so many bytes.
const ErrorBar& error_bar(Collective c, double bytes, int ranks, bool torus);
/// Which calls an error bar is of: "allreduce, up to 16 KiB, up to 64 ranks, networks of groups".
std::string calls_of(const ErrorBar& bar);

}  // namespace hopbine::select
