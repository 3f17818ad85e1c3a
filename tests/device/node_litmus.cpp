// The flags of kernels/node_collectives.h between ranks that are threads, which take their time:
// every byte of every call is compared.
//
//   node_litmus RANKS ROUNDS    ROUNDS: flags that a rank awaits, in all its blocks and stages
//
// - A rank waits now and then, between calls and between blocks.
// - A kernel gives up soon, and is begun again when those of later pieces have run; blocks run in
//   one order or from another on.
// - All collectives, sizes from none to several pieces, all alignments, in place or not, vectors in
//   one part or in shares.
// - Some kernels of calls in one piece are told no turn, as graphs that are replayed.
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "device/node_turns.hpp"
extern "C" {
#include "fake/fake.h"
}

namespace {

using namespace hopbine::device;

constexpr std::size_t kRoom = 4096, kMost = 3 * kRoom, kGuard = 32;
constexpr unsigned kThreads = HOPBINE_NODE_RANKS;  // of a block: one awaits a rank
constexpr unsigned char kUntouched = 0x5a;
std::atomic<unsigned long> given_up{0};
/// Kernels that all ranks have run. Relaxed: it is not to order what the flags are to order.
std::atomic<unsigned> run_by_all{0};

unsigned draw(unsigned& random) {
    random = random * 1664525u + 1013904223u;
    return random >> 16;
}

void dawdle(unsigned& random, unsigned seldom) {
    const unsigned drawn = draw(random);
    if (drawn % seldom == 0) usleep(drawn % 50);
    if (drawn % seldom == 1) sched_yield();
}

int number(unsigned rank, unsigned call, std::size_t i) {
    return static_cast<int>(1000003 * call + 17 * rank + i);
}
unsigned char byte(unsigned rank, unsigned call, std::size_t i) {
    return static_cast<unsigned char>(31 * call + 7 * rank + i + i / 251);
}

/// A call, drawn alike by all ranks.
struct DrawnCall {
    enum Kind { allreduce, reduce, reduce_scatter, bcast, allgather, alltoall, kinds };
    unsigned number, random = number * 2654435761u;
    Kind kind = static_cast<Kind>(draw(random) % kinds);
    bool adds = kind <= reduce_scatter;
    bool in_place = draw(random) % 2 && kind != reduce_scatter;
    int root;
    std::int64_t n;   ///< elements of a block, or of the vector
    OfRanks sizes{};  ///< of the blocks of a reduce_scatter
    std::int64_t shared_from = draw(random) % 2 ? 1 : 1 << 30;

    DrawnCall(unsigned at, unsigned ranks)
        : number(at), root(static_cast<int>(draw(random) % ranks)) {
        const std::int64_t most = static_cast<std::int64_t>(kMost) / (adds ? 4 : 1),
                           of_block = kind == allreduce || kind == reduce || kind == bcast
                                          ? most
                                          : most / ranks;
        n = draw(random) % 8 ? draw(random) % 200 : draw(random) % (of_block + 1);
        n = std::min(n, of_block);
        for (unsigned q = 0; q < ranks; ++q) sizes[q] = draw(random) % (n + 1);
    }

    NodeParts parts(NodeRank me) const {
        NodeParts out = kind == reduce_scatter ? node_reduce_scatter(me, "sum_i32", 4, sizes)
                        : kind == bcast        ? node_bcast(me, n, root)
                        : kind == allgather    ? node_allgather(me, n)
                        : kind == alltoall
                            ? node_alltoall(me, n)
                            : node_reduction(me, "sum_i32", 4, n, kind == reduce ? root : -1);
        out.shared_from = shared_from;
        return out;
    }
    /// Elements that a rank reads.
    std::size_t read(NodeRank me) const {
        std::int64_t all = kind == alltoall ? n * me.ranks : n;
        if (kind == reduce_scatter) all = before(me.ranks);
        return static_cast<std::size_t>(all);
    }
    /// Elements that a rank writes.
    std::size_t written(NodeRank me) const {
        const bool is_root = static_cast<int>(me.rank) == root;
        std::int64_t all = kind == allgather || kind == alltoall ? n * me.ranks : n;
        if (kind == reduce_scatter) all = sizes[me.rank];
        if ((kind == reduce && !is_root) || (kind == bcast && is_root)) all = 0;
        return static_cast<std::size_t>(all);
    }
    /// The number that element i of the result is to be.
    int sum(NodeRank me, std::size_t i) const {
        unsigned out = 0;
        const std::size_t at =
            kind == reduce_scatter ? static_cast<std::size_t>(before(me.rank)) + i : i;
        for (unsigned q = 0; q < me.ranks; ++q)
            out += static_cast<unsigned>(::number(q, number, at));
        return static_cast<int>(out);
    }
    unsigned char copied(NodeRank me, std::size_t i) const {
        const auto block = static_cast<std::size_t>(n);
        if (kind == bcast) return byte(static_cast<unsigned>(root), number, i);
        const auto from = static_cast<unsigned>(i / block);
        return byte(from, number, i % block + (kind == alltoall ? me.rank * block : 0));
    }

private:
    std::int64_t before(unsigned rank) const {
        std::int64_t all = 0;
        for (unsigned q = 0; q < rank; ++q) all += sizes[q];
        return all;
    }
};

class Rank {
public:
    Rank(const std::vector<char*>& arenas, unsigned rank)
        : turns_(arenas, rank, kRoom, 0, over_), random_(77u + 1000u * rank) {}

    void run(unsigned long rounds) {
        unsigned long awaited = 0;
        for (unsigned at = 1; awaited < rounds; ++at) awaited += make(at);
        tell(std::memory_order_release);  // nobody wakes later ones
    }

private:
    /// Makes a call. Returns the flags that it has awaited.
    unsigned long make(unsigned at) {
        const DrawnCall call(at, turns_.me().ranks);
        const NodeParts parts = call.parts(turns_.me());
        const std::size_t width = static_cast<std::size_t>(parts.width),
                          written = call.written(turns_.me()) * width;
        unsigned char* const out = out_ + kGuard + draw(random_) % 4 * width;
        unsigned char* const in = !call.in_place ? in_ + draw(random_) % 4 * width
                                  : call.kind == DrawnCall::allgather
                                      ? out + turns_.me().rank * static_cast<std::size_t>(call.n)
                                      : out;
        std::memset(out - kGuard, kUntouched, written + 2 * kGuard);
        fill(call, in);
        // Around the result it is to stay as it was.
        const std::vector<unsigned char> before(out - kGuard, out + written + kGuard);
        dawdle(random_, 64);
        const kernel* const found = fake_kernel((parts.kernel + "_node").c_str());
        unsigned seen = by_others();
        bool replays = parts.pieces(kRoom) == 1 && draw(random_) % 2;
        turns_.run(
            parts,
            [&](const hopbine_node& node) {
                const bool first = std::exchange(replays, false);
                return run_blocks(found, first ? turns_.replayed(parts) : node, in, out);
            },
            [](const auto&) { return true; },
            [&] {
                given_up.fetch_add(1, std::memory_order_relaxed);
                run_by_all.wait(seen + mine_, std::memory_order_relaxed);
                seen = by_others();
            });
        check(call, out, written, before);
        const unsigned stages = parts.is_vector && call.shared_from == 1 ? 2 : 1;
        return HOPBINE_NODE_BLOCKS * parts.pieces(kRoom) * stages;
    }

    void fill(const DrawnCall& call, unsigned char* in) {
        const NodeRank me = turns_.me();
        for (std::size_t i = 0; i < call.read(me); ++i)
            if (call.adds)
                reinterpret_cast<int*>(in)[i] = number(me.rank, call.number, i);
            else if (call.kind != DrawnCall::bcast || call.root == static_cast<int>(me.rank))
                in[i] = byte(me.rank, call.number, i);
    }

    /// Wakes ranks whose kernels gave up. They sleep, as to the scheduler each yield is a turn of
    /// milliseconds, which other programs get.
    void tell(std::memory_order order) {
        ++mine_;
        run_by_all.fetch_add(1, order);
        run_by_all.notify_all();
    }
    unsigned by_others() const { return run_by_all.load(std::memory_order_relaxed) - mine_; }

    bool run_blocks(const kernel* found, const hopbine_node& node, const void* in, void* out) {
        hopbine_node given = node;
        given.patience = draw(random_) % (draw(random_) % 64 ? 8 : 200);
        const unsigned from = draw(random_) % 64 ? 0 : draw(random_) % HOPBINE_NODE_BLOCKS;
        for (unsigned b = 0; b < HOPBINE_NODE_BLOCKS; ++b) {
            dawdle(random_, 4096);
            fake_run_block(found, &given, in, out, (b + from) % HOPBINE_NODE_BLOCKS, kThreads);
        }
        tell(std::memory_order_relaxed);
        return true;
    }

    void check(const DrawnCall& call, const unsigned char* out, std::size_t written,
               const std::vector<unsigned char>& before) {
        const NodeRank me = turns_.me();
        bool right = !std::memcmp(out - kGuard, before.data(), kGuard) &&
                     !std::memcmp(out + written, before.data() + kGuard + written, kGuard);
        for (std::size_t i = 0; right && i < call.written(me); ++i)
            right = call.adds ? reinterpret_cast<const int*>(out)[i] == call.sum(me, i)
                              : out[i] == call.copied(me, i);
        if (right) return;
        std::fprintf(stderr, "rank %u, call %u: collective %d of %lld elements is wrong\n", me.rank,
                     call.number, call.kind, static_cast<long long>(call.n));
        std::_Exit(1);
    }

    std::uint32_t over_[HOPBINE_NODE_BLOCKS];
    NodeTurns turns_;
    unsigned random_, mine_ = 0;
    alignas(16) unsigned char in_[kMost + 2 * kGuard], out_[kMost + 4 * kGuard];
};

}  // namespace

int main(int argc, char** argv) {
    const int ranks = argc == 3 ? std::atoi(argv[1]) : 0;
    const unsigned long rounds = argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 0;
    if (ranks < 2 || ranks > HOPBINE_NODE_RANKS || rounds < 1000) {
        std::fprintf(stderr,
                     "usage: node_litmus RANKS ROUNDS, 2 to 8 ranks, 1000 rounds or more\n");
        return 2;
    }
    std::vector<char*> arenas;
    constexpr std::size_t kArena = HOPBINE_ARENA_BEGIN + 3 * kRoom;
    for (int r = 0; r < ranks; ++r) {
        arenas.push_back(static_cast<char*>(std::aligned_alloc(4096, kArena)));
        std::memset(arenas.back(), 0, kArena);
    }
    std::vector<std::thread> threads;
    for (int r = 0; r < ranks; ++r)
        threads.emplace_back([&, r] { Rank(arenas, static_cast<unsigned>(r)).run(rounds); });
    for (std::thread& t : threads) t.join();
    for (char* arena : arenas) std::free(arena);
    std::printf("%lu rounds of %d ranks, %lu times kernels gave up: right\n", rounds, ranks,
                given_up.load());
}
