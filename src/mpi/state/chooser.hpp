/// Chooses by counted traffic for one communicator: every rank counts a share, all get the same
/// table.
#pragma once
#include <map>
#include <vector>

#include "mpi/execute/endpoint.hpp"
#include "select/cost_choice.hpp"
#include "select/rules.hpp"

namespace hopbine::mpi {

/// What serves a kind of calls, and the numbering of the ranks; null: as given.
struct Chosen {
    select::Choice choice;
    const select::Numbering* numbering = nullptr;
    bool guessed = false;   ///< not by a rule: measuring may show better
    bool learned = false;   ///< an earlier job has measured that it is the fastest
    bool for_many = false;  ///< what it takes once pays where many such calls are made
};

class Chooser {
public:
    /// `nonblocking`: for calls beside which programs compute.
    Chooser(const select::LocatedRanks& located, double patience, bool nonblocking);

    /// Whether links can be scarce: several groups, several nodes of which one has several ranks,
    /// or a torus.
    bool useful() const { return useful_; }
    const select::LocatedRanks& located() const { return located_; }
    const std::vector<select::Numbering>& numberings() const { return numberings_; }

    /// The communicator whose ranks count together.
    struct Calling {
        int rank;
        const Endpoint& endpoint;
    };
    /// Candidates for a call, the choice first. Collective at the first use of `c`, which counts
    /// for that call's root. `sure`: links are busy for most of the choice's time.
    struct Shortlist {
        std::vector<Chosen> best;
        bool sure = false;
    };
    Shortlist shortlist(Collective c, std::int64_t bytes, int root, Operands operands,
                        const select::LinkCosts& net, const Calling& by);

private:
    /// Counts the traffic of all candidates for `c`, once. Collective.
    void prepare(Collective c, int root, const Calling& by);
    /// Candidates of a size class, the choice first.
    struct Best {
        std::vector<int> candidates;
        bool sure;
    };
    /// Counted candidates. Equal on all ranks, who then come to the same choices.
    struct Table {
        std::vector<select::Candidate> candidates;
        std::vector<select::Loads> loads;
        std::map<std::pair<Operands, int>, Best> best;  ///< by size class; found when asked for
    };
    const Best& best(Table& t, int size_class, Operands operands,
                     const select::LinkCosts& net) const;
    select::LocatedRanks located_;
    double patience_;
    bool nonblocking_;
    std::vector<select::Numbering> numberings_;
    std::map<Collective, Table> tables_;
    bool useful_;
};

}  // namespace hopbine::mpi
