/// Chooses by counted traffic for one communicator: every rank counts a share, all get the same
/// table.
#pragma once
#include <mpi.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "select/cost_choice.hpp"

namespace hopbine::mpi {

class Chooser {
public:
    explicit Chooser(const select::LocatedRanks& located);

    /// Whether links can be scarce: several groups, or several nodes of which one has several
    /// ranks.
    bool useful() const { return useful_; }
    const select::LocatedRanks& located() const { return located_; }
    const std::vector<select::Numbering>& numberings() const { return numberings_; }

    /// Counts the traffic of all candidates for `c`, once. Collective.
    void prepare(Collective c, int root, const select::LinkCosts& net, MPI_Comm comm);

    struct Pick {
        const select::Candidate* candidate = nullptr;
        std::string why;
    };
    /// Looks up the choice for a call. Collective at the first use of `c`, which counts for that
    /// call's root.
    Pick pick(Collective c, std::int64_t bytes, int root, Operands operands,
              const select::LinkCosts& net, MPI_Comm comm);

private:
    struct Table {
        std::vector<select::Candidate> candidates;
        std::vector<std::string> why;
        std::array<std::array<int, select::kSizeClasses>, 3>
            best;  ///< [Operands][size class]: a candidate, or -1
    };
    Table count(Collective c, int root, const select::LinkCosts& net, MPI_Comm comm) const;
    select::LocatedRanks located_;
    std::vector<select::Numbering> numberings_;
    std::map<Collective, Table> tables_;
    bool useful_;
};

}  // namespace hopbine::mpi
