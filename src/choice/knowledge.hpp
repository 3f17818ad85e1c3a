/// What is known of the calls of ranks in one order, before a call is decided on.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "choice/by_devices.hpp"
#include "choice/chooser.hpp"
#include "choice/measuring.hpp"
#include "runtime/settings.hpp"
#include "select/rules.hpp"

namespace hopbine::mpi {

/// Whether measuring may decide on calls of this form.
inline bool measures(Form form) { return form == Form::blocking && settings().measures; }

/// Rounds of messages in which all of the ranks hear from each other, as in an agreement.
double rounds(int ranks);

/// Communicators of the same ranks share it: programs duplicate and free them. `group`, where a
/// function takes it, is that of any of them.
class Knowledge {
public:
    /// What is known of the members of MPI_COMM_WORLD. Where threads may call at once, or they are
    /// none, something of its own: ranks may then call on two communicators in different orders,
    /// and each is to be counted alone.
    static std::shared_ptr<Knowledge> of(const std::vector<int>& members);

    /// The choice by counting.
    Chooser& chooser(Members& group);
    /// Where the ranks are, as rules ask for it.
    const select::Site& site(Members& group);
    /// The properties of a call that rules test, with the location of the ranks.
    select::Asked asked(Members& group, Collective c, std::int64_t bytes, Operands operands);
    /// A numbering of the ranks that keeps the order of the operands where it matters, or null.
    const select::Numbering* numbering(Members& group, const std::string& name, Operands operands);
    /// What an earlier job has found the fastest; `learned` is not set where none has.
    Chosen remembered(Members& group, Collective c, std::int64_t bytes, Operands operands);
    /// The choice by measuring.
    Measuring& measuring(Members& group);

    /// Collectives that the MPI library serves whatever the arguments, and those for which that is
    /// known, as bits.
    struct LibraryOnly {
        unsigned only = 0, known = 0;
    };
    std::array<ByRules<LibraryOnly>, 3> library_only;  ///< by form

    ByDevices by_devices;

private:
    // Made at first use.
    std::unique_ptr<Chooser> chooser_;
    std::optional<select::Site> site_;
    std::optional<select::Rules> rules_;  ///< of earlier jobs
    std::unique_ptr<Measuring> measuring_;
};

}  // namespace hopbine::mpi
