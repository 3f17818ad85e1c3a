/// The ranks' agreement on mailboxes in memory that they share.
#pragma once
#include "mpi/execute/messages.hpp"
#include "runtime/mailboxes.hpp"

namespace hopbine::mpi {

class Communicator;

/// Opens the mailboxes of the communicator's ranks on all of them, and agrees on whether all could
/// be opened. Collective. Null, on all ranks: they do not share memory, or a process may not open
/// that of another one.
/// `at`: for the messages by which they agree.
Mailboxes* agree_on_mailboxes(const Communicator& state, const Endpoint& at);

}  // namespace hopbine::mpi
