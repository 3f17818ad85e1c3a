/// The words of a Site: where ranks are, for rules that are about ranks placed alike.
#pragma once
#include <cstdint>
#include <string>

#include "select/loads.hpp"

namespace hopbine::select {

/// A text that is equal for equal placements, whatever the names of nodes and groups.
/// - "16x4": 16 nodes of 4 ranks, in one group or in none.
/// - "5x4,6x4,5x4": three groups; "3*8x4": three groups alike; "4x4+1x2": the last node has 2.
/// - Ranks are numbered node by node and group by group. Else " cyclic" follows where rank r is on
///   node r mod n, or a hash.
/// - A long text is replaced by its hash: "23 groups, 512 nodes: 3fc2b1a0e4d5c6b7".
std::string placement_shape(const LocatedRanks& located);

/// The machine's word of a name, file or formula that `--system` may be: no folders, no ".toml".
std::string machine_word(std::string system);

/// The machine's word where neither a setting nor the batch system tells one.
inline constexpr const char* kUnnamed = "unnamed";

/// The MPI library's word, its name with its version, of what MPI_Get_library_version tells: up to
/// the first comma or the end of the line, in single spaces.
std::string library_word(std::string version);

/// Cores for each of the ranks that share them: "4", "1", or "1/2" where two ranks have one. Empty
/// where one of the numbers is 0.
std::string cores_word(std::int64_t cores, std::int64_t ranks);

}  // namespace hopbine::select
