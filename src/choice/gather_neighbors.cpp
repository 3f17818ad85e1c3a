#include "choice/gather_neighbors.hpp"

namespace hopbine::mpi {

namespace {

using select::Bytes;

/// Ranks, of which a neighbour may be none: -1.
void append(const std::vector<int>& ranks, Bytes& out) {
    select::pack(static_cast<std::int64_t>(ranks.size()), out);
    for (const int r : ranks) select::pack(std::int64_t{r} + 1, out);
}

void append(const Neighbors& of, Bytes& out) {
    select::pack(std::int64_t{of.cartesian}, out);
    append(of.sources, out);
    append(of.destinations, out);
}

std::vector<int> ranks_at(const std::uint8_t*& at) {
    std::vector<int> out(static_cast<std::size_t>(select::unpack_number(at)));
    for (int& r : out) r = static_cast<int>(select::unpack_number(at)) - 1;
    return out;
}

std::vector<Neighbors> unpacked(const Bytes& all) {
    std::vector<Neighbors> out;
    for (const std::uint8_t *at = all.data(), *end = at + all.size(); at != end;) {
        Neighbors& one = out.emplace_back();
        one.cartesian = select::unpack_number(at) != 0;
        one.sources = ranks_at(at);
        one.destinations = ranks_at(at);
    }
    return out;
}

}  // namespace

std::vector<Neighbors> gather_neighbors(const Neighbors& mine, std::span<const int> node,
                                        Members& all) {
    Bytes told;
    append(mine, told);
    const int first = node.front();
    if (all.rank != first) {
        all.send(told, first);
        return unpacked(all.receive(first));
    }
    for (const int other : node.subspan(1)) {
        const Bytes theirs = all.receive(other);
        told.insert(told.end(), theirs.begin(), theirs.end());
    }
    for (const int other : node.subspan(1)) all.send(told, other);
    return unpacked(told);
}

}  // namespace hopbine::mpi
