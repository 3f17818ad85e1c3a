/// Runs a bound plan: chooses what carries its messages, and what works on its memory.
#pragma once
#include <mpi.h>

#include <map>
#include <memory>
#include <vector>

#include "mpi/execute/messages.hpp"
#include "runtime/plan_memory.hpp"
#include "runtime/run_scratch.hpp"

namespace hopbine::mpi {

/// A call's memory. Elements are bytes when `reduction` is null.
struct Binding : PlanMemory {
    const Reduction* reduction = nullptr;
    MemoryWork* device = nullptr;  ///< copies and reduces; null: the CPU does, in host memory
    StepObservers observers = {};

    /// Sets the elements: those of a vector that is reduced.
    void reduces(const Reduction& r) {
        reduction = &r;
        width = r.type.extent;
        if (!r.type.plain) low = r.type.true_lb, reach = r.type.true_extent;
    }
};

/// Scratch of one communicator, kept between calls.
struct Workspace {
    /// Makes scratch in the memory of a device; null: the host's.
    explicit Workspace(Memory* device = nullptr)
        : run(device), work(device), temp(device), packed_send(device), packed_recv(device) {}
    RunScratch run;
    Scratch work, temp, packed_send, packed_recv;
    Outstanding<MessageUse> requests;
    std::vector<std::int64_t> prefix;
    std::vector<Piece> arrived;  ///< received in the step before
    std::vector<bool> copied;    ///< [position]
    /// The workspace for calls on a device, made at its first.
    Workspace& on(Memory& device);
    /// Frees the buffers that are larger than Scratch::kKept.
    void trim() {
        for (Scratch* s : {&run.staging, &work, &temp, &packed_send, &packed_recv}) s->trim();
        for (const auto& [device, one] : devices_) one->trim();
    }

private:
    std::map<Memory*, std::unique_ptr<Workspace>> devices_;
};

/// Runs all steps of the plan. Returns the first MPI error code: after an error the schedule still
/// runs to its end.
int execute(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);

}  // namespace hopbine::mpi
