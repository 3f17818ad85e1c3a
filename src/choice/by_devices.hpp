/// What is known of calls that the devices of a node's ranks may serve by themselves, each by one
/// kernel (mpi/device/node_group.hpp).
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "schedule/collective.hpp"
#include "select/gpu_times.hpp"

namespace hopbine::device {
class Space;
}

namespace hopbine::mpi {

class NodeGroup;

/// The collectives that the kernels serve.
inline constexpr std::array kOfDevices{Collective::allreduce,      Collective::reduce,
                                       Collective::reduce_scatter, Collective::allgather,
                                       Collective::bcast,          Collective::alltoall};

/// The model of a call of so many bytes of a vector, or block, on `ranks`, of which each node has
/// `of_node`.
struct ModelledCall {
    ModelledCall(int ranks, int of_node, std::int64_t bytes);
    double kernels;      ///< seconds
    double between = 0;  ///< of the call between nodes on the part that kernels leave to each rank
    double copies;       ///< of the call on copies, within a node

    /// The factor by which the model of the kernels may err.
    static constexpr double kError = 2;
    /// Seconds that kernels gain of a call, if they take as long as they may. Of what it takes
    /// between nodes nothing is gained.
    double gain(double seconds) const;
    /// Seconds with kernels over the library's. Between nodes that is what the call takes `now`,
    /// less what is saved, in measured seconds. 0: not known.
    double ratio(double library, double now) const;
};

/// What ranks in one order know of it, whatever their communicators. What is agreed is the same on
/// all of them.
class ByDevices {
public:
    /// Seconds that the group's memory, handles and kernels take once, for each rank: of jobs on an
    /// H200 26 ms for 4 ranks, 62 for 8.
    static constexpr double kSetUp = 8e-3;
    /// Ranks of a node that its kernels take.
    static constexpr int kMostRanks = 8;

    /// Counts a call of this rank with buffers on a device, which the kernels fit: its size class,
    /// and what it took.
    void note(Collective c, int size_class, const ModelledCall& call, double seconds,
              device::Space* space);
    /// The device that has this rank's buffers; null: there were none.
    device::Space* space() const { return space_; }

    /// What a rank tells in an agreement, of which all hear the maxima: for each collective the
    /// least size class with buffers on a device, and what kernels would have gained, less than 0.
    using Told = std::array<double, kOfDevices.size() + 1>;
    Told tell() const;
    void hear(std::span<const double> all);
    /// Whether kernels may serve from now on: on all of a node's `ranks` they would by now have
    /// gained what the group takes. True once.
    bool begins(int ranks);
    /// Whether they may serve calls in this class.
    bool may_serve(Collective c, int size_class) const;
    /// What they would have gained, as agreed last.
    double agreed_gain() const { return agreed_gain_; }

    std::shared_ptr<NodeGroup> group;  ///< null: there is none
    bool shown = false;                ///< some kind was compared with what served before
    bool serves = false;               ///< and some was faster by kernels, which serve it
    double credit = 0;                 ///< seconds that the account has, until that is so

private:
    static constexpr double kNone = 1e9;  ///< a size class above all
    device::Space* space_ = nullptr;
    std::array<double, kOfDevices.size()> least_ = none(), agreed_ = none();
    double gain_ = 0, agreed_gain_ = 0;  ///< seconds, by the model less its error
    bool begun_ = false;
    static constexpr std::array<double, kOfDevices.size()> none() {
        std::array<double, kOfDevices.size()> out{};
        out.fill(kNone);
        return out;
    }
};

}  // namespace hopbine::mpi
