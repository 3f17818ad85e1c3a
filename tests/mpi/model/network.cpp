#include "network.hpp"

#include <algorithm>
#include <cstring>

namespace model {

Network& Network::get() {
    static Network& network = *new Network;
    return network;
}

void Network::draw(std::uint64_t seed, bool overtakes) {
    random_.seed(seed * 2 + 1);
    const auto one_of = [&](std::initializer_list<double> values) {
        return values.begin()[random_() % values.size()];
    };
    habits_ = {one_of({0, 0.2, 0.5, 1}), one_of({0.02, 0.2, 0.5, 0.9}), random_() % 4 == 0,
               overtakes};
}

std::size_t Network::drawn(std::size_t n) { return habits_.last_first ? n - 1 : random_() % n; }

void Network::post(const Place& place, const TransferPtr& transfer) {
    const std::lock_guard hold(lock);
    note();
    if (transfer->sends && std::uniform_real_distribution()(random_) < habits_.buffers) {
        transfer->buffered.assign(transfer->data, transfer->data + transfer->bytes);
        transfer->reads_late = false;
        ending_.push_back(transfer);
    }
    Queue& queue = queues_[place];
    (transfer->sends ? queue.sent : queue.awaited).push_back(transfer);
    if (!queue.sent.empty() && !queue.awaited.empty()) match(queue);
    if (queue.sent.empty() && queue.awaited.empty()) queues_.erase(place);
}

void Network::match(Queue& queue) {
    const bool last = habits_.overtakes && random_() % 2;
    Match found{last ? queue.sent.back() : queue.sent.front(), queue.awaited.front()};
    last ? queue.sent.pop_back() : queue.sent.pop_front();
    queue.awaited.pop_front();
    // MPI may write to the buffer from now on.
    const std::int64_t bytes = std::min(found.sent->bytes, found.awaited->bytes);
    if (bytes > 0) std::memset(found.awaited->data, 0xA5, static_cast<std::size_t>(bytes));
    matched_.push_back(std::move(found));
}

void Network::deliver(const Match& match) {
    Transfer &out = *match.sent, &in = *match.awaited;
    in.got = std::min(out.bytes, in.bytes);
    in.truncated = out.bytes > in.bytes;
    if (in.got > 0)
        std::memcpy(in.data, out.reads_late ? out.data : out.buffered.data(),
                    static_cast<std::size_t>(in.got));
    in.complete = true;
    if (out.reads_late) ending_.push_back(match.sent);
}

bool Network::may_move() {
    const std::lock_guard hold(lock);
    return (!matched_.empty() || !ending_.empty()) &&
           std::uniform_real_distribution()(random_) < habits_.delivers;
}

bool Network::move() {
    const std::lock_guard hold(lock);
    const std::size_t all = matched_.size() + ending_.size();
    if (all == 0) return false;
    note();
    if (random_() % all < matched_.size()) {
        const std::size_t i = drawn(matched_.size());
        const Match match = matched_[i];
        matched_.erase(matched_.begin() + static_cast<std::ptrdiff_t>(i));
        deliver(match);
    } else {
        const std::size_t i = drawn(ending_.size());
        ending_[i]->complete = true;
        ending_.erase(ending_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return true;
}

std::string Network::unmatched() {
    const std::lock_guard hold(lock);
    std::string out;
    for (const auto& [place, queue] : queues_) {
        const auto [comm, from, to, tag] = place;
        out += "\n  communicator " + std::to_string(comm) + ", rank " + std::to_string(from) +
               " to " + std::to_string(to) + ", tag " + std::to_string(tag) + ": " +
               std::to_string(queue.sent.size()) + " sent, " +
               std::to_string(queue.awaited.size()) + " awaited";
    }
    return out;
}

}  // namespace model
