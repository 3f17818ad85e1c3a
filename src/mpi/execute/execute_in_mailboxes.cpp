#include <algorithm>
#include <utility>

#include "mpi/execute/private_comm.hpp"
#include "mpi/execute/step_by_step.hpp"
#include "runtime/copy.hpp"
#include "runtime/fiber.hpp"
#include "runtime/mailboxes.hpp"

namespace hopbine::mpi {

namespace {

/// Lets a core's other thread run. A message that is under way arrives within some of these.
void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// A message is sent when it is begun, and received when it is awaited.
class InMailboxes : public StepByStep<InMailboxes> {
public:
    using StepByStep::StepByStep;

    void begin_send(const Message& m, std::int64_t n, const char* from) {
        const int to = at_.rank(m.peer);
        const std::int64_t bytes = n * (b_.plain() ? b_.width : b_.reduction->type.size);
        char* room = nullptr;
        until([&] { return (room = at_.mailboxes->room(to, bytes)) != nullptr; });
        keep(write(from, n, room, bytes));
        at_.mailboxes->post(to, at_.tag_of(m.peer, kDataChannel), bytes);
    }
    /// Notes the receive. Those of a step are awaited in their order; that of direct() by
    /// end_step().
    int begin_receive(const Message& m, std::int64_t n, char* to) {
        begun_ = {&m, n, to};
        return 0;
    }
    void await(const Received& r) {
        begun_ = {};
        receive({r.message, r.elements, r.staged ? r.staged : address(pieces(*r.message)[0])});
    }
    void wait(std::size_t, std::size_t) {}
    void end_step() {
        if (begun_.message) receive(std::exchange(begun_, {}));
    }
    bool may_block(const Message&) const { return false; }
    bool short_enough(const Message&, std::int64_t) const { return false; }

private:
    struct Begun {
        const Message* message = nullptr;
        std::int64_t elements = 0;
        char* to = nullptr;
    };

    void receive(const Begun& r) {
        const int from = at_.rank(r.message->peer), tag = at_.own_tag(kDataChannel);
        until([&] {
            return at_.mailboxes->take(from, tag, [&](const char* data, std::int64_t bytes) {
                keep(read(data, bytes, r));
            });
        });
    }

    /// Waits until `done` returns true. At first at once: to be suspended takes as long as a
    /// message that is under way.
    template <class Done>
    void until(const Done& done) {
        constexpr int kAtOnce = 120, kForEachPause = 8, kForAll = 64;
        for (int tries = 1; !done(); ++tries) {
            if (tries > kAtOnce)
                at_.fiber->suspend();
            else if (tries % kForEachPause == 0)
                pause();
            if (tries % kForAll == 0) at_.mailboxes->empty_all();
        }
    }

    int write(const char* from, std::int64_t n, char* to, std::int64_t bytes) const {
        if (!b_.plain()) {
            int used = 0;
            return PMPI_Pack(from, count(n), type(), to, static_cast<int>(bytes), &used,
                             self_comm());
        }
        copy_bytes(to, from, bytes);
        return MPI_SUCCESS;
    }
    int read(const char* from, std::int64_t bytes, const Begun& r) const {
        if (b_.plain()) {
            const std::int64_t room = r.elements * b_.width;
            copy_bytes(r.to, from, std::min(bytes, room));
            return bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
        }
        int used = 0;
        return PMPI_Unpack(from, static_cast<int>(bytes), &used, r.to, count(r.elements), type(),
                           self_comm());
    }

    Begun begun_;
};

}  // namespace

int execute_in_mailboxes(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w) {
    if (b.mirror) b.mirror->wait_for_all();
    return InMailboxes(plan, b, at, w).steps();
}

}  // namespace hopbine::mpi
