#include "mpi/execute/execute.hpp"

#include <cstring>

#include "mpi/execute/messages.hpp"
#include "mpi/execute/peer_transport.hpp"
#include "runtime/copy.hpp"
#include "runtime/mailbox_transport.hpp"
#include "runtime/run_plan.hpp"

namespace hopbine::mpi {

namespace {

// What is in this anonymous namespace makes the loops that use it this file's own: the compiler
// inlines what is called once. Without that an allreduce of 8 bytes takes 0.02 us more.

/// Host memory, which the CPU works on.
class OnHost {
public:
    static constexpr bool kDevice = false;
    explicit OnHost(const Binding& b) : reduction_(b.reduction) {}
    int copy(char* to, const char* from, std::int64_t n) const {
        if (reduction_) return copy_elements(to, from, n, reduction_->type);
        std::memcpy(to, from, static_cast<std::size_t>(n));
        return MPI_SUCCESS;
    }
    int add(char* from, char* to, std::int64_t n, bool left) const {
        return reduction_->apply(from, to, n, left);
    }
    int settle() const { return MPI_SUCCESS; }

private:
    const Reduction* reduction_;
};

/// A device's memory, which it works on itself. Its kernels commute.
class OnDevice {
public:
    static constexpr bool kDevice = true;
    explicit OnDevice(const Binding& b)
        : device_(*b.device), reduction_(b.reduction), width_(b.width) {}
    int copy(char* to, const char* from, std::int64_t n) const {
        device_.copy(to, from, n * width_);
        return MPI_SUCCESS;
    }
    int add(char* from, char* to, std::int64_t n, bool) const {
        device_.reduce(reduction_->kernel_name, reduction_->type.size, from, to, n);
        return MPI_SUCCESS;
    }
    int add_several(const hopbine_operands& of, char* out, std::int64_t n) const {
        device_.reduce_several(reduction_->kernel_name, reduction_->type.size, of, out, n);
        return MPI_SUCCESS;
    }
    int settle() const { return device_.wait() ? MPI_SUCCESS : MPI_ERR_OTHER; }

private:
    MemoryWork& device_;
    const Reduction* reduction_;
    std::int64_t width_;
};

ElementType element_type(const Binding& b) {
    if (b.reduction && !b.reduction->type.plain)
        return {b.reduction->type.handle, 1, b.reduction->type.size};
    return {MPI_BYTE, b.width, b.width};
}

/// Elements in messages in mailboxes: those with gaps are packed.
class PackedElements {
public:
    explicit PackedElements(const ElementType& type) : type_(type) {}
    std::int64_t bytes(std::int64_t n) const { return n * type_.size; }
    int write(const char* from, std::int64_t n, char* to, std::int64_t bytes) const {
        if (type_.handle != MPI_BYTE) {
            int used = 0;
            return PMPI_Pack(from, type_.count(n), type_.handle, to, static_cast<int>(bytes), &used,
                             self_comm());
        }
        copy_bytes(to, from, bytes);
        return MPI_SUCCESS;
    }
    int read(const char* from, std::int64_t bytes, char* to, std::int64_t n) const {
        if (type_.handle == MPI_BYTE) {
            const std::int64_t room = n * type_.width;
            copy_bytes(to, from, std::min(bytes, room));
            return bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
        }
        int used = 0;
        return PMPI_Unpack(from, static_cast<int>(bytes), &used, to, type_.count(n), type_.handle,
                           self_comm());
    }

private:
    const ElementType type_;
};

/// A call on its way to the loop: each function chooses one of its parts.
struct Execution {
    const Plan& plan;
    const Binding& b;
    const Endpoint& at;
    Workspace& w;

    int by(ByLibrary) const {
        MpiTransport transport(at, element_type(b), b.width, w.requests);
        return over(transport);
    }
    int by(Mailboxes* mailboxes) const {
        MailboxTransport transport(at, *mailboxes, *at.fiber, PackedElements(element_type(b)),
                                   w.run.in_mailboxes);
        return over(transport);
    }
    [[gnu::cold]] int by(const Peers*) const {
        if (plan.steps().all_channels > kAnnouncedChannels) return by(ByLibrary{});
        PeerTransport transport(at, element_type(b), b.width, b.device);
        return over(transport);
    }
    template <class Transport>
    int over(Transport& transport) const {
        return b.device ? run(transport, OnDevice(b)) : run(transport, OnHost(b));
    }
    template <class Transport, class Work>
    int run(Transport& transport, Work work) const {
        return PlanRunner(plan, b, b.observers, transport, work, w.run).run();
    }
};

}  // namespace

Workspace& Workspace::on(Memory& device) {
    std::unique_ptr<Workspace>& out = devices_[&device];
    if (!out) out = std::make_unique<Workspace>(&device);
    return *out;
}

int execute(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w) {
    const Execution execution{plan, b, at, w};
    return std::visit([&](auto by) { return execution.by(by); }, at.carrier);
}

}  // namespace hopbine::mpi
