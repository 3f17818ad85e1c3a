// The kernels of a node's ranks, run by the CPU, against the loops of calls on host memory.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "device/node_parts.hpp"
#include "runtime/kernels.hpp"

namespace hopbine::device {
namespace {

constexpr std::uint32_t kRanksOfNode = 3;
constexpr std::size_t kRoomOfNode = 4096;

/// Runs kernels rank by rank, block by block.
class NodeOfFakes {
public:
    NodeOfFakes() {
        void* const library = dlopen(HOPBINE_FAKE_DEVICES "/libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        *reinterpret_cast<void**>(&find_) = dlsym(library, "fake_kernel");
        *reinterpret_cast<void**>(&run_) = dlsym(library, "fake_run_block");
        for (auto& arena : arenas_) arena.assign(HOPBINE_ARENA_BEGIN + 3 * kRoomOfNode + 16, 0);
    }

    /// Whether there is such a kernel, and all ranks end a call of one piece.
    bool run(const std::string& kernel, const std::array<NodeParts, kRanksOfNode>& parts,
             const std::array<const char*, kRanksOfNode>& in,
             const std::array<char*, kRanksOfNode>& out) {
        const void* const found = find_((kernel + "_node").c_str());
        if (!found) return false;
        ++turn_;
        constexpr int kStages = 3;
        for (int stage = 0; stage < kStages; ++stage)
            for (std::uint32_t r = 0; r < kRanksOfNode; ++r) {
                hopbine_node node = of(r);
                parts[r].set(0, node);
                for (unsigned b = 0; b < HOPBINE_NODE_BLOCKS; ++b)
                    run_(found, &node, in[r], out[r], b, HOPBINE_NODE_RANKS);
            }
        for (const auto& over : over_)
            for (const std::uint32_t turn : over)
                if (turn != turn_) return false;
        return true;
    }

private:
    /// Where nobody is awaited: a kernel gives up at once.
    hopbine_node of(std::uint32_t rank) {
        hopbine_node out{};
        for (std::size_t r = 0; r < kRanksOfNode; ++r) {
            char* const at = arenas_[r].data();
            out.arena[r] = at + (16 - reinterpret_cast<std::uintptr_t>(at) % 16) % 16;
        }
        out.ranks = kRanksOfNode;
        out.rank = rank;
        out.turn = turn_;
        out.room = kRoomOfNode;
        out.over = over_[rank].data();
        return out;
    }

    const void* (*find_)(const char*) = nullptr;
    void (*run_)(const void*, const hopbine_node*, const void*, void*, unsigned,
                 unsigned) = nullptr;
    std::array<std::vector<char>, kRanksOfNode> arenas_;
    std::array<std::array<std::uint32_t, HOPBINE_NODE_BLOCKS>, kRanksOfNode> over_{};
    std::uint32_t turn_ = 0;
};

constexpr std::size_t kOfNode = 70, kBytesOfNode = 8 * (kOfNode + 2);
using Vectors = std::array<std::array<char, kBytesOfNode>, kRanksOfNode>;

/// Vectors of no NaN: which one of two remains is the compiler's choice.
Vectors vectors(bool floating) {
    Vectors out;
    unsigned i = 0;
    for (auto& one : out)
        for (char& c : one) {
            ++i;
            c = static_cast<char>((i * 37 + i / 251) & (floating ? 0x3f : 0xff));
        }
    return out;
}

/// In one part and in shares, at aligned addresses and others.
TEST(NodeKernels, AddToTheBitsOfTheLoops) {
    using mpi::Element, mpi::Operation;
    NodeOfFakes node;
    for (int op = 0; op <= static_cast<int>(Operation::bit_xor); ++op)
        for (int e = 0; e <= static_cast<int>(Element::bf16); ++e) {
            const auto operation = static_cast<Operation>(op);
            const auto element = static_cast<Element>(e);
            const mpi::Kernel loop = mpi::kernel(operation, element);
            if (!loop) continue;
            const std::string name = mpi::kernel_name(operation, element);
            const std::size_t width = name.ends_with("8")    ? 1
                                      : name.ends_with("16") ? 2
                                      : name.ends_with("32") ? 4
                                                             : 8;
            for (const std::int64_t shared_from : {std::int64_t{1}, kSharedFrom})
                for (const std::size_t off : {std::size_t{0}, width}) {
                    alignas(16) const Vectors in = vectors(is_floating(element));
                    alignas(16) Vectors out = in, sums = in;
                    std::array<NodeParts, kRanksOfNode> parts;
                    std::array<const char*, kRanksOfNode> from{};
                    std::array<char*, kRanksOfNode> to{};
                    for (std::uint32_t r = 0; r < kRanksOfNode; ++r) {
                        parts[r] = node_reduction({kRanksOfNode, r}, name,
                                                  static_cast<std::int64_t>(width), kOfNode, -1);
                        parts[r].shared_from = shared_from;
                        from[r] = in[r].data() + off;
                        to[r] = out[r].data() + off;
                    }
                    for (std::uint32_t r = 1; r < kRanksOfNode; ++r)
                        loop(sums[r - 1].data() + off, sums[r].data() + off, kOfNode);
                    ASSERT_TRUE(node.run(name, parts, from, to)) << name;
                    for (std::uint32_t r = 0; r < kRanksOfNode; ++r)
                        ASSERT_EQ(std::memcmp(to[r], sums[kRanksOfNode - 1].data() + off,
                                              kOfNode * width),
                                  0)
                            << name << ' ' << shared_from << ' ' << off;
                }
        }
}

/// Each rank's part, then all parts from everywhere, where the vectors lie or elsewhere: of few
/// elements, of which some ranks have none, and of several for each.
TEST(NodeKernels, AddInTwoHalves) {
    NodeOfFakes node;
    for (const std::int64_t n : {0, 1, 5, 16, 23})
        for (const bool in_place : {false, true})
            for (const std::size_t off : {std::size_t{0}, std::size_t{4}}) {
                alignas(16) Vectors in = vectors(false);
                alignas(16) Vectors elsewhere = vectors(true), sums = in;
                const auto many = static_cast<std::size_t>(n);
                for (std::uint32_t r = 1; r < kRanksOfNode; ++r)
                    mpi::kernel(mpi::Operation::sum, mpi::Element::i32)(sums[r - 1].data() + off,
                                                                        sums[r].data() + off, many);
                std::array<NodeParts, kRanksOfNode> add, gather;
                std::array<const char*, kRanksOfNode> from{}, part{};
                std::array<char*, kRanksOfNode> to{}, own{};
                for (std::uint32_t r = 0; r < kRanksOfNode; ++r) {
                    const NodeHalves halves =
                        node_halves(node_reduction({kRanksOfNode, r}, "sum_i32", 4, n, -1));
                    add[r] = halves.sum, gather[r] = halves.gather;
                    from[r] = in[r].data() + off;
                    to[r] = (in_place ? in : elsewhere)[r].data() + off;
                    part[r] = own[r] = to[r] + halves.sum.in[r];
                }
                ASSERT_TRUE(node.run("sum_i32", add, from, own));
                for (std::uint32_t r = 0; r < kRanksOfNode; ++r) {
                    const std::int64_t begin = add[r].in[r];
                    EXPECT_EQ(std::memcmp(own[r], sums[kRanksOfNode - 1].data() + off + begin,
                                          static_cast<std::size_t>(add[r].n[r]) * 4),
                              0);
                }
                ASSERT_TRUE(node.run("copies", gather, part, to));
                for (std::uint32_t r = 0; r < kRanksOfNode; ++r)
                    ASSERT_EQ(std::memcmp(to[r], sums[kRanksOfNode - 1].data() + off, many * 4), 0)
                        << n << ' ' << in_place << ' ' << off;
            }
}

/// Each call has every element once, in parts that an input or a result holds.
TEST(NodeParts, AreEachElementOnceAndFitTheArena) {
    constexpr std::int64_t kInput = 4096;
    for (std::uint32_t ranks = 2; ranks <= HOPBINE_NODE_RANKS; ++ranks)
        for (const std::int64_t n : {0, 1, 511, 512, 513, 4096, 5000})
            for (const std::int64_t width : {1, 2, 4, 8}) {
                const NodeRank me{ranks, ranks - 1};
                OfRanks sizes{};
                for (std::uint32_t q = 0; q < ranks; ++q) sizes[q] = n * q / ranks;
                for (NodeParts parts :
                     {node_reduction(me, "sum_i8", width, n, -1),
                      node_reduce_scatter(me, "sum_i8", width, sizes), node_bcast(me, n * width, 0),
                      node_alltoall(me, n * width), node_allgather(me, n * width),
                      node_halves(node_reduction(me, "sum_i8", width, n, -1)).sum,
                      node_halves(node_reduction(me, "sum_i8", width, n, -1)).gather}) {
                    parts.shared_from = n % 2 ? 1 : kSharedFrom;
                    std::int64_t seen = 0, all = 0;
                    for (const std::int64_t one : parts.n) all += one;
                    for (std::uint32_t i = 0; i < parts.pieces(kInput); ++i) {
                        hopbine_node node{};
                        node.ranks = ranks;
                        node.room = static_cast<std::uint64_t>(kInput);
                        parts.set(i, node);
                        std::uint64_t last = 0;
                        for (std::uint32_t q = 0; q < ranks; ++q) {
                            const hopbine_part& part = node.part[q];
                            const std::uint64_t bytes =
                                part.n * static_cast<std::uint64_t>(parts.width);
                            seen += static_cast<std::int64_t>(part.n);
                            EXPECT_EQ(part.place % 16, 0u);
                            EXPECT_LE(part.place + bytes, node.room);
                            if (node.shares) {
                                EXPECT_LE(bytes, node.room / 2);
                            }
                            if (!part.n || node.gives == 1u << me.rank) continue;
                            EXPECT_GE(part.place, last);
                            last = part.place + bytes;
                        }
                    }
                    EXPECT_EQ(seen, all) << parts.kernel << ' ' << n << ' ' << width;
                    if (all > 0) {
                        EXPECT_EQ(parts.pieces(parts.room()), 1u);
                    }
                }
            }
}

}  // namespace
}  // namespace hopbine::device
