#include "mpi/execute/execute_beside_peers.hpp"

#include "mpi/execute/peer_steps.hpp"

namespace hopbine::mpi {

namespace {

class BesidePeers : public PeerSteps<BesidePeers> {
public:
    using PeerSteps::PeerSteps;
};

}  // namespace

int execute_beside_peers(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w) {
    return plan.channels.empty() ? BesidePeers(plan, b, at, w).steps()
                                 : run_channels(plan, b, at, w.staging, w.channels);
}

}  // namespace hopbine::mpi
