/// The ranks of a communicator of the program, as far as a choice needs them: which they are, where
/// they are, and how they agree.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/device_agreement.hpp"
#include "select/cost_choice.hpp"
#include "select/selector.hpp"
#include "select/shared_count.hpp"
#include "statistics/statistics.hpp"

namespace hopbine::mpi {

/// What needs MPI is left to the communicator's class (mpi/state/group.hpp). What it tells all
/// ranks is the same on all.
class Members : public select::Port {
public:
    int rank = 0, size = 1;

    /// The form of the calls that are decided on for them.
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
    /// Ranks of each node, where their devices may make collectives by themselves. 0: they may not,
    /// for nodes have unequally many, one, or more than kernels take.
    int device_ranks();
    /// The ranks of this rank's node, ascending, and those of its place among them on all nodes.
    std::span<const int> of_node();
    std::vector<int> of_place();
    /// A Cartesian communicator's dimensions; else the torus; else nothing.
    virtual std::vector<int> shape() const { return torus(); }

    virtual bool is_open() const = 0;
    /// Opens the communicator for hopbine's calls. Collective. `use`: the device use of this rank's
    /// buffers in the first one. False, on all ranks: the MPI library serves every call.
    virtual bool open(DeviceUse use) = 0;
    /// open() as a part of an agreement: what this rank tells, and what becomes of the maxima over
    /// all ranks.
    virtual std::array<double, 3> tell() = 0;
    virtual void hear(std::span<const double> all) = 0;

    /// Whether devices of the ranks can serve calls by themselves (Knowledge::by_devices).
    /// Collective where they have no group yet.
    virtual bool join_devices() = 0;

    /// The maximum of a number over all ranks, by the MPI library: in a blocking call.
    virtual std::int64_t most(std::int64_t mine) = 0;
    // Messages of the call that is decided on. They throw Error where one fails.
    /// Replaces each number, of at most 8, by its maximum over all ranks.
    virtual void most_of_all(std::span<std::int64_t> numbers) = 0;
    /// Bytes to or from another rank, which need not know how many they are.
    virtual void send(const select::Bytes& bytes, int to) = 0;
    virtual select::Bytes receive(int from) = 0;

    double clock() override;
    /// Whether this rank tells the user of them: rank 0 of MPI_COMM_WORLD where it is a member, as
    /// it tells of the job, else rank 0 of the communicator.
    bool speaks() const;
    /// Prints once, on the rank that speaks.
    void say(const std::string& what) const;

protected:
    explicit Members(Form form) : form_(form) {}
    Members(const Members&) = default;
    /// Finds why the MPI library serves every call of the ranks, without communication. All find a
    /// reason, or none does.
    std::string find_unusable() const;
    /// HOPBINE_SHAPE where it has as many ranks; else none.
    std::vector<int> torus() const;

    std::vector<int> members_;
    std::string unusable_;  ///< why the MPI library serves every call; empty: hopbine may serve

private:
    const Form form_;
    std::optional<select::LocatedRanks> located_;
    std::optional<int> device_ranks_;
};

}  // namespace hopbine::mpi
