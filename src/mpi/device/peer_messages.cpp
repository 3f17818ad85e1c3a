#include "mpi/device/peer_messages.hpp"

#include <algorithm>

#include "mpi/execute/long_messages.hpp"
#include "runtime/peers.hpp"

namespace hopbine::mpi {

namespace {

constexpr std::int64_t kByLibrary = -1;  ///< in place of an offset in the workspace
constexpr int kTaken = 1, kRefused = 2;

}  // namespace

bool PeerMessages::copies() const { return device_ && device_->is_of(at_.peers->own->memory()); }

char* PeerMessages::buffer(std::int64_t bytes) const {
    return copies() ? at_.peers->own->take(bytes) : nullptr;
}

bool PeerMessages::in_buffer(const char* from) const {
    return at_.peers->own && at_.peers->own->has(from);
}

/// `begin` appends requests, and returns an MPI error code.
template <class Post>
void PeerMessages::post(Exchange& e, const Post& begin) {
    keep(begin(requests_.requests()));
    e.pending += requests_.note(&e);
}

void PeerMessages::send(int peer, const char* from, std::int64_t bytes,
                        std::vector<MPI_Request>& requests) {
    const int to = at_.rank(peer), tag = at_.tag_of(peer, kHeaderChannel);
    if (!in_buffer(from)) {
        keep(PMPI_Isend(&kByLibrary, 1, MPI_INT64_T, to, tag, at_.comm, &requests.emplace_back()));
        return keep(send_bytes(from, bytes, peer, kAnnouncedChannel, at_, requests));
    }
    Exchange& e = add({true, peer, const_cast<char*>(from), bytes, at_.peers->own->offset(from)});
    post(e, [&](std::vector<MPI_Request>& all) {
        return PMPI_Irecv(&e.acknowledgement, 1, MPI_INT, to, at_.own_tag(kAcknowledgementChannel),
                          at_.comm, &all.emplace_back());
    });
    post(e, [&](std::vector<MPI_Request>& all) {
        return PMPI_Isend(&e.header, 1, MPI_INT64_T, to, tag, at_.comm, &all.emplace_back());
    });
}

int PeerMessages::receive(int peer, char* to, std::int64_t bytes) {
    Exchange& e = add({false, peer, to, bytes, kByLibrary});
    post(e, [&](std::vector<MPI_Request>& all) {
        return PMPI_Irecv(&e.header, 1, MPI_INT64_T, at_.rank(peer), at_.own_tag(kHeaderChannel),
                          at_.comm, &all.emplace_back());
    });
    return static_cast<int>(all_.size());
}

void PeerMessages::await(int received) {
    const Exchange& e = *all_[static_cast<std::size_t>(received) - 1];
    while (e.state != State::here && e.state != State::over) progress();
}

void PeerMessages::wait(MPI_Request& other) {
    if (other == MPI_REQUEST_NULL) return;
    if (requests_.empty()) return keep(mpi::wait(&other, MPI_STATUS_IGNORE, at_));
    post(other_, [&](std::vector<MPI_Request>& all) {
        all.push_back(std::exchange(other, MPI_REQUEST_NULL));
        return MPI_SUCCESS;
    });
    while (other_.pending > 0) progress();
}

int PeerMessages::end_step() {
    while (!requests_.empty()) progress();
    all_.clear();
    return error_;
}

void PeerMessages::progress() {
    requests_.wait_for_some(at_, [this](Exchange* e, int error) {
        --e->pending;
        keep(error);
    });
    bool copied = false;
    for (const std::unique_ptr<Exchange>& one : all_) {
        Exchange& e = *one;
        if (e.pending > 0 || e.state == State::over) continue;
        if (e.state != State::announced)
            end(e);
        else if (is_next(e) && e.sends)
            acknowledged(e);
        else if (is_next(e))
            copied |= take(e);
    }
    if (copied) keep(device_->wait());
    for (Exchange* e : to_acknowledge_) acknowledge(*e);
    to_acknowledge_.clear();
}

/// Whether all messages before have been handled, of the same pair in the same direction.
bool PeerMessages::is_next(const Exchange& e) const {
    const auto first = std::ranges::find_if(all_, [&](const std::unique_ptr<Exchange>& o) {
        return o->sends == e.sends && o->peer == e.peer && o->state == State::announced;
    });
    return first->get() == &e;
}

/// Begins to receive what the header tells of. True: the device copies it.
bool PeerMessages::take(Exchange& e) {
    const bool by_library = e.header == kByLibrary, copied = !by_library && copies();
    if (!by_library) to_acknowledge_.push_back(&e);
    if (copied) {
        const char* const opened = at_.peers->opened[static_cast<std::size_t>(e.peer)];
        keep(device_->copy(e.at, opened + e.header, e.bytes));
        e.acknowledgement = kTaken;
        e.state = State::here;
        return true;
    }
    e.acknowledgement = kRefused;
    e.state = State::moving;
    post(e, [&](std::vector<MPI_Request>& all) {
        return receive_bytes(e.at, e.bytes, e.peer,
                             by_library ? kAnnouncedChannel : kRefusedChannel, at_, all);
    });
    return false;
}

void PeerMessages::acknowledge(Exchange& e) {
    post(e, [&](std::vector<MPI_Request>& all) {
        return PMPI_Isend(&e.acknowledgement, 1, MPI_INT, at_.rank(e.peer),
                          at_.tag_of(e.peer, kAcknowledgementChannel), at_.comm,
                          &all.emplace_back());
    });
}

void PeerMessages::acknowledged(Exchange& e) {
    if (e.acknowledgement == kTaken) return end(e);
    e.state = State::moving;
    post(e, [&](std::vector<MPI_Request>& all) {
        return send_bytes(e.at, e.bytes, e.peer, kRefusedChannel, at_, all);
    });
}

void PeerMessages::end(Exchange& e) {
    e.state = State::over;
    if (e.sends) at_.peers->own->give_back(e.at);
}

}  // namespace hopbine::mpi
