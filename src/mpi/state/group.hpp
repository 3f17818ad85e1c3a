/// The ranks of a communicator of the program: their tags, and how they agree by messages.
#pragma once
#include <mpi.h>

#include <array>
#include <span>
#include <vector>

#include "choice/members.hpp"
#include "mpi/execute/messages.hpp"
#include "mpi/state/stats.hpp"
#include "mpi/state/tag_space.hpp"

namespace hopbine::mpi {

/// Whether it is an intercommunicator, whose calls are for the MPI library alone.
bool intercommunicates(MPI_Comm comm);

class Group : public Members {
public:
    /// Finds the ranks and whether hopbine may serve them, without communication.
    explicit Group(MPI_Comm comm);
    /// The ranks of another group for calls of this form, without tags.
    Group(const Group& other, Form form);
    /// Some ranks of an open one, for what they do within a call of it, by its tags: no others are
    /// in use meanwhile. They agree by messages alone.
    Group(const Group& of, std::span<const int> ranks);

    DeviceGate device;

    /// The user's communicator, for agreements of ranks that are all in the same call on it;
    /// MPI_COMM_WORLD once it is freed; MPI_COMM_NULL of a part of a group.
    MPI_Comm user() const { return user_; }
    /// The communicator is freed: calls under way go on.
    void outlive() { user_ = MPI_COMM_WORLD; }
    std::vector<int> shape() const override;

    /// Inside the user's own call.
    bool open(DeviceUse use) final;
    bool is_open() const final { return tags_.is_open(); }
    std::array<double, 3> tell() final;
    void hear(std::span<const double> all) final;
    void maxima(std::span<double> numbers) final;
    void barrier() final;
    std::int64_t most(std::int64_t mine) final;
    void most_of_all(std::span<std::int64_t> numbers) final;
    void send(const select::Bytes& bytes, int to) final;
    select::Bytes receive(int from) final;

    const Endpoint& endpoint() const { return endpoint_; }
    /// The endpoint of these ranks with the tags of another space.
    Endpoint endpoint(const TagSpace& tags) const;
    /// Sets the endpoint over which the ranks count.
    void count_over(const Endpoint& endpoint) { endpoint_ = endpoint; }
    /// The pairs of the ranks whose devices exchange messages; null: there are none. Calls begun
    /// later heed them. They live as long as the process.
    const Peers* peers() const { return endpoint_.peers(); }
    void set_peers(const Peers* peers) {
        endpoint_.carrier = {};
        endpoint_.carry_by(peers);
    }

private:
    void close();

    MPI_Comm user_;
    std::vector<int> shape_;  ///< not blocking: the program may free its communicator meanwhile
    TagSpace tags_;
    std::vector<int> first_tags_;  ///< of the ranks, where they are a part of a group
    Endpoint endpoint_;
};

}  // namespace hopbine::mpi
