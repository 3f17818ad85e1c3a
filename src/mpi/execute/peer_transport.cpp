#include "mpi/execute/peer_transport.hpp"

#include <algorithm>

namespace hopbine::mpi {

namespace {

constexpr std::int64_t kByLibrary = -1;  ///< in place of an offset in the workspace
constexpr int kTaken = 1, kRefused = 2;

}  // namespace

/// `begin` appends requests, and returns an MPI error code.
template <class Post>
void PeerTransport::post(Exchange& e, const Post& begin) {
    keep(begin(requests_.requests()));
    e.pending += requests_.note({&e, e.use});
}

/// The data in a buffer, or where it is.
const char* PeerTransport::brought(const char* from, std::int64_t n) {
    char* const buffer = in_buffer(from) ? nullptr : take_buffer(n);
    if (!buffer) return from;
    device_->copy(buffer, from, bytes(n));
    if (!device_->wait()) keep(MPI_ERR_OTHER);
    return buffer;
}

/// The device's work on what is at `from`, which may be a buffer, has ended. Until the message has
/// completed the memory is the message's.
Begun PeerTransport::begin_send(MessageUse use, const Message& m, int channel, const char* from,
                                std::int64_t n) {
    if (!announced(m, n)) {
        const int error = post_send(m, channel, from, n, requests_.requests());
        return {requests_.note({nullptr, use}), error};
    }
    from = brought(from, n);
    const int to = at_.rank(m.peer),
              tag = at_.tag_of(m.peer, announced_channel(Announced::header, channel));
    std::vector<MPI_Request>& all = requests_.requests();
    if (!in_buffer(from)) {
        keep(PMPI_Isend(&kByLibrary, 1, MPI_INT64_T, to, tag, at_.comm,
                        &all.emplace_back(MPI_REQUEST_NULL)));
        const int error = send_bytes(from, bytes(n), m.peer,
                                     announced_channel(Announced::data, channel), at_, all);
        return {requests_.note({nullptr, use}), error};
    }
    Exchange& e =
        add({use, m.peer, channel, const_cast<char*>(from), bytes(n), peers_.own->offset(from)});
    post(e, [&](std::vector<MPI_Request>& requests) {
        return PMPI_Irecv(&e.acknowledgement, 1, MPI_INT, to,
                          own_tag(e, Announced::acknowledgement), at_.comm,
                          &requests.emplace_back(MPI_REQUEST_NULL));
    });
    post(e, [&](std::vector<MPI_Request>& requests) {
        return PMPI_Isend(&e.header, 1, MPI_INT64_T, to, tag, at_.comm,
                          &requests.emplace_back(MPI_REQUEST_NULL));
    });
    return {1, MPI_SUCCESS};
}

Begun PeerTransport::begin_receive(MessageUse use, const Message& m, int channel, char* to,
                                   std::int64_t n) {
    if (!announced(m, n)) {
        const int error = post_receive(m, channel, to, n, requests_.requests());
        return {requests_.note({nullptr, use}), error};
    }
    Exchange& e = add({use, m.peer, channel, to, bytes(n), kByLibrary});
    post(e, [&](std::vector<MPI_Request>& requests) {
        return PMPI_Irecv(&e.header, 1, MPI_INT64_T, at_.rank(m.peer),
                          own_tag(e, Announced::header), at_.comm,
                          &requests.emplace_back(MPI_REQUEST_NULL));
    });
    return {1, MPI_SUCCESS};
}

int PeerTransport::end_step(std::uint32_t channel) {
    const auto in_step = [&](const auto& e) { return e->use.channel == channel; };
    const auto under_way = [&](const auto& e) { return in_step(e) && e->state != State::over; };
    while (std::ranges::any_of(all_, under_way)) progress();
    std::erase_if(all_, in_step);
    return error_;
}

void PeerTransport::progress() {
    requests_.wait_for_some(at_, [this](const Purpose& of, int error) {
        if (!of.exchange) return ended_.push_back({of.use, error});
        --of.exchange->pending;
        keep(error);
    });
    bool copied = false;
    for (const std::unique_ptr<Exchange>& one : all_) {
        Exchange& e = *one;
        if (e.pending > 0 || e.state == State::over) continue;
        if (e.state != State::announced)
            end(e);
        else if (is_next(e) && e.sends())
            acknowledged(e);
        else if (is_next(e))
            copied |= take(e);
    }
    if (copied && !device_->wait()) keep(MPI_ERR_OTHER);
    for (Exchange* e : to_acknowledge_) acknowledge(*e);
    to_acknowledge_.clear();
}

/// Whether all messages before have been handled, of the same pair, channel and direction.
bool PeerTransport::is_next(const Exchange& e) const {
    const auto first = std::ranges::find_if(all_, [&](const std::unique_ptr<Exchange>& o) {
        return o->sends() == e.sends() && o->peer == e.peer && o->channel == e.channel &&
               o->state == State::announced;
    });
    return first->get() == &e;
}

/// Begins to receive what the header tells of. True: the device copies it.
bool PeerTransport::take(Exchange& e) {
    const bool by_library = e.header == kByLibrary, copied = !by_library && copies();
    if (!by_library) to_acknowledge_.push_back(&e);
    if (copied) {
        const char* const opened = peers_.opened[static_cast<std::size_t>(e.peer)];
        device_->copy(e.at, opened + e.header, e.bytes);
        e.acknowledgement = kTaken;
        e.state = State::here;
        ended_.push_back({e.use, MPI_SUCCESS});
        return true;
    }
    e.acknowledgement = kRefused;
    e.state = State::moving;
    post(e, [&](std::vector<MPI_Request>& all) {
        const Announced what = by_library ? Announced::data : Announced::refused_data;
        return receive_bytes(e.at, e.bytes, e.peer, announced_channel(what, e.channel), at_, all);
    });
    return false;
}

void PeerTransport::acknowledge(Exchange& e) {
    post(e, [&](std::vector<MPI_Request>& all) {
        return PMPI_Isend(&e.acknowledgement, 1, MPI_INT, at_.rank(e.peer),
                          tag_of(e, Announced::acknowledgement), at_.comm,
                          &all.emplace_back(MPI_REQUEST_NULL));
    });
}

void PeerTransport::acknowledged(Exchange& e) {
    if (e.acknowledgement == kTaken) return end(e);
    e.state = State::moving;
    post(e, [&](std::vector<MPI_Request>& all) {
        return send_bytes(e.at, e.bytes, e.peer,
                          announced_channel(Announced::refused_data, e.channel), at_, all);
    });
}

void PeerTransport::end(Exchange& e) {
    if (e.state != State::here) ended_.push_back({e.use, MPI_SUCCESS});
    e.state = State::over;
    if (e.sends()) peers_.own->give_back(e.at);
}

}  // namespace hopbine::mpi
