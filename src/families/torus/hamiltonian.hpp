/// Rings through all nodes of a torus that share no link (HammingMesh SC'22; Swing NSDI'24,
/// Sec. 2.3.1).
#pragma once
#include <string>
#include <vector>

#include "families/torus/torus.hpp"

namespace hopbine::torus {

/// Why there is no set of rings for this shape; empty when there is one. Extents of 1 do not count:
/// one dimension always has its ring; two of them, a >= b, need a = b k and gcd(a, b - 1) = 1; more
/// have none known.
std::string no_rings(const Shape& shape);
/// Edge-disjoint Hamiltonian cycles, one per dimension: ranks in the order in which they are
/// passed, each a neighbour of the next, the last one of the first.
std::vector<std::vector<int>> rings(const Shape& shape);

}  // namespace hopbine::torus
