#include "mpi/execute/execute.hpp"

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
    if (!plan.channels.empty()) {
        if (b.mirror) b.mirror->wait_for_all();
        return run_channels(plan, b, at, w.staging, w.channels);
    }
    if (at.mailboxes) return execute_in_mailboxes(plan, b, at, w);
    if (b.device) [[unlikely]]
        return execute_on_device(plan, b, at, w);
    if (b.mirror) [[unlikely]]
        return execute_arriving(plan, b, at, w);
    if (at.peers) [[unlikely]]
        return execute_beside_peers(plan, b, at, w);
    return Run(plan, b, at, w).steps();
}

}  // namespace hopbine::mpi
