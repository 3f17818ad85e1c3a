#include "simulation/credits.hpp"

#include <algorithm>
#include <cmath>

namespace hopbine::simulation {

Credits::Credits(const network::Topology& t, Ticks space, double back)
    : links_(t.links()), space_(space), back_(back), behind_(links_.size(), 0) {}

void Credits::add_channel(int channel) {
    while (static_cast<int>(buffers_.size()) <= channel) {
        auto& all = buffers_.emplace_back();
        all.reserve(links_.size());
        for (const network::Link& l : links_) {
            const double cables = std::max(1.0, std::floor(l.capacity));
            all.push_back({std::llround(static_cast<double>(space_) * cables),
                           std::llround(l.cable * back_)});
        }
    }
}

/// Counts the space that has come back.
void Credits::collect(Buffer& b, Ticks now) {
    std::size_t kept = 0;
    for (const Returned& r : b.returned)
        if (r.when <= now)
            b.space += r.size;
        else
            b.returned[kept++] = r;
    b.returned.resize(kept);
}

/// When to look for the trains that wait, if that is earlier than was told before.
Credits::Ticks Credits::wake(Buffer& b) {
    if (b.head < 0 || b.returned.empty()) return kNever;
    Ticks when = b.returned.front().when;
    for (const Returned& r : b.returned) when = std::min(when, r.when);
    if (b.wake != kNever && b.wake <= when) return kNever;
    return b.wake = when;
}

bool Credits::take(int link, int channel, const Train& train, Ticks now, Ticks& wake) {
    Buffer& b = buffer(link, channel);
    if (b.head < 0) [[likely]] {
        if (b.space < train.size) collect(b, now);
        if (b.space >= train.size) {
            b.space -= train.size;
            return true;
        }
    }
    int id = unused_;
    if (id < 0) {
        id = static_cast<int>(waiting_.size());
        waiting_.emplace_back();
    } else {
        unused_ = waiting_[static_cast<std::size_t>(id)].next;
    }
    waiting_[static_cast<std::size_t>(id)] = {train, -1};
    (b.head < 0 ? b.head : waiting_[static_cast<std::size_t>(b.tail)].next) = id;
    b.tail = id;
    behind_[static_cast<std::size_t>(link)] += train.size;
    wake = this->wake(b);
    return false;
}

Credits::Ticks Credits::give(int link, int channel, Ticks size, Ticks when, Ticks now) {
    Buffer& b = buffer(link, channel);
    // Nobody counts what comes back where there is space enough.
    if (b.head < 0 && b.returned.size() == b.returned.capacity()) collect(b, now);
    b.returned.push_back({when + b.back, size});
    if (b.head < 0) return kNever;
    return b.wake == kNever || when + b.back < b.wake ? b.wake = when + b.back : kNever;
}

bool Credits::open(std::uint32_t buffer, Ticks now) {
    Buffer& b = at(buffer);
    if (b.wake != now) return false;
    b.wake = kNever;
    return true;
}

bool Credits::next(std::uint32_t buffer, Ticks now, Train& out, Ticks& wake) {
    Buffer& b = at(buffer);
    collect(b, now);
    if (b.head < 0 || b.space < waiting_[static_cast<std::size_t>(b.head)].train.size) {
        wake = this->wake(b);
        return false;
    }
    Waiting& w = waiting_[static_cast<std::size_t>(b.head)];
    out = w.train;
    b.space -= out.size;
    behind_[buffer % links_.size()] -= out.size;
    const int next = w.next;
    w.next = unused_;
    unused_ = b.head;
    b.head = next;
    return true;
}

std::string Credits::stuck() const {
    constexpr int kNamed = 3;
    std::string out;
    int found = 0;
    for (std::size_t c = 0; c < buffers_.size(); ++c)
        for (std::size_t l = 0; l < links_.size(); ++l) {
            if (buffers_[c][l].head < 0 || ++found > kNamed) continue;
            out += (out.empty() ? "" : ", ") + std::to_string(links_[l].from) + " to " +
                   std::to_string(links_[l].to) + " (virtual channel " + std::to_string(c) + ")";
        }
    if (found > kNamed) out += " and " + std::to_string(found - kNamed) + " more";
    return out;
}

}  // namespace hopbine::simulation
