/// Measured times as text, such as "13.4 us; mpi 16.2 us": in statistics, and in files that keep
/// what was learned.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace hopbine::select {

/// The seconds of what serves, and of others by name.
std::string measured_text(double serves, const std::vector<std::pair<std::string, double>>& others);

/// Seconds of a text of measured_text(): of what serves, and of the MPI library. 0: the text has
/// none.
struct MeasuredSeconds {
    double serves = 0, library = 0;
};
MeasuredSeconds measured_seconds(const std::string& text);

}  // namespace hopbine::select
