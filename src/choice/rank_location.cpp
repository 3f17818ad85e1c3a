#include "choice/rank_location.hpp"

#include "location/this_node.hpp"
#include "runtime/log.hpp"
#include "schedule/problem.hpp"

extern char** environ;

namespace hopbine::mpi {

RankLocation rank_location(const std::string& processor) {
    // Made once, of a part: a table of the whole environment takes as long as ten messages.
    const location::Environment environment =
        location::environment_of(environ, location::tells_place);
    // Containers, emulated networks and several slurmd on a machine share one host name: there the
    // launcher tells each rank its node.
    RankLocation out{location::told_node(environment).value_or(processor), ""};
    try {
        out.group = location::group_of_process(environment, out.node);
    } catch (const Error& e) {
        say_once(std::string(e.what()) + "; groups are not used.");
    }
    return out;
}

}  // namespace hopbine::mpi
