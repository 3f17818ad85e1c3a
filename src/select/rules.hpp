/// Which algorithm serves which call: rules from the command line, a file, or the default table.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine::select {

/// The name that stands for the MPI library's own algorithm.
inline constexpr const char* kLibrary = "mpi";

struct Range {
    std::int64_t low = 0, high = std::numeric_limits<std::int64_t>::max();
    bool holds(std::int64_t x) const { return low <= x && x <= high; }
    bool holds(const Range& other) const { return low <= other.low && other.high <= high; }
    bool operator==(const Range&) const = default;
};

/// A size that not all ranks know: only rules that ask for none answer.
inline constexpr std::int64_t kUnknown = -1;

/// A call, as far as rules may ask about it. Nodes: how many the communicator's ranks are on;
/// ranks_per_node: the most on any of them.
struct Asked {
    Collective collective;
    std::int64_t ranks, bytes;
    Operands operands = Operands::exact;
    std::int64_t nodes = 1, ranks_per_node = 1;
};

struct Rule {
    Collective collective;
    std::string algorithm;  ///< or kLibrary
    Parameters parameters;
    std::string why;  ///< where the rule comes from, for statistics and messages
    Range ranks = {}, bytes = {}, nodes = {}, ranks_per_node = {};
    std::string note = {};
    int line = 0;  ///< in its file

    bool answers(const Asked& call) const;
    /// Does it look at where the ranks are?
    bool asks_places() const;
    /// Does it answer calls of every size, wherever the ranks are?
    bool answers_any_call() const { return bytes == Range{} && !asks_places(); }
};

/// What a rule may ask, by its name in files.
struct Condition {
    const char* name;
    Range Rule::* range;
    std::int64_t Asked::* value;
    bool holds(const Rule& r, const Asked& call) const {
        return call.*value == kUnknown ? r.*range == Range{} : (r.*range).holds(call.*value);
    }
};
inline constexpr Condition kConditions[] = {
    {"ranks", &Rule::ranks, &Asked::ranks},
    {"bytes", &Rule::bytes, &Asked::bytes},
    {"nodes", &Rule::nodes, &Asked::nodes},
    {"ranks_per_node", &Rule::ranks_per_node, &Asked::ranks_per_node}};

/// Rules in order, the first that matches wins.
struct Rules {
    std::vector<Rule> rules;
    /// A matching rule that is unfit for p or the operation is passed over for the next one (the
    /// default table) instead of leaving the call to the library with a message (what somebody
    /// asked for by name).
    bool skip_unfit = false;
};

struct Choice {
    const Algorithm* algorithm = nullptr;  ///< null: the MPI library
    Parameters parameters;
    std::string why;        ///< the rule
    bool found = true;      ///< false: no rule matches
    std::string complaint;  ///< set when a rule asked for what cannot be done, or has a drawback;
                            ///< report once
};

/// "allreduce=bine_large:segment=131072,bcast=mpi" (HOPBINE_ALGORITHM). Throws Error naming part
/// and reason.
Rules parse_algorithms(const std::string& text, const std::string& source);
/// The text of a rules file. Throws Error "NAME:LINE:COLUMN: reason"; also where an earlier rule
/// answers all that a later one could, with another algorithm.
Rules parse_file(const std::string& text, const std::string& name);
/// Reads and parses a rules file.
Rules read_file(const std::string& path);
/// The table in default_rules.cpp.
const Rules& default_rules();

/// The first matching rule's choice; tried in the order given. What somebody asked for by name
/// serves, with a complaint, also where results may differ in the last bits from rank to rank.
Choice choose(const std::vector<const Rules*>& sources, const Asked& call);
/// What keeps a rule from answering a call, "ranks 8 outside 2..4"; empty: it answers.
std::string passed_over(const Rule& r, const Asked& call);
/// Does `earlier` answer every call that `later` could?
bool covers(const Rule& earlier, const Rule& later);
/// Do both ask for the same algorithm with the same parameters, defaults included?
bool same_answer(const Rule& a, const Rule& b);

/// Does what `choose` answers depend on bytes?
bool by_size(const std::vector<const Rules*>& sources, Collective c, int p);
/// Does the MPI library serve all calls of `c` on p ranks, when it serves those that no rule
/// answers
/// (`rest`), or when something else does?
bool library_only(const std::vector<const Rules*>& sources, Collective c, int p, bool rest);
/// Holds an algorithm and its parameters against the registry (p is not known yet). Throws Error.
void verify(const Rule& r);
/// "2..64"; "2.." where the end is open.
std::string text(const Range& r);
/// "bine_large:segment=131072".
std::string text(const std::string& algorithm, const Parameters& parameters);
/// Everything that decides, on one line: equal texts, equal rules.
std::string text(const Rule& r);

}  // namespace hopbine::select
