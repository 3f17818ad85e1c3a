#include "mpi/execute/execute.hpp"

#include "mpi/execute/execute_arriving.hpp"
#include "mpi/execute/execute_beside_peers.hpp"
#include "mpi/execute/execute_in_mailboxes.hpp"
#include "mpi/execute/execute_on_device.hpp"
#include "mpi/execute/step_by_step.hpp"

namespace hopbine::mpi {

namespace {

class Run : public StepByStep<Run> {
public:
    using StepByStep::StepByStep;
};

}  // namespace

Workspace& Workspace::on(Memory& device) {
    std::unique_ptr<Workspace>& out = devices_[&device];
    if (!out) out = std::make_unique<Workspace>(&device);
    return *out;
}

int execute(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w) {
    if (at.mailboxes && plan.channels.empty()) return execute_in_mailboxes(plan, b, at, w);
    if (b.mirror || b.device || at.peers) [[unlikely]]
        return b.device   ? execute_on_device(plan, b, at, w)
               : b.mirror ? execute_arriving(plan, b, at, w)
                          : execute_beside_peers(plan, b, at, w);
    return plan.channels.empty() ? Run(plan, b, at, w).steps()
                                 : run_channels(plan, b, at, w.staging, w.channels);
}

}  // namespace hopbine::mpi
