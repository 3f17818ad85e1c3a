/// What the user asked for, read once from the environment; `hopbine_select` may override it at run
/// time.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "select/link_costs.hpp"
#include "select/rules.hpp"

namespace hopbine::mpi {

struct Settings {
    select::Rules asked;        ///< HOPBINE_ALGORITHM, or hopbine_select
    select::Rules file;         ///< HOPBINE_RULES
    bool counts = true;         ///< HOPBINE_CHOICE is not "table"
    select::LinkCosts network;  ///< HOPBINE_NETWORK
    std::vector<int> shape;     ///< HOPBINE_SHAPE, empty: not given
    bool renumber = false;      ///< HOPBINE_RENUMBER
    bool persistent = false;    ///< HOPBINE_PERSISTENT
    bool everywhere =
        false;               ///< HOPBINE_EVERYWHERE: the user says that all ranks run under hopbine
    std::string stats;       ///< HOPBINE_STATS
    std::string broken;      ///< why the settings cannot be used; then every call passes through
    std::uint64_t hash = 0;  ///< of all that must be equal on all ranks
    int generation = 0;      ///< changes whenever the rules do
    /// What somebody asked for, in order of precedence.
    std::vector<const select::Rules*> sources() const { return {&asked, &file}; }
};

const Settings& settings();
/// Replaces HOPBINE_ALGORITHM's rules; null goes back to them. Throws Error.
void override_algorithms(const char* text);

}  // namespace hopbine::mpi
