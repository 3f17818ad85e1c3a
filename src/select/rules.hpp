/// Rules that choose an algorithm for a call: from the command line, a file, or the default table.
#pragma once
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/algorithm.hpp"
#include "select/neighborhood.hpp"

namespace hopbine::select {

/// Name that stands for the MPI library's own algorithm.
inline constexpr const char* kLibrary = "mpi";

struct Range {
    std::int64_t low = 0, high = std::numeric_limits<std::int64_t>::max();
    bool holds(std::int64_t x) const { return low <= x && x <= high; }
    bool holds(const Range& other) const { return low <= other.low && other.high <= high; }
    bool operator==(const Range&) const = default;
};

/// A size that not all ranks know. Only rules without a size condition answer it.
inline constexpr std::int64_t kUnknown = -1;

/// Where a call is made, in words that rules may test. Empty: unknown; only rules without such a
/// condition answer.
struct Site {
    std::string mpi;        ///< the MPI library with its version
    std::string machine;    ///< of `hopbine run --system`, or Slurm's name of the cluster
    std::string processor;  ///< its model: location::processor_model()
    std::string transport;  ///< the network and its settings: location::transport_word()
    std::string cores;      ///< for each rank: cores_word()
    std::string placement;  ///< of the communicator's ranks: placement_shape()
};

/// The properties of a call that rules may test. `nodes` is the number of nodes of the
/// communicator's ranks, `ranks_per_node` the largest number of ranks on a node.
struct Asked {
    Collective collective;
    std::int64_t ranks, bytes;
    Operands operands = Operands::exact;
    std::int64_t nodes = 1, ranks_per_node = 1;
    const Site* site = nullptr;  ///< null: unknown
};

struct Rule {
    Collective collective;
    std::string algorithm;  ///< or kLibrary
    Parameters parameters;
    std::string why;  ///< origin of the rule, for statistics and messages
    Range ranks = {}, bytes = {}, nodes = {}, ranks_per_node = {};
    std::string operands = {};  ///< empty: any, as all words
    std::string mpi = {}, machine = {}, processor = {}, transport = {}, cores = {},
                placement = {};  ///< of a Site
    std::string numbering = {};  ///< of the ranks, a name of numberings(); empty: as given
    std::string note = {};
    std::string notice = {};  ///< that its algorithm has another name today; see renamed.hpp
    /// What was measured for it: a text by the largest bytes of each size class.
    std::map<std::int64_t, std::string> measured = {};
    int line = 0;  ///< in its file

    bool answers(const Asked& call) const;
    /// Whether the rule depends on the placement of the ranks.
    bool asks_places() const;
    /// Whether the rule depends on what a call's number of ranks and bytes do not tell.
    bool asks_more() const;
    /// Whether the rule answers calls of every size and placement.
    bool answers_any_call() const { return bytes == Range{} && !asks_more(); }
};

/// A condition of a rule, with its name in files.
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

/// A condition of a rule on a word, with its name in files.
struct TextCondition {
    const char* name;
    std::string Rule::* text;
    std::string_view (*value)(const Asked&);
    bool holds(const Rule& r, const Asked& call) const {
        return (r.*text).empty() || r.*text == value(call);
    }
};
extern const TextCondition kTextConditions[7];
/// Makes a rule one for calls that are made there.
void ask_for(Rule& r, const Site& site);

/// Rules in order; the first that matches wins.
struct Rules {
    std::vector<Rule> rules;
    std::string note = {};  ///< of the file
    /// Whether a matching rule is skipped if it does not serve p or the operation. The default
    /// table does so. Otherwise the call goes to the MPI library with a message, as for an
    /// algorithm requested by name.
    bool skip_unfit = false;
    NeighborModes neighbors = {};  ///< of the neighbourhood collectives; files have none
};

struct Choice {
    const Algorithm* algorithm = nullptr;  ///< null: the MPI library
    Parameters parameters;
    std::string why;     ///< the rule
    bool found = false;  ///< a rule matches
    std::string
        complaint;  ///< set if a rule requests what cannot be done or has a drawback; report once
    std::string numbering = {};  ///< that the rule requests; empty: none
    const Rule* rule = nullptr;  ///< that matches
};

/// Parses "allreduce=bine_large:segment=131072,bcast=mpi" (HOPBINE_ALGORITHM). Throws Error naming
/// part and reason.
Rules parse_algorithms(const std::string& text, const std::string& source);
/// Parses a rules file. Throws Error "NAME:LINE:COLUMN: reason", also if an earlier rule answers
/// all calls of a later one with another algorithm.
Rules parse_file(const std::string& text, const std::string& name);
Rules read_file(const std::string& path);
/// The text of a file with these rules, one on each line.
std::string file_text(const Rules& rules);
/// Such a text with those of the lines that are wanted, so that the others are never parsed; all of
/// a text in another form.
std::string with_lines(const std::string& text,
                       const std::function<bool(std::string_view line)>& wanted);
/// Whether a line of such a text asks for another word than this one.
bool asks_for_another(std::string_view line, const std::string& condition, const std::string& word);
/// The table in default_rules.cpp.
const Rules& default_rules();

/// What serves small nonblocking and persistent calls of ranks that share memory; no rule: the MPI
/// library. Not `all`: reductions and prefix sums alone.
const Rules& shared_memory_rules(bool all);

/// The choice of the first matching rule, with sources in order. An algorithm requested by name
/// also serves where results may differ in the last bits between ranks, with a complaint.
Choice choose(const std::vector<const Rules*>& sources, const Asked& call);
/// Reason why a rule does not answer a call, such as "ranks 8 outside 2..4"; empty if it does.
std::string passed_over(const Rule& r, const Asked& call);
/// Whether `earlier` answers every call that `later` could.
bool covers(const Rule& earlier, const Rule& later);
/// Whether both request the same algorithm with the same parameters, defaults included.
bool same_answer(const Rule& a, const Rule& b);

/// Whether the result of `choose` depends on the size.
bool by_size(const std::vector<const Rules*>& sources, Collective c, int p);
/// Whether the MPI library serves all calls of `c` on p ranks. `rest` says whether it serves the
/// calls that no rule answers.
bool library_only(const std::vector<const Rules*>& sources, Collective c, int p, bool rest);
/// Verifies an algorithm and its parameters against the registry; p is not known yet. Throws Error.
void verify(const Rule& r);
/// The words for operands in files: in_order, commute, exact.
const char* text(Operands o);
/// Text such as "2..64", or "2.." if the end is open.
std::string text(const Range& r);
/// Text such as "bine_large:segment=131072".
std::string text(const std::string& algorithm, const Parameters& parameters);
/// All of a rule on one line; rules with equal texts are equal.
std::string text(const Rule& r);

}  // namespace hopbine::select
