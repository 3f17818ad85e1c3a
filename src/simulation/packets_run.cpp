#include <algorithm>
#include <optional>
#include <random>
#include <tuple>

#include "simulation/detours.hpp"
#include "simulation/flows_known.hpp"
#include "simulation/hosted.hpp"
#include "simulation/lines.hpp"
#include "simulation/other_jobs.hpp"
#include "simulation/paths.hpp"
#include "simulation/periodic_job.hpp"
#include "simulation/queues.hpp"
#include "simulation/wheel.hpp"

namespace hopbine::simulation {

namespace {

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
class PacketRun {
    friend class Lines<PacketRun, Ticks>;
    friend class Hosted<PacketRun, Ticks>;
    friend class OtherJobs<PacketRun, Ticks>;
    friend class PeriodicJob<PacketRun, Ticks>;
    using Link = Queues::Link;
    using Letter = Hosted<PacketRun, Ticks>::Letter;

public:
    PacketRun(const Known& k, const Hosts& hosts, double bytes, const Speeds& s,
              const PacketOptions& o)
        : k_(k),
          per_part_(k.program.part_bytes(bytes)),
          s_(s),
          o_(o),
          ticks_(tick_rate(k, bytes, s, o)),
          paths_(*k.topology),
          own_(k.program.lines()),
          lines_(*this, k.program, k.messages),
          random_(o.seed) {
        if (o.routing != Routing::minimal) detours_.emplace(*k.topology);
        if (hosted(hosts, o)) hosted_.emplace(*this, hosts, o.costs, k.program);
        if (!o.background.none())
            others_.emplace(*this, Traffic(o.background, used(hosts), hosts.cards(), o.seed),
                            Traffic::kBytes / s.bandwidth * ticks_);
        if (o.background.called()) {
            const OtherCalls& c = *o.background.calls;
            beside_.emplace(*this, c, hosts.cards(), *k.topology, ticks(c.period));
        }
        for (const network::Link& l : k.topology->links()) {
            links_.add({0, 0, 1 / l.capacity, ticks(l.cable * s.cable + s.router)});
            slow_ |= l.capacity < 1;
        }
    }

    PacketOutcome outcome() {
        if (others_) begin_ = others_->begin();
        if (beside_) begin_ = std::max(begin_, begin_beside());
        for (int line : shuffled(k_.program.lines(), random_)) {
            if (others_)
                later(line, begin_);
            else
                lines_.next_step(line, 0);
        }
        for (Due due; wheel_.pop(due);) {
            ++out_.events;
            wheel_.peek(kAhead, [&](const Due& next) { prefetch(next.what); });
            const auto stop = static_cast<std::uint16_t>(due.what);
            const auto id = static_cast<std::uint32_t>(due.what >> 16);
            const auto now = static_cast<Ticks>(due.time);
            if (stop < Stop::kReserved) [[likely]] {
                pass(id, stop, now);
            } else if (stop == kLine && static_cast<int>(id) < own_) {
                lines_.next_step(static_cast<int>(id), now);
                if (others_ && lines_.ended()) break;
            } else {
                proceed(stop, id, now);
            }
        }
        const Ticks end = lines_.end();
        out_.seconds = seconds(end - begin_);
        for (const Link& l : links_.all()) out_.busy.push_back(seconds(l.busy));
        out_.waited = seconds(waited_);
        if (others_) std::tie(out_.background, out_.aggressor) = others_->reached(end);
        if (beside_) out_.beside = beside_->told(ticks_);
        return std::move(out_);
    }

private:
    static constexpr int kAhead = 6;  // events; far enough for a cache miss
    /// What an event is that is no stop: a line has completed its step, a message's stage has come
    /// to its end, or a sender of other traffic sends, or a message of it arrives.
    static constexpr std::uint16_t kLine = Stop::kNone, kStage = kLine - 1, kSender = kLine - 2,
                                   kOther = kLine - 3;
    struct Sending {
        Ticks train;          ///< what a train takes on a link of capacity 1
        Ticks gap;            ///< between trains when they are injected
        Ticks extra;          ///< latency besides that of the links
        Ticks left, arrival;  ///< of the last train so far
        int from, to, step;   ///< lines, those of a job beside after the own ones; from -1 - s:
                              ///< sender s of other traffic
        std::uint32_t path;
        std::uint16_t to_leave, to_arrive;  ///< trains
        std::uint16_t stops, detour;        ///< first stop of the detour, 0: none
    };
    struct Watched {
        Ticks begin;
        double bytes;
    };

    Ticks ticks(double seconds) const { return std::llround(seconds * ticks_); }
    double seconds(Ticks t) const { return static_cast<double>(t) / ticks_; }
    double told(Ticks t) const { return seconds(t - begin_); }
    Ticks on(const Link& l, const Sending& m) const {
        return static_cast<Ticks>(static_cast<double>(m.train) * l.slowness + 0.5);
    }
    void prefetch(std::uint64_t what) const {
        const auto stop = static_cast<std::uint16_t>(what);
        if (stop >= Stop::kReserved) return;
        const Sending& m = messages_[static_cast<std::size_t>(what >> 16)];
        __builtin_prefetch(&m);
    }
    void later(int line, Ticks at) { ask(static_cast<std::uint32_t>(line), kLine, at); }
    void ask(std::uint32_t id, std::uint16_t stop, Ticks at) {
        wheel_.push({static_cast<std::uint64_t>(at), static_cast<std::uint64_t>(id) << 16 | stop});
    }
    int rank(int line) const { return line / k_.program.channels(); }

    /// An event of hosts or other jobs; apart, so that runs without them stay fast.
    [[gnu::noinline]] void proceed(std::uint16_t what, std::uint32_t id, Ticks now) {
        if (what == kStage) {
            hosted_->proceed(id, now);
        } else if (what == kLine) {
            beside_->next_step(static_cast<int>(id) - own_, now);
            check_events();
        } else if (what == kOther) {
            unused_.push_back(id);
            others_->arrived(static_cast<std::uint32_t>(-1 - messages_[id].from), now);
        } else {
            others_->send(id, now);
            check_events();
        }
    }
    /// What other jobs send has no end.
    void check_events() const {
        if (static_cast<double>(out_.events) > Packets::kMostEvents)
            throw Error("beside this traffic the collective takes too many events");
    }

    void send(const Message& m, int line, int step, Ticks now) {
        ++out_.messages;
        const int to = m.to * k_.program.channels() + m.channel;
        const double bytes = per_part_ * static_cast<double>(m.parts);
        if (hosted_) return hosted_->send(obtain(), m, line, step, bytes, now);
        k_.topology->route(k_.at[static_cast<std::size_t>(m.from)],
                           k_.at[static_cast<std::size_t>(m.to)], route_);
        if (route_.hops.empty()) {  // stays on its node
            report(line, to, step, {now, bytes}, now, now);
            lines_.arrived(to, step, now);
            lines_.left(line, now);
            return;
        }
        const std::uint32_t id = obtain();
        if (o_.watched >= 0) watched_[id] = {now, bytes};
        inject(id, k_.at[static_cast<std::size_t>(m.from)], k_.at[static_cast<std::size_t>(m.to)],
               bytes, line, to, step, now);
    }

    std::uint32_t obtain() {
        if (unused_.empty()) {
            unused_.push_back(static_cast<std::uint32_t>(messages_.size()));
            messages_.emplace_back();
            if (o_.watched >= 0) watched_.emplace_back();
        }
        const std::uint32_t id = unused_.back();
        unused_.pop_back();
        return id;
    }

    /// Sends trains along `route_`, that from one end point to the other.
    void inject(std::uint32_t id, int at, int end, double bytes, int line, int to, int step,
                Ticks now) {
        double cables = route_.cables, routers = route_.routers, rate = 0;
        const auto& links = k_.topology->links();
        const int source = links[static_cast<std::size_t>(route_.hops.front().link)].from;
        for (const network::Hop& h : route_.hops) {
            const network::Link& l = links[static_cast<std::size_t>(h.link)];
            cables -= h.share * l.cable;
            routers -= h.share;
            if (l.from == source) rate += l.capacity;
        }
        const bool around = detours_ && detours_->draw(at, end, random_, there_, on_);
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
        const Stop& stop =
            stops[stops[at].other == Stop::kNone ? at : links_.choose(stops, at, now, random_)];
        Link& l = links_.at(stop);
        const Ticks sending = on(l, m), passing = std::max(sending, m.train),
                    begin = std::max(now, l.free), end = begin + passing;
        waited_ += begin - now;
        l.free = begin + sending;
        l.busy += sending;
        if (injected) {
            m.left = std::max(m.left, end);
            if (--m.to_leave > 0)
                ask(id, 0, now + m.gap);
            else if (m.from >= own_)
                beside_->left(m.from - own_, m.left);
            else if (m.from >= 0)
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
            fastest = std::min(fastest, std::max(m.train, on(links_.at(stops[next]), m)));
        return passing - fastest;
    }

    /// Whether a train takes the detour: by UGAL if its queue times its links is shorter.
    bool goes_around(const Stop* stops, const Sending& m, Ticks now) {
        if (o_.routing == Routing::valiant) return true;
        const bool nodes = k_.topology->switches() > 0;  // a link of the node leads to the router
        return links_.cost(stops, m.detour, now, nodes) < links_.cost(stops, 0, now, nodes);
    }

    /// The last train of a message is on its last link.
    [[gnu::noinline]] void arrived(std::uint32_t id) {
        const Sending m = messages_[id];
        paths_.remove(m.path, m.stops);
        if (hosted_ || others_) {
            if (m.from < 0) return ask(id, kOther, m.arrival);
            if (m.from >= own_) {
                unused_.push_back(id);
                return beside_->arrived(m.to - own_, m.step, m.arrival);
            }
            if (hosted_) return hosted_->delivered(id, m.left, m.arrival);
        }
        if (o_.watched >= 0) {
            const Watched& w = watched_[id];
            report(m.from, m.to, m.step, w, m.left, m.arrival);
        }
        unused_.push_back(id);
        lines_.arrived(m.to, m.step, m.arrival);
    }

    // What Hosted asks.
    int begun(int line) const { return lines_.step(line); }
    void began(int line, int step, Ticks now) {
        if (hosted_) hosted_->began(line, step, now);
    }
    void wake(std::uint32_t id, Ticks at) { ask(id, kStage, at); }
    Ticks transit(int from, int to) {
        k_.topology->route(from, to, route_);
        return ticks(s_.latency(route_));
    }
    void launch(std::uint32_t id, const Letter& l, Ticks now) {
        k_.topology->route(l.card_from, l.card_to, route_);
        inject(id, l.card_from, l.card_to, l.bytes, l.from, l.to, l.step, now);
    }
    void left(const Letter& l, Ticks when) { lines_.left(l.from, when); }
    void arrived(std::uint32_t id, const Letter& l, Ticks when) {
        if (o_.watched >= 0) report(l.from, l.to, l.step, {l.begin, l.bytes}, l.left, when);
        unused_.push_back(id);
        lines_.arrived(l.to, l.step, when);
    }

    // What OtherJobs asks.
    void send_later(std::uint32_t sender, Ticks at) { ask(sender, kSender, at); }
    void send_other(std::uint32_t sender, int from, int to, Ticks now) {
        k_.topology->route(from, to, route_);
        inject(obtain(), from, to, Traffic::kBytes, -1 - static_cast<int>(sender), -1, -1, now);
    }

    // What PeriodicJob asks.
    void later_beside(int line, Ticks at) { later(own_ + line, at); }
    void send_beside(int from, int to, int line, int to_line, int step, double bytes, Ticks now) {
        k_.topology->route(from, to, route_);
        inject(obtain(), from, to, bytes, own_ + line, own_ + to_line, step, now);
    }
    /// Begins the other job's calls. The job begins in the second period, at a random moment.
    Ticks begin_beside() {
        beside_->begin();
        std::mt19937_64 random(o_.seed ^ 0xd1b54a32d192ed03ULL);
        const double share = 1 + static_cast<double>(random() >> 11) * 0x1p-53;
        return ticks(share * o_.background.calls->period);
    }
    std::vector<bool> used(const Hosts& hosts) const {
        std::vector<bool> out(static_cast<std::size_t>(k_.topology->nodes() / hosts.cards()));
        for (int r = 0; r < k_.program.ranks(); ++r)
            out[static_cast<std::size_t>(hosts.node(r))] = true;
        return out;
    }

    void report(int from, int to, int step, const Watched& w, Ticks left, Ticks arrival) {
        const int channel = from % k_.program.channels();
        if (rank(from) == o_.watched)
            out_.of_rank.push_back(
                {true, channel, step, rank(to), told(w.begin), told(left), w.bytes});
        if (rank(to) == o_.watched)
            out_.of_rank.push_back(
                {false, channel, step, rank(from), told(w.begin), told(arrival), w.bytes});
    }

    const Known& k_;
    double per_part_;
    Speeds s_;
    PacketOptions o_;
    double ticks_;       ///< in a second
    bool slow_ = false;  ///< whether a link is slower than a cable
    Queues links_;
    Paths paths_;
    std::vector<Sending> messages_;
    std::vector<Watched> watched_;  ///< by message, if a rank is watched
    std::vector<std::uint32_t> unused_;
    Wheel wheel_;
    int own_;  ///< lines
    Lines<PacketRun, Ticks> lines_;
    std::mt19937_64 random_;
    network::Route route_;
    std::optional<Detours> detours_;
    std::optional<Hosted<PacketRun, Ticks>> hosted_;
    std::optional<OtherJobs<PacketRun, Ticks>> others_;
    std::optional<PeriodicJob<PacketRun, Ticks>> beside_;
    Ticks begin_ = 0;                       ///< of the job, after other traffic
    std::vector<network::Hop> there_, on_;  ///< legs of a detour
    Ticks waited_ = 0;
    PacketOutcome out_;
};

}  // namespace

PacketOutcome run_packets(const Known& k, const Hosts& hosts, double bytes, const Speeds& s,
                          const PacketOptions& o) {
    return PacketRun(k, hosts, bytes, s, o).outcome();
}

}  // namespace hopbine::simulation
