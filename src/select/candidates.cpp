#include "select/candidates.hpp"

#include <algorithm>
#include <numeric>

#include "schedule/integers.hpp"

namespace hopbine::select {

namespace {

constexpr int kMostRotations = 4;

void add(std::vector<Numbering>& all, std::string name, std::vector<int> order) {
    if (std::is_sorted(order.begin(), order.end())) return;
    for (const Numbering& n : all)
        if (n.order == order) return;
    Numbering made{std::move(name), std::move(order), {}};
    made.position.resize(made.order.size());
    for (std::size_t v = 0; v < made.order.size(); ++v)
        made.position[static_cast<std::size_t>(made.order[v])] = static_cast<int>(v);
    all.push_back(std::move(made));
}

}  // namespace

bool pipelined(const Algorithm& a) {
    return std::ranges::any_of(a.parameters,
                               [](const Parameter& q) { return q.kind == Kind::segments; });
}

std::vector<Numbering> numberings(const Placement& place) {
    const int p = static_cast<int>(place.group.size());
    std::vector<Numbering> all = {{"given", {}, {}}};
    std::vector<int> order(static_cast<std::size_t>(p));
    const Units groups(place.group), nodes(place.node);
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int r) { return std::pair(groups.of(r), nodes.of(r)); };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    add(all, "by group", order);
    const int step = std::max(1, ceil_div(groups.count() - 1, kMostRotations));
    for (int g = 1; g < groups.count(); g += step) {
        const int first = groups.members(g).front();
        std::iota(order.begin(), order.end(), 0);
        std::rotate(order.begin(), order.begin() + first, order.end());
        add(all, "rotated by " + std::to_string(first), order);
    }
    return all;
}

namespace {

/// Adds an algorithm that follows the placement or a torus, and one candidate for each parameter of
/// two values inverted.
void add_with_inversions(std::vector<Candidate>& out, const Algorithm& a) {
    out.push_back({&a, {}, 0});
    for (const Parameter& q : a.parameters)
        if (q.kind == Kind::flag || q.kind == Kind::ports)
            out.push_back({&a, {{q.name, 1 - q.fallback}}, 0});
}

/// Adds an algorithm with each numbering of the ranks.
void add_numbered(std::vector<Candidate>& out, const Algorithm& a,
                  const std::vector<Numbering>& all) {
    // Rotations change nothing for schedules with a root, which start from it. In those of alltoall
    // all distances are nearly equivalent.
    const bool rotations_differ = !rooted(a.collective) && !pairs(a.collective);
    // The result of a prefix sum depends on the numbers of the ranks.
    const std::size_t fit = spec(a.collective).prefix() ? 1 : all.size();
    for (std::size_t n = 0; n < fit; ++n)
        if (rotations_differ || !all[n].name.starts_with("rotated"))
            out.push_back({&a, {}, static_cast<int>(n)});
}

/// Adds trees of other radices. A high one has few steps, a low one few messages on a rank: which
/// is faster depends on the size.
void add_radices(std::vector<Candidate>& out, const Algorithm& a) {
    constexpr std::int64_t kRadices[] = {2, 8};
    if (!spec(a.collective).has_data()) return;
    for (const Parameter& q : a.parameters)
        for (const std::int64_t k : kRadices)
            if (q.of_trees && k != q.fallback) out.push_back({&a, {{q.name, k}}, 0});
}

/// Whether an algorithm that follows a torus serves this one. On one dimension it equals another
/// algorithm.
bool serves_torus(const Algorithm& a, int p, const std::vector<int>& torus) {
    return torus.size() > 1 &&
           (!a.refuses || a.refuses({.collective = a.collective, .p = p, .shape = torus}).empty());
}

}  // namespace

/// Whether the count cannot choose an algorithm for these calls. The model sees a pipeline's gain
/// over whole vectors, and none where blocks are spread anyway. Segments that take different ways
/// would all have to be counted.
static bool left_out(const Algorithm& a, bool nonblocking) {
    if (a.by_name_only || (a.beside_computation && !nonblocking)) return true;
    const bool spread = !rooted(a.collective) && !spec(a.collective).prefix();
    return pipelined(a) && (spread || a.segments_differ);
}

std::vector<Candidate> candidates(Collective c, const Placement& place,
                                  const std::vector<Numbering>& all, const std::vector<int>& torus,
                                  bool nonblocking) {
    const int p = static_cast<int>(place.group.size());
    const Units nodes(place.node);
    const bool flat = nodes.count() == 1 || (nodes.count() == p && Units(place.group).count() == 1);
    std::vector<Candidate> out;
    for (const Algorithm* a : algorithms()) {
        if (a->collective != c || !fits(*a, p) || left_out(*a, nonblocking)) continue;
        const std::size_t before = out.size();
        if (!a->follows_placement && !a->follows_shape)
            add_numbered(out, *a, all);
        else if (a->follows_shape ? serves_torus(*a, p, torus) : !flat)
            add_with_inversions(out, *a);
        if (out.size() > before) add_radices(out, *a);
    }
    std::ranges::stable_sort(out, {}, [](const Candidate& c) { return published(*c.algorithm); });
    return out;
}

}  // namespace hopbine::select
