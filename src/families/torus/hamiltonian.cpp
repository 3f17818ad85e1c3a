#include "families/torus/hamiltonian.hpp"

#include <numeric>

#include "families/torus/dimension_order.hpp"

namespace hopbine::torus {

namespace {

/// A dimension with neighbours: its extent, and their distance in rank numbers.
struct Extent {
    int n, stride;
};

/// Extents above 1, the longest first.
std::vector<Extent> extents(const Shape& shape) {
    const Coordinates at(shape);
    std::vector<Extent> out;
    for (std::size_t d = shape.size(); d-- > 0;)
        if (shape[d] > 1) out.push_back({shape[d], at.stride(d)});
    std::stable_sort(out.begin(), out.end(),
                     [](const Extent& a, const Extent& b) { return a.n > b.n; });
    return out;
}

/// Staircase from node 0: steps - 1 hops along one dimension, then one along the other, repeated.
std::vector<int> staircase(const Extent& along, const Extent& then, int steps) {
    std::vector<int> out;
    int a = 0, b = 0;
    for (int i = 0; i < along.n * then.n; ++i) {
        out.push_back(a * along.stride + b * then.stride);
        if (i % steps == steps - 1)
            b = (b + 1) % then.n;
        else
            a = (a + 1) % along.n;
    }
    return out;
}

}  // namespace

std::string no_rings(const Shape& shape) {
    const auto e = extents(shape);
    if (e.size() < 2) return "";
    if (e.size() > 2)
        return "two edge-disjoint Hamiltonian rings are known on tori of at most 2 dimensions, "
               "this one has " +
               std::to_string(e.size());
    const int r = e[0].n, c = e[1].n;
    const std::string sides = "r = " + std::to_string(r) + ", c = " + std::to_string(c);
    if (r % c)
        return "two edge-disjoint Hamiltonian rings need r = c k and gcd(r, c - 1) = 1 on an r x c "
               "torus: with " +
               sides + ", r is no multiple of c";
    const int common = std::gcd(r, c - 1);
    if (common != 1)
        return "two edge-disjoint Hamiltonian rings need r = c k and gcd(r, c - 1) = 1 on an r x c "
               "torus: with " +
               sides + " it is " + std::to_string(common);
    return "";
}

std::vector<std::vector<int>> rings(const Shape& shape) {
    const auto e = extents(shape);
    std::vector<int> in_order(static_cast<std::size_t>(ranks(shape)));
    std::iota(in_order.begin(), in_order.end(), 0);
    if (e.size() < 2) return {in_order};
    // The first ring leaves free one link of every line along e[1]. Of the links between
    // neighbouring lines it leaves all but one. The second ring uses these.
    return {staircase(e[1], e[0], e[1].n), staircase(e[0], e[1], e[1].n)};
}

}  // namespace hopbine::torus
