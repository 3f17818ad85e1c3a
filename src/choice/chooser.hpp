/// Chooses by counted traffic for one communicator: every rank counts a share, all get the same
/// table.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "choice/members.hpp"
#include "select/cost_choice.hpp"
#include "select/measured_text.hpp"
#include "select/rules.hpp"
#include "select/shared_count.hpp"

namespace hopbine::mpi {

/// What serves a kind of calls, and the numbering of the ranks; null: as given.
struct Chosen {
    select::Choice choice;
    const select::Numbering* numbering = nullptr;
    bool ruled = false;              ///< by a rule of the user
    bool learned = false;            ///< an earlier job has measured that it is the fastest
    select::MeasuredSeconds took{};  ///< what that job has measured
    bool for_many = false;           ///< what it takes once pays where many such calls are made
    bool by_devices = false;         ///< by kernels on the devices of the ranks where they can be
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

    /// Candidates for a call, the choice first. Collective at the first use of `c`, which counts
    /// for that call's root, `by` the ranks. `sure`: links are busy for most of the choice's time.
    struct Shortlist {
        std::vector<Chosen> best;
        bool sure = false;
        std::vector<double> seconds{};  ///< modelled, of each, where `sure`
        double classic = 0;             ///< of the classic algorithm
    };
    /// Whether shortlist() counts no more for the collective.
    bool counted(Collective c) const { return tables_.contains(c); }
    Shortlist shortlist(Collective c, std::int64_t bytes, int root, Operands operands,
                        const select::LinkCosts& net, Members& by);

private:
    /// Counts the traffic of all candidates for `c`, once. Collective.
    void prepare(Collective c, int root, Members& by);
    /// Candidates of a size class, the choice first.
    struct Best {
        std::vector<int> candidates;
        bool sure;
        std::vector<double> seconds;
        double classic;
    };
    /// Counted candidates. Equal on all ranks, who then come to the same choices.
    struct Counted {
        std::vector<select::Candidate> candidates;
        std::vector<select::Loads> loads;
        std::mutex lock;  ///< of `best`: communicators of several threads may share it
        std::map<std::pair<Operands, int>, Best> best;  ///< by size class; found when asked for
    };
    const Best& best(Counted& all, int size_class, Operands operands,
                     const select::LinkCosts& net) const;
    std::vector<select::Candidate> candidates(Collective c) const;
    std::shared_ptr<Counted> counted_alone(Collective c, int root) const;
    select::LocatedRanks located_;
    double patience_;
    bool nonblocking_;
    std::vector<select::Numbering> numberings_;
    std::map<Collective, std::shared_ptr<Counted>> tables_;
    bool useful_;
};

/// The loads of each candidate, counted by all ranks together. Collective, inside a user's call;
/// equal on all ranks.
std::vector<select::Loads> count_together(const std::vector<select::Candidate>& candidates,
                                          const std::vector<select::Numbering>& numberings,
                                          int root, Members& all);

}  // namespace hopbine::mpi
