#include <algorithm>
#include <optional>
#include <random>

#include "simulation/detours.hpp"
#include "simulation/flows_known.hpp"
#include "simulation/lines.hpp"
#include "simulation/paths.hpp"
#include "simulation/wheel.hpp"

namespace hopbine::simulation {

namespace {

using Ticks = std::int64_t;

/// Ticks in a second: 10^12, or fewer if everything one after the other would not fit in 2^61.
double tick_rate(const Known& k, double bytes, const Speeds& s) {
    double narrowest = 1, longest = 0;
    for (const network::Link& l : k.topology->links()) narrowest = std::min(narrowest, l.capacity);
    const double part = k.program.part_bytes(bytes) / (s.bandwidth * narrowest);
    for (const StepLoad& l : k.loads.steps)
        longest +=
            static_cast<double>(l.times) *
            (l.hops * part + k.program.lines() * (l.cables * s.cable + l.routers * s.router));
    return longest > 0 ? std::min(1e12, 0x1p61 / longest) : 1e12;
}

/// Lines in a random order, neighbours of large programs together, as they share cache lines.
std::vector<int> shuffled(int lines, std::mt19937_64& random) {
    const int together = std::clamp(lines / 256, 1, 64);
    std::vector<int> firsts, out;
    for (int l = 0; l < lines; l += together) firsts.push_back(l);
    for (std::size_t i = 1; i < firsts.size(); ++i)
        std::swap(firsts[i], firsts[random() % (i + 1)]);
    for (int first : firsts)
        for (int l = first; l < std::min(lines, first + together); ++l) out.push_back(l);
    return out;
}

/// One run of the packet engine. An event is the head of a train that reaches a vertex and asks for
/// a link, or a line that has completed its step.
///
/// A link serves trains in the order in which they ask, each for its bytes over the link's
/// bandwidth. A train passes at the speed of one cable, so that on a bundle of k cables one begins
/// every kth of that time. Its head goes on to the next link at once (cut-through).
class Run {
    friend class Lines<Run, Ticks>;

public:
    Run(const Known& k, double bytes, const Speeds& s, const PacketOptions& o)
        : k_(k),
          per_part_(k.program.part_bytes(bytes)),
          s_(s),
          o_(o),
          ticks_(tick_rate(k, bytes, s)),
          paths_(*k.topology),
          lines_(*this, k.program, k.messages),
          random_(o.seed) {
        if (o.routing != Routing::minimal) detours_.emplace(*k.topology);
        for (const network::Link& l : k.topology->links()) {
            links_.push_back({0, 0, 1 / l.capacity, ticks(l.cable * s.cable + s.router)});
            slow_ |= l.capacity < 1;
        }
    }

    PacketOutcome outcome() {
        for (int line : shuffled(k_.program.lines(), random_)) lines_.next_step(line, 0);
        for (Due due; wheel_.pop(due);) {
            ++out_.events;
            wheel_.peek(kAhead, [&](const Due& next) { prefetch(next.what); });
            const auto stop = static_cast<std::uint16_t>(due.what);
            const auto id = static_cast<std::uint32_t>(due.what >> 16);
            const auto now = static_cast<Ticks>(due.time);
            if (stop == Stop::kNone)
                lines_.next_step(static_cast<int>(id), now);
            else
                pass(id, stop, now);
        }
        out_.seconds = seconds(lines_.end());
        for (const Link& l : links_) out_.busy.push_back(seconds(l.busy));
        out_.waited = seconds(waited_);
        return std::move(out_);
    }

private:
    static constexpr int kAhead = 6;  // events; far enough for a cache miss
    struct Link {
        Ticks free, busy;  ///< when its queue is empty; how long it has sent in all
        double slowness;   ///< 1 / capacity
        Ticks latency;     ///< of its cable and the router behind
    };
    struct Sending {
        Ticks train;          ///< what a train takes on a link of capacity 1
        Ticks gap;            ///< between trains when they are injected
        Ticks extra;          ///< latency besides that of the links
        Ticks left, arrival;  ///< of the last train so far
        int from, to, step;   ///< lines
        std::uint32_t path;
        std::uint16_t to_leave, to_arrive;  ///< trains
        std::uint16_t stops, detour;        ///< first stop of the detour, 0: none
    };
    struct Watched {
        double begin, bytes;
    };

    Ticks ticks(double seconds) const { return std::llround(seconds * ticks_); }
    double seconds(Ticks t) const { return static_cast<double>(t) / ticks_; }
    Ticks on(const Link& l, const Sending& m) const {
        return static_cast<Ticks>(static_cast<double>(m.train) * l.slowness + 0.5);
    }
    Link& link(const Stop& s) { return links_[static_cast<std::size_t>(s.link)]; }
    void prefetch(std::uint64_t what) const {
        const auto stop = static_cast<std::uint16_t>(what);
        if (stop == Stop::kNone) return;
        const Sending& m = messages_[static_cast<std::size_t>(what >> 16)];
        __builtin_prefetch(&m);
    }
    void later(int line, Ticks at) {
        wheel_.push(
            {static_cast<std::uint64_t>(at), static_cast<std::uint64_t>(line) << 16 | Stop::kNone});
    }
    void ask(std::uint32_t id, std::uint16_t stop, Ticks at) {
        wheel_.push({static_cast<std::uint64_t>(at), static_cast<std::uint64_t>(id) << 16 | stop});
    }
    int rank(int line) const { return line / k_.program.channels(); }

    void send(const Message& m, int line, int step, Ticks now) {
        ++out_.messages;
        const int to = m.to * k_.program.channels() + m.channel;
        const double bytes = per_part_ * static_cast<double>(m.parts);
        k_.topology->route(k_.at[static_cast<std::size_t>(m.from)],
                           k_.at[static_cast<std::size_t>(m.to)], route_);
        if (route_.hops.empty()) {  // stays on its node
            report(line, to, step, {seconds(now), bytes}, now, now);
            lines_.arrived(to, step, now);
            lines_.left(line, now);
            return;
        }
        if (unused_.empty()) {
            unused_.push_back(static_cast<std::uint32_t>(messages_.size()));
            messages_.emplace_back();
            if (o_.watched >= 0) watched_.emplace_back();
        }
        const std::uint32_t id = unused_.back();
        unused_.pop_back();
        if (o_.watched >= 0) watched_[id] = {seconds(now), bytes};
        double cables = route_.cables, routers = route_.routers, rate = 0;
        const auto& links = k_.topology->links();
        const int source = links[static_cast<std::size_t>(route_.hops.front().link)].from;
        for (const network::Hop& h : route_.hops) {
            const network::Link& l = links[static_cast<std::size_t>(h.link)];
            cables -= h.share * l.cable;
            routers -= h.share;
            if (l.from == source) rate += l.capacity;
        }
        const bool around =
            detours_ && detours_->draw(k_.at[static_cast<std::size_t>(m.from)],
                                       k_.at[static_cast<std::size_t>(m.to)], random_, there_, on_);
        if (!around) there_.clear(), on_.clear();
        const std::size_t minimal = route_.hops.size();
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
                         paths_.add(route_.hops, there_, on_),
                         static_cast<std::uint16_t>(trains),
                         static_cast<std::uint16_t>(trains),
                         static_cast<std::uint16_t>(minimal + there_.size() + on_.size()),
                         static_cast<std::uint16_t>(around ? minimal : 0)};
        ask(id, 0, now);
    }

    /// The head of a train is at a vertex and takes one of the links there.
    void pass(std::uint32_t id, std::uint16_t at, Ticks now) {
        Sending& m = messages_[id];
        const Stop* const stops = paths_.at(m.path);
        const bool injected = at == 0;
        if (injected && m.detour > 0 && goes_around(stops, m, now)) at = m.detour;
        const Stop& stop = stops[stops[at].other == Stop::kNone ? at : choose(stops, at, now)];
        Link& l = link(stop);
        const Ticks sending = on(l, m), passing = std::max(sending, m.train),
                    begin = std::max(now, l.free), end = begin + passing;
        waited_ += begin - now;
        l.free = begin + sending;
        l.busy += sending;
        if (injected) {
            m.left = std::max(m.left, end);
            if (--m.to_leave > 0)
                ask(id, 0, now + m.gap);
            else
                lines_.left(m.from, m.left);
        }
        if (stop.next != Stop::kNone)
            return ask(id, stop.next, begin + l.latency + delay(stops, stop.next, m, passing));
        m.arrival = std::max(m.arrival, end + l.latency + m.extra);
        if (--m.to_arrive == 0) arrived(id);
    }

    /// How much later than its head a train asks for a link, if the link before was slower than a
    /// cable: the tail arrives when the link has sent the rest.
    Ticks delay(const Stop* stops, std::uint16_t next, const Sending& m, Ticks passing) {
        if (!slow_) return 0;
        Ticks fastest = passing;
        for (; next != Stop::kNone; next = stops[next].other)
            fastest = std::min(fastest, std::max(m.train, on(link(stops[next]), m)));
        return passing - fastest;
    }

    /// The stop at a vertex with the shortest queues, those of its link and of the next one; one of
    /// them at random if several have.
    std::uint16_t choose(const Stop* stops, std::uint16_t at, Ticks now) {
        std::uint16_t best = at;
        Ticks least = -1;
        unsigned ties = 0;
        for (; at != Stop::kNone; at = stops[at].other) {
            const Stop& s = stops[at];
            Ticks queue = std::max<Ticks>(0, link(s).free - now);
            if (s.next != Stop::kNone) queue += std::max<Ticks>(0, link(stops[s.next]).free - now);
            if (least < 0 || queue < least)
                best = at, least = queue, ties = 1;
            else if (queue == least && random_() % ++ties == 0)
                best = at;
        }
        return best;
    }

    /// Whether a train takes the detour: by UGAL if its queue times its links is shorter.
    bool goes_around(const Stop* stops, const Sending& m, Ticks now) {
        if (o_.routing == Routing::valiant) return true;
        return cost(stops, m.detour, now) < cost(stops, 0, now);
    }

    /// The shortest wait at the first router of a route and the next one, times its links.
    Ticks cost(const Stop* stops, std::uint16_t first, Ticks now) {
        std::uint16_t at = first;
        if (k_.topology->switches() > 0) {  // a link of the node leads to the router
            now += link(stops[first]).latency;
            at = stops[first].next;
        }
        Ticks least = -1, links = 0;
        for (std::uint16_t i = at; i != Stop::kNone; i = stops[i].other)
            if (const Ticks wait = wait_from(stops, i, now); least < 0 || wait < least)
                least = wait, at = i;
        for (std::uint16_t i = at; i != Stop::kNone; i = stops[i].next) ++links;
        return least * links;
    }

    /// What a train that comes to a stop at a time waits there and at the next one, if none comes
    /// before it.
    Ticks wait_from(const Stop* stops, std::uint16_t at, Ticks when) {
        const Stop& s = stops[at];
        const Ticks here = std::max<Ticks>(0, link(s).free - when);
        when += here + link(s).latency;
        return s.next == Stop::kNone ? here
                                     : here + std::max<Ticks>(0, link(stops[s.next]).free - when);
    }

    void arrived(std::uint32_t id) {
        const Sending m = messages_[id];
        if (o_.watched >= 0) report(m.from, m.to, m.step, watched_[id], m.left, m.arrival);
        paths_.remove(m.path, m.stops);
        unused_.push_back(id);
        lines_.arrived(m.to, m.step, m.arrival);
    }

    void report(int from, int to, int step, const Watched& w, Ticks left, Ticks arrival) {
        const int channel = from % k_.program.channels();
        if (rank(from) == o_.watched)
            out_.of_rank.push_back(
                {true, channel, step, rank(to), w.begin, seconds(left), w.bytes});
        if (rank(to) == o_.watched)
            out_.of_rank.push_back(
                {false, channel, step, rank(from), w.begin, seconds(arrival), w.bytes});
    }

    const Known& k_;
    double per_part_;
    Speeds s_;
    PacketOptions o_;
    double ticks_;       ///< in a second
    bool slow_ = false;  ///< whether a link is slower than a cable
    std::vector<Link> links_;
    Paths paths_;
    std::vector<Sending> messages_;
    std::vector<Watched> watched_;  ///< by message, if a rank is watched
    std::vector<std::uint32_t> unused_;
    Wheel wheel_;
    Lines<Run, Ticks> lines_;
    std::mt19937_64 random_;
    network::Route route_;
    std::optional<Detours> detours_;
    std::vector<network::Hop> there_, on_;  ///< legs of a detour
    Ticks waited_ = 0;
    PacketOutcome out_;
};

}  // namespace

PacketOutcome run_packets(const Known& k, double bytes, const Speeds& s, const PacketOptions& o) {
    return Run(k, bytes, s, o).outcome();
}

}  // namespace hopbine::simulation
