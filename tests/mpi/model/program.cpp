#include "program.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "schedule/algorithm.hpp"

namespace model {

namespace {

using hopbine::Collective;

const char* const kNames[kFunctions] = {"bcast",
                                        "reduce",
                                        "allreduce",
                                        "scan",
                                        "exscan",
                                        "reduce_scatter",
                                        "reduce_scatter_block",
                                        "gather",
                                        "scatter",
                                        "gatherv",
                                        "scatterv",
                                        "allgather",
                                        "allgatherv",
                                        "alltoall",
                                        "alltoallv",
                                        "barrier"};

class Draw {
public:
    Draw(std::uint64_t seed, int ranks) : random_(seed), ranks_(ranks) { in_order_ = one_in(3); }

    Program program(int threads) {
        Program out;
        for (int t = 0; t < threads; ++t) out.scripts.push_back(script());
        for (int c = 0; c < hopbine::kCollectives; ++c) select(static_cast<Collective>(c), out);
        return out;
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    bool one_in(int n) { return below(n) == 0; }

    Script script() {
        Script out;
        for (int g = 1 + below(3); g > 0; --g) out.groups.push_back(group());
        const int calls = 3 + below(12);
        for (int i = 0; i < calls; ++i) {
            out.calls.push_back(call(i, out.groups));
            if (one_in(4)) out.starts.push_back(i);
        }
        out.starts.push_back(calls);
        out.frees_early = one_in(3);
        return out;
    }

    Group group() {
        Group out;
        out.members.resize(static_cast<std::size_t>(ranks_));
        std::iota(out.members.begin(), out.members.end(), 0);
        if (one_in(2)) std::ranges::shuffle(out.members, random_);
        const int p = one_in(2) ? ranks_ : 2 + below(ranks_ - 1);
        out.members.resize(static_cast<std::size_t>(p));
        for (int side = 2; side * side <= p; ++side)
            if (p % side == 0 && one_in(2)) out.shape = {side, p / side};
        return out;
    }

    /// Mostly small, at times above the room that messages have for blocks of unknown sizes.
    int count() {
        const int most[] = {2, 9, 70, 700};
        return below(most[below(4)]) + (one_in(4) ? 0 : 1);
    }

    DrawnCall call(int number, const std::vector<Group>& groups) {
        DrawnCall out;
        out.number = number;
        out.group = below(static_cast<int>(groups.size()));
        out.function = static_cast<Function>(below(kFunctions));
        out.form = static_cast<Form>(one_in(4) ? 2 : below(2));
        if (in_order_ || one_in(4))
            out.elements = Elements::affine;
        else
            out.elements = static_cast<Elements>(below(2));
        if (!in_order_ && out.elements == Elements::affine) out.elements = Elements::u64;
        const bool reduces =
            out.function >= Function::reduce && out.function <= Function::reduce_scatter_block;
        if (!reduces) out.elements = static_cast<Elements>(below(3));
        const auto p = static_cast<int>(groups[static_cast<std::size_t>(out.group)].members.size());
        out.root = below(p);
        out.gap = one_in(2) ? 0 : below(4);
        out.in_place = one_in(4) && out.function != Function::bcast;
        counts(out, p);
        return out;
    }

    void counts(DrawnCall& c, int p) {
        using enum Function;
        const bool pairs = c.function == alltoallv,
                   uneven = pairs || c.function == reduce_scatter || c.function == gatherv ||
                            c.function == scatterv || c.function == allgatherv;
        const int same = count() + 1;
        for (int i = 0; i < (pairs ? p * p : p); ++i) c.counts.push_back(uneven ? count() : same);
        if (uneven) c.counts[0] += 1;  // the library serves calls without data
        for (int i = 0; pairs && c.in_place && i < p * p; ++i)  // both ways alike
            if (i / p < i % p)
                c.counts[static_cast<std::size_t>(i % p * p + i / p)] =
                    c.counts[static_cast<std::size_t>(i)];
    }

    /// Draws an algorithm that serves all communicators. Left out at times: then hopbine chooses.
    void select(Collective c, Program& out) {
        if (one_in(6)) return;
        std::vector<const hopbine::Algorithm*> known;
        for (const hopbine::Algorithm* a : hopbine::algorithms())
            if (a->collective == c && !(in_order_ && a->needs_commutative)) known.push_back(a);
        std::ranges::shuffle(known, random_);
        for (const hopbine::Algorithm* a : known) {
            hopbine::Parameters parameters;
            for (const hopbine::Parameter& p : a->parameters)
                if (const auto probes = p.probes(); one_in(2))
                    parameters.emplace_back(p.name, probes[random_() % probes.size()]);
            if (!serves_all(*a, parameters, out)) continue;
            out.algorithms +=
                std::string(out.algorithms.empty() ? "" : ",") + name(c) + "=" + a->name;
            for (const auto& [key, value] : parameters)
                out.algorithms += ':' + key + '=' + std::to_string(value);
            return;
        }
    }

    static bool serves_all(const hopbine::Algorithm& a, const hopbine::Parameters& parameters,
                           const Program& program) {
        for (const Script& script : program.scripts)
            for (const Group& g : script.groups) try {
                    hopbine::Problem q{a.collective, static_cast<int>(g.members.size())};
                    q.parameters = parameters;
                    if (a.follows_shape) q.shape = g.shape;
                    if (!fits(a, q.p)) return false;
                    a.make(resolve(a, q));
                } catch (const hopbine::Error&) {
                    return false;
                }
        return true;
    }

    std::mt19937_64 random_;
    const int ranks_;
    bool in_order_ = false;  ///< reductions do not commute
};

}  // namespace

std::string DrawnCall::text() const {
    const char* const forms[] = {"", "nonblocking ", "persistent "};
    std::string out = "call " + std::to_string(number) + ", " + forms[static_cast<int>(form)] +
                      kNames[static_cast<int>(function)] + (in_place ? " in place" : "") +
                      ", root " + std::to_string(root) + ", counts";
    for (const int n : counts) out += ' ' + std::to_string(n);
    return out;
}

Program draw_program(std::uint64_t seed, int ranks, int threads) {
    Program out = Draw(seed, ranks).program(threads);
    out.seed = seed;
    return out;
}

}  // namespace model
