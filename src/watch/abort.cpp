#include "watch/abort.hpp"

#include <signal.h>
#include <unistd.h>

#include <string>

#include "schedule/problem.hpp"
#include "watch/setting.hpp"

namespace hopbine::watch {

int abort_signal() { return SIGRTMAX - 1; }

void end_on_abort() {
    struct sigaction before{}, action{};
    ::sigaction(abort_signal(), nullptr, &before);
    if (before.sa_handler != SIG_DFL)
        throw Error("HOPBINE_WATCH asks for abort, but the program uses the signal " +
                    std::to_string(abort_signal()) + " itself");
    action.sa_handler = [](int) { ::_exit(kAborted); };
    ::sigaction(abort_signal(), &action, nullptr);
}

}  // namespace hopbine::watch
