/// How candidates compared with an MPI library on one node: what a job knows of them before it
/// tries one.
///
/// benchmarks/learning/known_ratios.py measures and writes the table. docs/choice.md says what a
/// job does with it: it claims the gain, and pays its first trials by that, until the first shows
/// whether the claim holds here.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/collective.hpp"
#include "select/belief.hpp"

namespace hopbine::select {

/// The time of the fastest candidate over the library's. The first four say of which calls.
struct KnownRatio {
    const char* library;  ///< what the library's version begins with
    bool shares;          ///< whether ranks share cores
    const char *collective, *bytes;
    int ratios;
    double ratio;   ///< their median
    double factor;  ///< a deviation of the logarithm: two thirds are within
};

/// All rows.
std::span<const KnownRatio> known_ratios();

/// What is known of one library on one node, whose ranks share cores or do not.
class KnownLibrary {
public:
    /// `version`: as the library tells it.
    KnownLibrary(const std::string& version, bool shares);
    /// What is believed of an untried candidate of a call with vectors of so many bytes.
    Belief untried(Collective c, double bytes) const;
    /// The largest part of the library's time that is claimed to be gained in a collective of such
    /// vectors; 0: none is.
    double claimed(double bytes) const;

private:
    /// A row of the library. To look for one takes part of a kind's first call.
    struct Known {
        Collective collective;
        std::string_view bytes;
        Belief untried;
        double claimed;
    };
    std::vector<Known> rows_;
};

}  // namespace hopbine::select
