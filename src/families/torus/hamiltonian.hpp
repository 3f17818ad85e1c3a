/// Edge-disjoint Hamiltonian rings on a torus (HammingMesh SC'22; Swing NSDI'24, Sec. 2.3.1).
#pragma once
#include <string>
#include <vector>

#include "families/torus/torus.hpp"

namespace hopbine::torus {

/// Reason why a shape has no set of rings; empty if it has one. Extents of 1 do not count.
/// - One dimension always has its ring.
/// - Two dimensions a >= b need a = b k and gcd(a, b - 1) = 1.
/// - For more dimensions none are known.
std::string no_rings(const Shape& shape);
/// Edge-disjoint Hamiltonian cycles, one per dimension, as ranks in ring order. Each rank is a
/// neighbour of the next, and the last of the first.
std::vector<std::vector<int>> rings(const Shape& shape);

}  // namespace hopbine::torus
