/// Export of schedules as text that others can read and replay.
#pragma once
#include <functional>
#include <string>

#include "schedule/algorithm.hpp"

namespace hopbine {

enum class Format { csv, json, text };
Format format_named(const std::string& text);

/// The first line of csv.
inline constexpr const char* kCsvHeading = "step,channel,src,dst,mode,blocks";

/// Writes all moves as seen by their senders, piece by piece, without storing the whole schedule.
/// - csv: under kCsvHeading a line per move, with blocks as "0-3;7"
/// - json: one object with the problem and its moves
/// - text: one line per move, under a heading per step
void export_schedule(const Algorithm& a, const Problem& given, Format format,
                     const std::function<void(const std::string&)>& write);

}  // namespace hopbine
