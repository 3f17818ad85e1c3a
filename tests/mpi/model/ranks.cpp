#include "ranks.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "network.hpp"
#include "runtime/fiber.hpp"

/// What the preload library has for the runtime: state of a thread, of which every rank has its own
/// here, where it calls, which the model does not tell, and whether it tells of libraries, of which
/// the model loads none.
extern "C" {
__attribute__((visibility("default"),
               tls_model("initial-exec"))) constinit thread_local void* hopbine_thread = nullptr;
__attribute__((visibility("default"),
               tls_model("initial-exec"))) constinit thread_local void* hopbine_caller = nullptr;
__attribute__((visibility("default"))) int hopbine_tells_loads = 1;
}

namespace model {

namespace {

using hopbine::mpi::Fiber;

/// Something is wrong if so long nothing has happened.
constexpr auto kPatience = std::chrono::seconds(60);

thread_local int current = -1;
/// The fiber of the rank whose turn it is; null: ranks are threads.
Fiber* turn = nullptr;

/// A rank that runs in turns, with its state of the thread.
struct Turns {
    std::unique_ptr<Fiber> fiber = std::make_unique<Fiber>();
    std::function<void()> body;
    void* state = nullptr;
    bool over = false;
};

void resume(Turns& one, int rank) {
    current = rank;
    turn = one.fiber.get();
    std::swap(hopbine_thread, one.state);
    one.over = one.fiber->resume();
    std::swap(hopbine_thread, one.state);
    turn = nullptr;
    current = -1;
}

/// Fibers and what their threads remember, kept between runs: hopbine remembers calls.
std::vector<Turns>& all_turns(int ranks) {
    static std::vector<Turns>& all = *new std::vector<Turns>;
    while (all.size() < static_cast<std::size_t>(ranks)) all.emplace_back();
    return all;
}

std::string in_turns(int ranks, std::uint64_t seed, const std::function<void(int, int)>& body) {
    Network& network = Network::get();
    std::vector<Turns>& all = all_turns(ranks);
    for (int r = 0; r < ranks; ++r) {
        Turns& one = all[static_cast<std::size_t>(r)];
        one.over = false;
        one.body = [&body, r] { body(r, 0); };
        one.fiber->begin([](void* turns) { static_cast<Turns*>(turns)->body(); }, &one);
    }
    std::mt19937_64 random(seed);
    // At times one rank moves only where no other can.
    const int slow = random() % 4 ? -1 : static_cast<int>(random() % static_cast<unsigned>(ranks));
    int left = ranks, idle = 0;
    while (left > 0) {
        const std::uint64_t before = network.version();
        if (network.may_move() || idle > 4 * ranks) network.move();
        const int rank = static_cast<int>(random() % static_cast<unsigned>(ranks));
        Turns& one = all[static_cast<std::size_t>(rank)];
        if (!one.over && (rank != slow || idle > ranks || left == 1)) {
            resume(one, rank);
            if (one.over) --left, network.note();
        }
        idle = network.version() == before ? idle + 1 : 0;
        if (idle > 200 * ranks) return "all ranks wait for ever" + network.unmatched();
    }
    return {};
}

std::string in_threads(int ranks, int threads, const std::function<void(int, int)>& body) {
    Network& network = Network::get();
    std::vector<std::thread> all;
    std::atomic<int> left{ranks * threads};
    for (int r = 0; r < ranks; ++r)
        for (int t = 0; t < threads; ++t)
            all.emplace_back([&, r, t] {
                current = r;
                body(r, t);
                --left;
            });
    auto since = std::chrono::steady_clock::now();
    std::uint64_t version = 0;
    while (left > 0) {
        std::this_thread::yield();
        const std::lock_guard hold(network.lock);
        if (network.may_move()) network.move();
        const auto now = std::chrono::steady_clock::now();
        if (network.version() != version) since = now;
        version = network.version();
        if (now - since > kPatience) {
            // The threads cannot be ended.
            for (std::thread& thread : all) thread.detach();
            return "all ranks wait for ever" + network.unmatched();
        }
    }
    for (std::thread& thread : all) thread.join();
    return {};
}

}  // namespace

int this_rank() { return current; }

void let_others_run() {
    if (turn) return turn->suspend();
    // Other jobs of the machine may take long turns: the network does not wait for many of ours.
    constexpr int kTries = 16;
    Network& network = Network::get();
    for (int i = 0; i < kTries; ++i)
        if (network.may_move()) network.move();
    sched_yield();
}

std::string run_ranks(Mode mode, int ranks, int threads, std::uint64_t seed,
                      const std::function<void(int, int)>& body) {
    return mode == Mode::turns ? in_turns(ranks, seed, body) : in_threads(ranks, threads, body);
}

}  // namespace model
