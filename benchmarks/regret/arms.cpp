// The arms between which the runtime would choose: for each collective and size the candidates that
// it would measure, as names for hopbine_select, with their modelled times.
//   regret_arms GROUPS RANKS_PER_NODE NETWORK BYTES...
// GROUPS: nodes of each group, such as 5,6,5. NETWORK: as HOPBINE_NETWORK. A line for each kind:
// COLLECTIVE BYTES, which arm counting takes for the first calls (0: the MPI library), and
// ALGORITHM NANOSECONDS of each arm. Of the library it is the classic algorithm and its time.
// Numberings of the ranks are left out: algorithms that are selected have the ranks as given.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include "select/classic.hpp"
#include "select/cost_choice.hpp"
#include "select/rules.hpp"

using namespace hopbine;

namespace {

Placement places(const std::string& groups, int ranks_per_node) {
    Placement place;
    std::istringstream all(groups);
    int node = 0, group = 0;
    for (std::string one; std::getline(all, one, ','); ++group)
        for (int i = std::stoi(one); i > 0; --i, ++node)
            for (int r = 0; r < ranks_per_node; ++r) {
                place.node.push_back(node);
                place.group.push_back(group);
            }
    validate(place, static_cast<int>(place.node.size()));
    return place;
}

double nanoseconds(double seconds) { return std::round(seconds * 1e9); }

/// A collective with everything that can serve it, counted.
class Kinds {
public:
    Kinds(Collective collective, const Placement& place, const select::LinkCosts& net)
        : collective_(collective),
          net_(net),
          located_(place),
          numberings_(select::numberings(place)),
          candidates_(select::candidates(collective, place, numberings_)) {
        const auto begin = std::chrono::steady_clock::now();
        for (const select::Candidate& one : candidates_) loads_.push_back(count(one));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        counting_ = took.count() / static_cast<double>(place.node.size());
    }

    void print(double bytes) const {
        const select::Costed all{candidates_, loads_, net_, located_};
        const int choice = select::choose_by_cost(all, bytes, Operands::commute).candidate;
        const bool sure = choice >= 0 && select::bound_by_links(all, choice, bytes);
        const bool library = select::library_first(located_, choice >= 0, sure);
        std::string arms;
        int guess = 0, arm = 0;
        for (int i : select::shortlist(all, bytes, Operands::commute)) {
            const select::Candidate& one = candidates_[static_cast<std::size_t>(i)];
            arms += shown(select::text(one.algorithm->name, one.parameters),
                          loads_[static_cast<std::size_t>(i)], bytes);
            ++arm;
            if (i == choice && !library) guess = arm;
        }
        const auto p = static_cast<int>(located_.placement->node.size());
        const select::Candidate classic{&select::classic(collective_, p, bytes), {}, 0};
        std::printf("%s %.0f %d %.0f%s%s\n", name(collective_), bytes, guess,
                    nanoseconds(counting_), shown("mpi", count(classic), bytes).c_str(),
                    arms.c_str());
    }

private:
    select::Loads count(const select::Candidate& one) const {
        return select::measure(one, numberings_[static_cast<std::size_t>(one.numbering)], 0,
                               located_);
    }
    std::string shown(const std::string& arm, const select::Loads& loads, double bytes) const {
        std::ostringstream out;
        out.precision(15);
        out << ' ' << arm << ' '
            << nanoseconds(select::modelled_seconds(loads, net_, located_, bytes));
        return out.str();
    }

    Collective collective_;
    select::LinkCosts net_;
    select::LocatedRanks located_;
    std::vector<select::Numbering> numberings_;
    std::vector<select::Candidate> candidates_;
    std::vector<select::Loads> loads_;
    double counting_ = 0;  ///< seconds of a rank: ranks share the candidates
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) {
        std::fprintf(stderr, "usage: regret_arms GROUPS RANKS_PER_NODE NETWORK BYTES...\n");
        return 2;
    }
    try {
        const Placement place = places(argv[1], std::stoi(argv[2]));
        const select::LinkCosts net = select::parse_link_costs(argv[3], "the command line");
        const auto p = static_cast<double>(place.node.size());
        for (const char* collective : {"bcast", "reduce", "allreduce", "reduce_scatter", "gather",
                                       "scatter", "allgather", "alltoall"}) {
            const Collective c = collective_named(collective);
            const bool blocks =
                c != Collective::bcast && c != Collective::reduce && c != Collective::allreduce;
            const Kinds kinds(c, place, net);
            for (int i = 4; i < argc; ++i) {
                const double bytes = std::stod(argv[i]);
                if (!blocks || bytes >= p * sizeof(float)) kinds.print(bytes);
            }
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "regret_arms: %s\n", e.what());
        return 1;
    }
}
