#include "runtime/mailboxes.hpp"

namespace hopbine::mpi {

void Mailboxes::keep(Pair& p, std::uint32_t mark) {
    const char* const data = p.incoming->data(p.received);
    const std::uint32_t bytes = p.incoming->bytes(p.received);
    p.kept.push_back({mark, {data, data + bytes}});
    empty(p, Mailbox::lines_of(bytes));
}

void Mailboxes::empty_all() {
    for (const int process : joined_) {
        Pair& p = all_[static_cast<std::size_t>(process)];
        while (const std::uint32_t mark = next(p)) keep(p, mark);
    }
}

}  // namespace hopbine::mpi
