/// The choice by measuring on a communicator: what a select::Selector needs of its ranks, and what
/// it knows of their calls.
#pragma once
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "choice/decider.hpp"
#include "choice/measuring.hpp"

namespace hopbine::mpi {

class Learning : public TimesOfCalls, select::Offers {
public:
    Learning(Members& group, Decider& decider) : group_(group), decider_(decider) {}

    /// The modelled time of a call over that of an agreement.
    double weight(Collective c, std::int64_t bytes);
    /// The part of the library's time that is claimed to be gained in some collective of vectors of
    /// so many bytes: what is known of the library (select::KnownLibrary).
    double claimed(std::int64_t bytes);
    /// Whether measuring may decide.
    bool measures() const { return mpi::measures(group_.form()); }
    /// What decides on a call: measuring its kind, or a rule of the user, or there is a reason for
    /// which the library serves it.
    struct Found {
        MeasuredKind* kind;    ///< null: it is not measured
        const Served* served;  ///< of the rule or the reason, until the next decision
    };
    /// Where measures().
    Found find(Collective c, std::int64_t bytes, int root, Operands operands);
    /// Before Selector::turn() of a kind: lets a counted choice serve where that is due. May be
    /// collective.
    void consider(MeasuredKind& k, std::int64_t bytes, int root);
    /// Whether consider() has something to do.
    bool considers(const MeasuredKind& k) {
        return !k.considered && k.quiet == 0 && k.arms[0].plain.calls == 0 && chooser().useful();
    }
    /// Whether devices serve the next call of a kind, as far as that is known without the others.
    bool devices_serve_next(Collective c, std::int64_t bytes, Operands operands);
    /// Whether hopbine can serve the next call of a kind here. May be collective.
    bool ready_for(const MeasuredKind& k);
    /// What an arm of a kind is.
    const Served& served_by(MeasuredKind& k, int arm, Collective c, std::int64_t bytes, int root,
                            Operands operands);
    void took(MeasuredKind& k, double seconds) override;
    void refused(MeasuredKind& k) override { measuring().selector.undo(k); }
    Measuring& measuring() { return decider_.knowledge().measuring(group_); }
    /// What is to serve a nonblocking or persistent call by what the blocking calls of its kind
    /// have measured, up to the last one on this communicator: the same on all ranks, since calls
    /// on a communicator have one order. Null: nothing is known that decides.
    std::shared_ptr<const select::Choice> measured(Collective c, std::int64_t bytes,
                                                   Operands operands);

private:
    void hear(std::span<const double> all) override;
    bool ready(const select::KindKey& key) const override;
    std::vector<select::Offer> offers(const select::KindKey& key) override;
    Chooser& chooser() const { return decider_.knowledge().chooser(group_); }
    bool on_known_node();
    void begin_kind(MeasuredKind& k, std::int64_t bytes);
    void lend_to_devices();
    void offer_devices(MeasuredKind& k);
    double model_error(Collective c, std::int64_t bytes);
    void keep_lesson(const MeasuredKind& k);
    void keep_measured(const MeasuredKind& k, Collective c, std::int64_t bytes, Operands operands);

    Members& group_;
    Decider& decider_;
    double may_gain_ = 0;  ///< seconds that calls would have gained if the communicator were open
    /// Collective, size class and operands.
    using Kind = std::tuple<Collective, int, Operands>;
    /// What measured() returns.
    ByRules<std::map<Kind, std::shared_ptr<const select::Choice>>> measured_;
};

// What this job has learned, for the next one (HOPBINE_LEARN, else the user's cache).
/// Notes a rule for one size class. It replaces an earlier one for the same calls.
void add_lesson(select::Rule lesson);
/// This rank's lessons as the text of a file; empty: none.
std::string noted_lessons();
/// Adds what all ranks have noted to the file, on rank 0, whose file and whose words count.
/// `library`: the word of the MPI library.
void keep_lessons(const std::vector<std::string>& of_ranks, const std::string& library);

}  // namespace hopbine::mpi
