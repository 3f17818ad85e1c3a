#include "simulation/credits.hpp"

#include <algorithm>
#include <cmath>

namespace hopbine::simulation {

namespace {

/// A place in a pool whose unused members are a chain.
template <typename Member>
int obtain(std::vector<Member>& pool, int& unused) {
    const int id = unused;
    if (id < 0) {
        pool.emplace_back();
        return static_cast<int>(pool.size()) - 1;
    }
    unused = pool[static_cast<std::size_t>(id)].next;
    return id;
}

/// Makes a member of a pool the last one of a circle.
template <typename Member>
void append(std::vector<Member>& pool, int& last, int id) {
    Member& m = pool[static_cast<std::size_t>(id)];
    m.next = id;
    if (last >= 0) std::swap(m.next, pool[static_cast<std::size_t>(last)].next);
    last = id;
}

/// Removes the first member of a circle.
template <typename Member>
int remove_first(std::vector<Member>& pool, int& last, int& unused) {
    Member& end = pool[static_cast<std::size_t>(last)];
    const int first = end.next;
    Member& m = pool[static_cast<std::size_t>(first)];
    end.next = m.next;
    if (first == last) last = -1;
    m.next = unused;
    unused = first;
    return first;
}

}  // namespace

Credits::Credits(const network::Topology& t, Ticks space, double back)
    : links_(t.links()), space_(space), back_(back), behind_(links_.size(), 0) {}

void Credits::add_channel() {
    buffers_.reserve(buffers_.size() + links_.size());
    for (const network::Link& l : links_) {
        const Ticks back = std::llround(l.cable * back_);
        const auto known = std::find(backs_.begin(), backs_.end(), back);
        Buffer& b = buffers_.emplace_back();
        b.space = std::llround(static_cast<double>(space_) * std::max(1.0, std::floor(l.capacity)));
        b.back = static_cast<std::uint16_t>(known - backs_.begin());
        if (known == backs_.end()) backs_.push_back(back);
    }
}

/// Keeps what is later than all of `soon`, in order of time.
void Credits::keep_later(Buffer& b, const Returned& r) {
    const int id = obtain(later_, unused_later_);
    later_[static_cast<std::size_t>(id)].returned = r;
    if (b.later < 0 || later_[static_cast<std::size_t>(b.later)].returned.when <= r.when)
        return append(later_, b.later, id);
    int before = b.later;  // of the first
    for (;;) {
        const int next = later_[static_cast<std::size_t>(before)].next;
        if (later_[static_cast<std::size_t>(next)].returned.when > r.when) break;
        before = next;
    }
    later_[static_cast<std::size_t>(id)].next = later_[static_cast<std::size_t>(before)].next;
    later_[static_cast<std::size_t>(before)].next = id;
}

Credits::Returned Credits::take_later(Buffer& b) {
    const int id = remove_first(later_, b.later, unused_later_);
    return later_[static_cast<std::size_t>(id)].returned;
}

/// When to look for the trains that wait, if that is earlier than was told before.
Credits::Ticks Credits::wake(Buffer& b) {
    if (b.waiting < 0 || b.returning == 0) return kNever;
    const Ticks when = b.soon[0].when;
    if (b.wake != kNever && b.wake <= when) return kNever;
    return b.wake = when;
}

void Credits::wait(Buffer& b, int link, const Train& train) {
    const int id = obtain(waiting_, unused_waiting_);
    waiting_[static_cast<std::size_t>(id)] = {train, -1, link};
    append(waiting_, b.waiting, id);
    behind_[static_cast<std::size_t>(link)] += train.size;
}

bool Credits::open(std::uint32_t buffer, Ticks now) {
    Buffer& b = buffers_[buffer];
    if (b.wake != now) return false;
    b.wake = kNever;
    return true;
}

bool Credits::next(std::uint32_t buffer, Ticks now, Train& out, Ticks& wake) {
    Buffer& b = buffers_[buffer];
    collect(b, now);
    if (b.waiting >= 0) {
        const int first = waiting_[static_cast<std::size_t>(b.waiting)].next;
        const Waiting& w = waiting_[static_cast<std::size_t>(first)];
        if (b.space >= w.train.size) {
            out = w.train;
            b.space -= out.size;
            behind_[static_cast<std::size_t>(w.link)] -= out.size;
            remove_first(waiting_, b.waiting, unused_waiting_);
            return true;
        }
    }
    wake = this->wake(b);
    return false;
}

std::string Credits::stuck() const {
    constexpr std::size_t kNamed = 3;
    std::string out;
    std::size_t found = 0;
    for (std::size_t n = 0; n < buffers_.size(); ++n) {
        if (buffers_[n].waiting < 0 || ++found > kNamed) continue;
        const network::Link& l = links_[n % links_.size()];
        out += (out.empty() ? "" : ", ") + std::to_string(l.from) + " to " + std::to_string(l.to) +
               " (virtual channel " + std::to_string(n / links_.size()) + ")";
    }
    if (found > kNamed) out += " and " + std::to_string(found - kNamed) + " more";
    return out;
}

}  // namespace hopbine::simulation
