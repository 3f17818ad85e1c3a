/// Which algorithm serves which call: rules from the command line, a file, or the default table.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "core/algorithm.hpp"

namespace hopbine::select {

/// The name that stands for the MPI library's own algorithm.
inline constexpr const char* kLibrary = "mpi";

struct Range {
    std::int64_t low = 0, high = std::numeric_limits<std::int64_t>::max();
    bool holds(std::int64_t x) const { return low <= x && x <= high; }
};

struct Rule {
    Collective collective;
    Range ranks, bytes;
    std::string algorithm;  ///< or kLibrary
    Parameters parameters;
    std::string why;        ///< where the rule comes from, for statistics and messages
};

/// Rules in order, the first that matches wins.
struct Rules {
    std::vector<Rule> rules;
    /// A matching rule that is unfit for p or the operation is passed over for the next one (the default
    /// table) instead of leaving the call to the library with a message (what somebody asked for by name).
    bool skip_unfit = false;
};

struct Choice {
    const Algorithm* algorithm = nullptr;  ///< null: the MPI library
    Parameters parameters;
    std::string why;       ///< the rule
    bool found = true;     ///< false: no rule matches
    std::string complaint; ///< set when a rule asked for what cannot be done, or has a drawback; report once
};

/// "allreduce=bine_large:segment=131072,bcast=mpi" (HOPBINE_ALGORITHM). Throws Error naming part and reason.
Rules parse_algorithms(const std::string& text, const std::string& source);
/// The text of a rules file. Throws Error "NAME:LINE:COLUMN: reason".
Rules parse_file(const std::string& text, const std::string& name);
/// Reads and parses a rules file.
Rules read_file(const std::string& path);
/// The table in default_rules.cpp.
const Rules& default_rules();

/// The first matching rule's choice; tried in the order given. What somebody asked for by name serves, with a complaint, also where results may differ in
/// the last bits from rank to rank.
Choice choose(const std::vector<const Rules*>& sources, Collective c, int p, std::int64_t bytes, Operands operands);

/// "bine_large:segment=131072".
std::string text(const std::string& algorithm, const Parameters& parameters);

}  // namespace hopbine::select
