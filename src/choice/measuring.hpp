/// The choice by measuring for the calls of ranks in one order: a select::Selector, and the
/// algorithms that its arms stand for.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "choice/chooser.hpp"
#include "select/selector.hpp"

namespace hopbine::mpi {

/// The name of what the devices of a node's ranks do by themselves.
inline constexpr const char* kByDevices = "gpu_kernels";

/// A kind of calls, and what is chosen for it.
using MeasuredKind = select::Selector::Kind;

/// Is told what measured calls took.
class TimesOfCalls {
public:
    virtual ~TimesOfCalls() = default;
    /// A timed call of a kind, in seconds. May be collective.
    virtual void took(MeasuredKind& kind, double seconds) = 0;
    /// The library has refused the call on this rank.
    virtual void refused(MeasuredKind& kind) = 0;
};

/// The account of this process.
select::Account& account();

/// Enters the seconds of its life as spent.
class Spending {
public:
    Spending();
    Spending(const Spending&) = delete;
    Spending& operator=(const Spending&) = delete;
    ~Spending();

private:
    std::int64_t began_;
};

class Measuring {
public:
    /// `agreement`: modelled seconds of one. `known`: of more ranks; null: of none. `ranks`: as
    /// text where this rank tells of them in statistics.
    Measuring(double agreement, const Measuring* known, std::string ranks);
    ~Measuring();

    select::Selector selector;
    const std::string ranks;
    /// The largest bytes of an alltoallv that a rank has sent: this rank's since the last
    /// agreement, and of all ranks before it.
    std::int64_t most_sent = 0, agreed_sent = 0;

    void note_sent(std::int64_t bytes) { most_sent = std::max(most_sent, bytes); }

    /// A candidate for calls of a collective, known by its name from now on.
    select::Offer offer(Collective c, Chosen candidate);
    /// What an arm other than the library stands for.
    const Chosen& chosen(const MeasuredKind& k, int arm) const;
    /// Why the library serves a kind before anything was measured.
    std::map<const MeasuredKind*, std::string> why_library;

    /// Whether a lesson of the kind is to be kept: what serves has changed, or its calls have
    /// doubled since the last one. Then it is taken for kept.
    bool take_lesson(const MeasuredKind& k);

    /// Why an arm serves, for statistics.
    std::string reason(const MeasuredKind& k, int arm) const;
    /// Such as "13.4 us; mpi 16.2 us": the arm that serves, then the others.
    std::string times(const MeasuredKind& k) const;
    /// The name of an arm: "ring", or "mpi".
    std::string label(const MeasuredKind& k, int arm) const;
    /// The fastest algorithm that this job has measured, whether or not the MPI library is faster.
    /// Null: there is none.
    const Chosen* fastest_candidate(const MeasuredKind& k) const;

private:
    std::map<std::uint64_t, Chosen> by_name_;
    struct Kept {
        int version = 0;
        std::int64_t calls = 0;
    };
    std::map<const MeasuredKind*, Kept> kept_;
};

/// Calls `visit` for what is measured of all communicators.
void for_all_measured(const std::function<void(const Measuring&)>& visit);
/// Whether the library and others were compared in some kind of calls; whether learning did not pay
/// on a communicator.
bool any_measured();
bool any_stopped();
/// Calls that hopbine served of kinds in which it was not compared with the library.
std::int64_t uncompared_calls();
/// Enters what was served since the last agreements. Before the account is told of.
void settle_all();

/// The kinds of the communicators whose first rank this is, as members of a JSON array without its
/// brackets; empty: there are none.
std::string account_rows();
/// The account of this rank as a JSON object, with all rows.
std::string account_json(const std::string& rows);

}  // namespace hopbine::mpi
