/// The ranks of a communicator of the program: their order, their places, and the tags of their
/// messages.
#pragma once
#include <mpi.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/runtime.hpp"
#include "mpi/execute/messages.hpp"
#include "mpi/state/stats.hpp"
#include "mpi/state/tag_space.hpp"
#include "runtime/device_agreement.hpp"
#include "select/cost_choice.hpp"

namespace hopbine::mpi {

/// Decides whether device memory makes the MPI library serve the calls of a communicator. Counts
/// the calls on a communicator, whatever serves them, but for those that the MPI library refuses on
/// this rank: all ranks count the same.
class DeviceGate {
public:
    /// Starts with the first call: this rank's device use, and the maximum over all ranks.
    void start(DeviceUse mine, DeviceUse most) {
        here_ = mine == DeviceUse::used;
        agreed_ = agreement_.count(mine);
        agreement_.update(most);
    }
    /// Starts before the first call that hopbine serves, with the maximum over all ranks.
    void start_early(DeviceUse most) { agreement_.update(most); }
    /// The call of start() was refused on this rank. The next one is then not counted: it is the
    /// one that the other ranks have counted.
    void started_by_refused() { counted_ahead_ = true; }
    /// Whether the last agreement was to pass calls on to the MPI library.
    bool passing() const { return agreement_.passes(); }
    /// Counts a call on a communicator, with this rank's device use. True: the MPI library serves
    /// it, on all ranks. Collective at some calls.
    bool passes(DeviceUse use, MPI_Comm comm) {
        here_ = use == DeviceUse::used;
        agreed_ = !counted_ahead_ && agreement_.count(use);
        counted_ahead_ = false;
        if (agreed_) agree(comm);
        return agreement_.passes();
    }
    /// Whether the ranks have agreed in the call that start() or passes() has counted last.
    bool agreed() const { return agreed_; }
    /// Whether this rank's buffers in the call just counted are on a device: a DeviceMirror serves
    /// it.
    bool here() const { return here_; }

private:
    [[gnu::cold]] void agree(MPI_Comm comm) {
        const int mine = static_cast<int>(agreement_.seen());
        int most = mine;
        PMPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, comm);
        agreement_.update(static_cast<DeviceUse>(most));
    }

    DeviceAgreement agreement_;
    bool here_ = false, agreed_ = false, counted_ahead_ = false;
};

class Group {
public:
    /// Finds the ranks and whether hopbine may serve them, without communication.
    explicit Group(MPI_Comm comm);
    /// The ranks of another group for calls of this form, without tags.
    Group(const Group& other, Form form);

    int rank = 0, size = 1;
    DeviceGate device;

    /// The user's communicator, for agreements of ranks that are all in the same call on it;
    /// MPI_COMM_WORLD once it is freed.
    MPI_Comm user() const { return user_; }
    /// The communicator is freed: calls under way go on.
    void outlive() { user_ = MPI_COMM_WORLD; }
    /// The form of the calls that are decided on here.
    Form form() const { return form_; }
    /// Ranks in MPI_COMM_WORLD; empty: they are not all in it.
    const std::vector<int>& members() const { return members_; }
    /// Whether they are all of MPI_COMM_WORLD, in their order.
    bool has_all_in_order() const;
    /// Whether the MPI library serves every call, whatever its arguments.
    bool unusable() const { return !unusable_.empty(); }
    const std::string& why_unusable() const { return unusable_; }
    /// Whether small nonblocking and persistent calls can send through shared memory.
    bool shares_memory() const;

    /// Nodes and groups of the ranks, and their torus.
    const select::LocatedRanks& located();
    /// A Cartesian communicator's dimensions; else the torus; else nothing.
    std::vector<int> shape() const;

    /// Opens the communicator at its first call.
    /// - Collective, inside the user's own call.
    /// - `use`: the device use of this rank's buffers in that call.
    /// - False, on all ranks: the MPI library serves every call.
    bool open(DeviceUse use);
    bool is_open() const { return tags_.is_open(); }
    /// open() as a part of an agreement: what this rank tells, and what becomes of the maxima over
    /// all ranks.
    std::array<double, 3> tell();
    void hear(std::span<const double> all);

    const Endpoint& endpoint() const { return endpoint_; }
    /// The endpoint of these ranks with the tags of another space.
    Endpoint endpoint(const TagSpace& tags) const;
    /// Sets the endpoint over which the ranks count.
    void count_over(const Endpoint& endpoint) { endpoint_ = endpoint; }
    /// The pairs of the ranks whose devices exchange messages; null: there are none. Calls begun
    /// later heed them. They live as long as the process.
    const Peers* peers() const { return endpoint_.peers(); }
    void set_peers(const Peers* peers) {
        endpoint_.carrier = {};
        endpoint_.carry_by(peers);
    }

    /// Prints once, on one of the ranks: rank 0 of MPI_COMM_WORLD where it is a member.
    void say(const std::string& what) const;

private:
    std::string find_unusable() const;
    std::vector<int> torus() const;
    void close();

    MPI_Comm user_;
    const Form form_ = Form::blocking;
    std::vector<int> shape_;    ///< not blocking: the program may free its communicator meanwhile
    std::vector<int> members_;  ///< ranks in MPI_COMM_WORLD
    std::string unusable_;      ///< why the MPI library serves every call; empty: hopbine may serve
    TagSpace tags_;
    Endpoint endpoint_;
    std::optional<select::LocatedRanks> located_;
};

}  // namespace hopbine::mpi
