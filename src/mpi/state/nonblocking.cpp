#include "mpi/state/nonblocking.hpp"

#include "mpi/execute/messages.hpp"
#include "mpi/state/shared_mailboxes.hpp"
#include "runtime/fiber.hpp"

namespace hopbine::mpi {

Nonblocking::Nonblocking(const Communicator& user)
    : choice_(user.for_form(Form::nonblocking)),
      tags_(TagSpace::lanes()),
      lanes_(static_cast<std::size_t>(TagSpace::lanes())) {}

const std::shared_ptr<Nonblocking>& Nonblocking::of(Communicator& user) {
    if (!user.nonblocking_calls) user.nonblocking_calls = std::make_shared<Nonblocking>(user);
    return user.nonblocking_calls;
}

std::uint64_t Nonblocking::take_ticket() {
    if (tickets_ == 0 && tags_.begin_open(choice_->user(), choice_->size, &opening_) != MPI_SUCCESS)
        closed_ = "this rank could not tell its tags";
    return tickets_++;
}

void Nonblocking::await_turn(std::uint64_t ticket, Fiber& fiber) {
    while (decided_ != ticket || lane(ticket).ended != ticket / lanes_.size()) fiber.suspend();
    if (tags_.is_open()) return;
    if (closed_.empty() && in_fiber::wait(&opening_, MPI_STATUS_IGNORE, fiber) != MPI_SUCCESS)
        closed_ = "the ranks could not exchange their tags";
    if (closed_.empty() && !tags_.end_open())
        closed_ = "no tags are left for another communicator with nonblocking calls";
    if (!closed_.empty()) throw Error(closed_);
    mailboxes_ = agree_on_mailboxes(*choice_, endpoint(ticket, fiber));
}

Endpoint Nonblocking::endpoint(std::uint64_t ticket, Fiber& fiber) const {
    Endpoint at = choice_->endpoint(tags_);
    at.beyond = kCallTags.beyond(ticket, lanes_.size());
    at.first += at.beyond;
    at.fiber = &fiber;
    return at;
}

Nonblocking::Memory& Nonblocking::memory(std::uint64_t ticket) {
    Lane& one = lane(ticket);
    if (!one.memory) one.memory = std::make_unique<Memory>();
    return *one.memory;
}

}  // namespace hopbine::mpi
