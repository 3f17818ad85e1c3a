/// Messages on the network: trains of packets that go from link to link, for the packet engine.
#pragma once
#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include "simulation/detours.hpp"
#include "simulation/flows_known.hpp"
#include "simulation/queues.hpp"

namespace hopbine::simulation {

/// The head of a train goes on to the next link at once (cut-through). `kFinite`: with credits; a
/// train that the buffer behind a link has no space for waits in the one before the link, and one
/// that is to be injected holds back those of its message that follow. An engine has
/// - `ask(id, what, at, before)`: an event; calls `pass` then if `what` is a stop, and `grant` if
/// it
///   is `kSpace`;
/// - `left(message, when)`: its last train is on its first link;
/// - `arrived(id)`: its last train is on its last link, and arrives at `arrival`.
template <typename Engine, bool kFinite>
class Trains {
public:
    using Ticks = std::int64_t;
    using Link = typename Queues<kFinite>::Link;
    struct alignas(64) Sending {
        Ticks train;          ///< what a train takes on a link of capacity 1
        Ticks gap;            ///< between trains when they are injected
        Ticks extra;          ///< latency besides that of the links
        Ticks left, arrival;  ///< of the last train so far
        int from, to, step;   ///< lines; from -1 - s: sender s of other traffic
        std::uint32_t path;
        std::uint16_t to_leave, to_arrive;  ///< trains
        std::uint16_t stops, detour;        ///< first stop of the detour, 0: none
    };

    Trains(Engine& engine, const network::Topology& t, const Speeds& s, const PacketOptions& o,
           double ticks)
        : engine_(engine),
          topology_(t),
          s_(s),
          o_(o),
          ticks_(ticks),
          queues_(t, s, ticks, o.buffer),
          paths_(t, kFinite),
          random_(o.seed) {
        if (o.routing != Routing::minimal) detours_.emplace(t);
    }

    const Sending& operator[](std::uint32_t id) const { return messages_[id]; }
    Queues<kFinite>& queues() { return queues_; }
    const Queues<kFinite>& queues() const { return queues_; }
    std::mt19937_64& random() { return random_; }
    Ticks waited() const { return waited_; }
    std::uint32_t obtain() {
        if (unused_.empty()) {
            unused_.push_back(static_cast<std::uint32_t>(messages_.size()));
            messages_.emplace_back();
        }
        const std::uint32_t id = unused_.back();
        unused_.pop_back();
        return id;
    }
    void release(std::uint32_t id) { unused_.push_back(id); }

    /// Sends a message along a route, that from one end point to the other.
    void inject(std::uint32_t id, const network::Route& route, int at, int end, double bytes,
                int line, int to, int step, Ticks now) {
        double cables = route.cables, routers = route.routers, rate = 0;
        const auto& links = topology_.links();
        const int source = links[static_cast<std::size_t>(route.hops.front().link)].from;
        for (const network::Hop& h : route.hops) {
            const network::Link& l = links[static_cast<std::size_t>(h.link)];
            cables -= h.share * l.cable;
            routers -= h.share;
            if (l.from == source) rate += l.capacity;
        }
        const bool around = detours_ && detours_->draw(at, end, random_, there_, on_);
        if (!around) there_.clear(), on_.clear();
        const std::size_t minimal = route.hops.size();
        const int trains = train_count(bytes, o_);
        const double train = bytes / trains / s_.bandwidth;
        messages_[id] = {ticks(train),
                         ticks(train / rate),
                         ticks(cables * s_.cable + routers * s_.router),
                         0,
                         0,
                         line,
                         to,
                         step,
                         paths_.add(route.hops, there_, on_),
                         static_cast<std::uint16_t>(trains),
                         static_cast<std::uint16_t>(trains),
                         static_cast<std::uint16_t>(minimal + there_.size() + on_.size()),
                         static_cast<std::uint16_t>(around ? minimal : 0)};
        engine_.ask(id, 0, now);
    }

    /// The head of a train is at a vertex and asks for one of the links there. `before`: the stop
    /// that it comes by, with credits.
    void pass(std::uint32_t id, std::uint16_t at, std::uint16_t before, Ticks now) {
        Sending& m = messages_[id];
        const Stop* const stops = paths_.at(m.path);
        if (at == 0) {
            before = Stop::kNone;
            if (m.detour > 0 && goes_around(stops, m, now)) at = m.detour;
        }
        if (stops[at].other != Stop::kNone) at = queues_.choose(stops, at, now, random_);
        if constexpr (kFinite)
            if (!takes_space(m, stops[at], {id, at, before, m.train, now})) return;
        go(m, stops, {id, at, before, m.train, now}, now);
    }

    /// Space has come back to a buffer: trains that wait for it go on.
    void grant(std::uint32_t buffer, Ticks now) {
        Credits& credits = queues_.credits();
        if (!credits.open(buffer, now)) return;
        Credits::Train train;
        Ticks wake = Credits::kNever;
        while (credits.next(buffer, now, train, wake)) {
            Sending& m = messages_[train.message];
            go(m, paths_.at(m.path), train, now);
        }
        if (wake != Credits::kNever) engine_.ask(buffer, Engine::kSpace, wake);
    }

    /// For an event that comes soon, nearer and nearer: its message; its stop; the stop's link, and
    /// the buffers behind that and before.
    void prefetch(std::uint32_t id) const { __builtin_prefetch(&messages_[id]); }
    void prefetch_stop(std::uint32_t id, std::uint16_t at) const {
        paths_.prefetch(messages_[id].path, at);
    }
    void prefetch_link(std::uint32_t id, std::uint16_t at, std::uint16_t before) const {
        const std::uint32_t path = messages_[id].path;
        const Stop* const stops = paths_.at(path);
        queues_.prefetch(stops[at]);
        if constexpr (kFinite) {
            const Credits& credits = queues_.credits();
            const auto buffer = [&](std::uint16_t stop) {
                credits.prefetch(credits.number(stops[stop].link, paths_.channel(path, stop)));
            };
            if (stops[at].next != Stop::kNone) buffer(at);
            if (at > 0) buffer(before);
        }
    }

    /// The route of a message that has arrived is not needed any more.
    void forget(const Sending& m) { paths_.remove(m.path, m.stops); }

private:
    Ticks ticks(double seconds) const { return std::llround(seconds * ticks_); }

    /// A train of a message is granted the link of its stop.
    void go(Sending& m, const Stop* stops, const Credits::Train& t, Ticks now) {
        const Stop& stop = stops[t.stop];
        Link& l = queues_.link(stop);
        const Ticks sending = queues_.sending(l, m.train), passing = std::max(sending, m.train),
                    begin = std::max(now, l.free), end = begin + passing;
        waited_ += begin - t.asked;
        l.free = begin + sending;
        l.busy += sending;
        if constexpr (kFinite) leave(m, stops, t.before, end, now);
        if (t.before == Stop::kNone) {
            m.left = std::max(m.left, end);
            if (--m.to_leave > 0)
                engine_.ask(t.message, 0, now + m.gap);
            else
                engine_.left(m, m.left);
        }
        if (stop.next != Stop::kNone)
            return engine_.ask(
                t.message, stop.next,
                begin + l.latency + queues_.delay(stops, stop.next, m.train, passing),
                kFinite ? t.stop : 0);
        m.arrival = std::max(m.arrival, end + l.latency + m.extra);
        if (--m.to_arrive == 0) engine_.arrived(t.message);
    }

    /// Whether there is space for a train behind the link of a stop. A node takes at once what is
    /// for it.
    bool takes_space(const Sending& m, const Stop& stop, const Credits::Train& t) {
        if (stop.next == Stop::kNone) return true;
        const int channel = paths_.channel(m.path, t.stop);
        Ticks wake = Credits::kNever;
        const bool taken = queues_.credits().take(stop.link, channel, t, t.asked, wake);
        wake_up(stop.link, channel, wake);
        return taken;
    }

    /// The tail of a train leaves the buffer that it came to by the stop before.
    void leave(const Sending& m, const Stop* stops, std::uint16_t before, Ticks end, Ticks now) {
        if (before == Stop::kNone) return;
        const int link = stops[before].link, channel = paths_.channel(m.path, before);
        wake_up(link, channel, queues_.credits().give(link, channel, m.train, end, now));
    }
    void wake_up(int link, int channel, Ticks when) {
        if (when != Credits::kNever)
            engine_.ask(queues_.credits().number(link, channel), Engine::kSpace, when);
    }

    /// Whether a train takes the detour: by UGAL if its queue times its links is shorter.
    bool goes_around(const Stop* stops, const Sending& m, Ticks now) {
        if (o_.routing == Routing::valiant) return true;
        return queues_.cost(stops, m.detour, now) < queues_.cost(stops, 0, now);
    }

    Engine& engine_;
    const network::Topology& topology_;
    Speeds s_;
    const PacketOptions& o_;
    double ticks_;  ///< in a second
    Queues<kFinite> queues_;
    Paths paths_;
    std::mt19937_64 random_;
    std::optional<Detours> detours_;
    std::vector<Sending> messages_;
    std::vector<std::uint32_t> unused_;
    std::vector<network::Hop> there_, on_;  ///< legs of a detour
    Ticks waited_ = 0;
};

}  // namespace hopbine::simulation
