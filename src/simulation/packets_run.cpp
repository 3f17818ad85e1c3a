#include <algorithm>
#include <optional>
#include <random>
#include <tuple>

#include "simulation/flows_known.hpp"
#include "simulation/hosted.hpp"
#include "simulation/lines.hpp"
#include "simulation/other_jobs.hpp"
#include "simulation/periodic_job.hpp"
#include "simulation/trains.hpp"
#include "simulation/wheel.hpp"

namespace hopbine::simulation {

namespace {

using Ticks = std::int64_t;

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
/// a link, or a line that has completed its step; the others are named below.
template <bool kFinite>
class PacketRun {
    friend class Lines<PacketRun, Ticks>;
    friend class Trains<PacketRun, kFinite>;
    friend class Hosted<PacketRun, Ticks>;
    friend class OtherJobs<PacketRun, Ticks>;
    friend class PeriodicJob<PacketRun, Ticks>;
    using Letter = typename Hosted<PacketRun, Ticks>::Letter;
    using Sending = typename Trains<PacketRun, kFinite>::Sending;

public:
    PacketRun(const Known& k, const Hosts& hosts, double bytes, const Speeds& s,
              const PacketOptions& o)
        : k_(k),
          per_part_(k.program.part_bytes(bytes)),
          s_(s),
          o_(o),
          ticks_(tick_rate(k, bytes, s, o)),
          trains_(*this, *k.topology, s_, o_, ticks_),
          own_(k.program.lines()),
          lines_(*this, k.program, k.messages) {
        if (hosted(hosts, o))
            hosted_.emplace(*this, hosts, o.costs, k.program, bytes,
                            k.messages.at(k.program.pattern(0)));
        if (!o.background.none())
            others_.emplace(*this, Traffic(o.background, used(hosts), hosts.cards(), o.seed),
                            Traffic::kBytes / s.bandwidth * ticks_);
        if (o.background.called()) {
            const OtherCalls& c = *o.background.calls;
            beside_.emplace(*this, c, hosts.cards(), *k.topology, ticks(c.period));
        }
    }

    PacketOutcome outcome() {
        begin();
        for (Due due; wheel_.pop(due);) {
            ++out_.events;
            wheel_.peek(3 * kAhead, [&](const Due& next) { prefetch_message(next.what); });
            wheel_.peek(2 * kAhead, [&](const Due& next) { prefetch_stop(next.what); });
            wheel_.peek(kAhead, [&](const Due& next) { prefetch_link(next.what); });
            const auto stop = static_cast<std::uint16_t>(due.what);
            const auto id = static_cast<std::uint32_t>(due.what >> 16);
            const auto now = static_cast<Ticks>(due.time);
            if (stop < Stop::kReserved) [[likely]] {
                trains_.pass(id, stop, static_cast<std::uint16_t>(due.what >> 48), now);
            } else if (stop == kLine && static_cast<int>(id) < own_) {
                lines_.next_step(static_cast<int>(id), now);
                if (others_ && lines_.ended()) break;
            } else {
                proceed(stop, id, now);
            }
        }
        check_ended();
        const Ticks end = lines_.end();
        out_.seconds = seconds(end - begin_);
        out_.mean = (lines_.mean_end() - static_cast<double>(begin_)) / ticks_;
        for (const auto& l : trains_.queues().links()) out_.busy.push_back(seconds(l.busy));
        out_.waited = seconds(trains_.waited());
        if constexpr (kFinite) out_.channels = trains_.queues().credits().channels();
        if (others_) std::tie(out_.background, out_.aggressor) = others_->reached(end);
        if (beside_) out_.beside = beside_->told(ticks_);
        return std::move(out_);
    }

private:
    static constexpr int kAhead = 3;  // events; far enough for a cache miss
    /// What an event is that is no stop: a line has completed its step, a message's stage has come
    /// to its end, a sender of other traffic sends, a message of it arrives, or space has come back
    /// to a buffer.
    static constexpr std::uint16_t kLine = Stop::kNone, kStage = kLine - 1, kSender = kLine - 2,
                                   kOther = kLine - 3, kSpace = kLine - 4;
    struct Watched {
        Ticks begin;
        double bytes;
    };

    Ticks ticks(double seconds) const { return std::llround(seconds * ticks_); }
    double seconds(Ticks t) const { return static_cast<double>(t) / ticks_; }
    double told(Ticks t) const { return seconds(t - begin_); }
    // What an event needs is loaded as it comes nearer: its message, its stop, then the link.
    void prefetch_message(std::uint64_t what) const {
        const auto stop = static_cast<std::uint16_t>(what);
        const auto id = static_cast<std::uint32_t>(what >> 16);
        if (stop < Stop::kReserved) return trains_.prefetch(id);
        if (stop == kLine && static_cast<int>(id) < own_) lines_.prefetch(static_cast<int>(id));
        if constexpr (kFinite)
            if (stop == kSpace) trains_.queues().credits().prefetch(id);
    }
    void prefetch_stop(std::uint64_t what) const {
        const auto stop = static_cast<std::uint16_t>(what);
        const auto id = static_cast<std::uint32_t>(what >> 16);
        if (stop < Stop::kReserved) trains_.prefetch_stop(id, stop);
    }
    void prefetch_link(std::uint64_t what) const {
        const auto stop = static_cast<std::uint16_t>(what);
        const auto id = static_cast<std::uint32_t>(what >> 16);
        if (stop < Stop::kReserved)
            trains_.prefetch_link(id, stop, static_cast<std::uint16_t>(what >> 48));
    }
    void later(int line, Ticks at) { ask(static_cast<std::uint32_t>(line), kLine, at); }
    void ask(std::uint32_t id, std::uint16_t stop, Ticks at, std::uint64_t before = 0) {
        wheel_.push({static_cast<std::uint64_t>(at),
                     before << 48 | static_cast<std::uint64_t>(id) << 16 | stop});
    }
    int rank(int line) const { return line / k_.program.channels(); }

    /// Begins the lines, after what other jobs send first.
    void begin() {
        if (others_) begin_ = others_->begin();
        if (beside_) begin_ = std::max(begin_, begin_beside());
        for (int line : shuffled(k_.program.lines(), trains_.random())) {
            const Ticks begin = begin_ + (hosted_ ? hosted_->preparation(rank(line)) : 0);
            if (begin > 0)
                later(line, begin);
            else
                lines_.next_step(line, 0);
        }
    }

    /// An event of hosts, other jobs or buffers; apart, so that runs without them stay fast.
    [[gnu::noinline]] void proceed(std::uint16_t what, std::uint32_t id, Ticks now) {
        if (what == kStage) {
            hosted_->proceed(id, now);
        } else if (what == kLine) {
            beside_->next_step(static_cast<int>(id) - own_, now);
            check_events();
        } else if (what == kOther) {
            trains_.release(id);
            others_->arrived(static_cast<std::uint32_t>(-1 - trains_[id].from), now);
        } else if (what == kSpace) {
            if constexpr (kFinite) trains_.grant(id, now);
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

    /// Throws std::logic_error if trains wait for ever.
    void check_ended() {
        if constexpr (kFinite)
            if (!lines_.ended())
                throw std::logic_error("the simulation of " +
                                       std::string(k_.program.algorithm().name) + " on " +
                                       k_.topology->name() + " came to a halt: trains wait for " +
                                       trains_.queues().credits().stuck());
    }

    void send(const Message& m, int line, int step, Ticks now) {
        ++out_.messages;
        const int to = m.to * k_.program.channels() + m.channel;
        const int at = k_.at[static_cast<std::size_t>(m.from)],
                  end = k_.at[static_cast<std::size_t>(m.to)];
        const double bytes = per_part_ * static_cast<double>(m.parts);
        if (hosted_) return hosted_->send(trains_.obtain(), m, line, step, bytes, now);
        k_.topology->route(at, end, route_);
        if (route_.hops.empty()) {  // stays on its node
            report(line, to, step, {now, bytes}, now, now);
            lines_.arrived(to, step, now);
            lines_.left(line, now);
            return;
        }
        const std::uint32_t id = trains_.obtain();
        if (o_.watched >= 0) {
            if (watched_.size() <= id) watched_.resize(id + 1);
            watched_[id] = {now, bytes};
        }
        trains_.inject(id, route_, at, end, bytes, line, to, step, now);
    }

    // What Trains tells.
    void left(const Sending& m, Ticks when) {
        if (m.from >= own_)
            beside_->left(m.from - own_, when);
        else if (m.from >= 0)
            lines_.left(m.from, when);
    }
    [[gnu::noinline]] void arrived(std::uint32_t id) {
        const Sending m = trains_[id];
        trains_.forget(m);
        if (hosted_ || others_) {
            if (m.from < 0) return ask(id, kOther, m.arrival);
            if (m.from >= own_) {
                trains_.release(id);
                return beside_->arrived(m.to - own_, m.step, m.arrival);
            }
            if (hosted_) return hosted_->delivered(id, m.left, m.arrival);
        }
        if (o_.watched >= 0) report(m.from, m.to, m.step, watched_[id], m.left, m.arrival);
        trains_.release(id);
        lines_.arrived(m.to, m.step, m.arrival);
    }

    // What Hosted asks.
    int begun(int line) const { return lines_.step(line); }
    void began(int line, int step, Ticks now) {
        if (hosted_) hosted_->began(line, step, now);
    }
    Ticks finished(int line, Ticks when) { return hosted_ ? hosted_->finished(line, when) : when; }
    Ticks call_begins(int rank, int, Ticks ready) {
        return hosted_ ? hosted_->again(rank, ready) : ready;
    }
    void wake(std::uint32_t id, Ticks at) { ask(id, kStage, at); }
    Ticks transit(int from, int to) {
        k_.topology->route(from, to, route_);
        return ticks(s_.latency(route_));
    }
    void launch(std::uint32_t id, const Letter& l, Ticks now) {
        k_.topology->route(l.card_from, l.card_to, route_);
        trains_.inject(id, route_, l.card_from, l.card_to, l.bytes, l.from, l.to, l.step, now);
    }
    void left(const Letter& l, Ticks when) { lines_.left(l.from, when); }
    void arrived(std::uint32_t id, const Letter& l, Ticks when) {
        if (o_.watched >= 0) report(l.from, l.to, l.step, {l.begin, l.bytes}, l.left, when);
        trains_.release(id);
        lines_.arrived(l.to, l.step, when);
    }

    // What OtherJobs asks.
    void send_later(std::uint32_t sender, Ticks at) { ask(sender, kSender, at); }
    void send_other(std::uint32_t sender, int from, int to, Ticks now) {
        k_.topology->route(from, to, route_);
        trains_.inject(trains_.obtain(), route_, from, to, Traffic::kBytes,
                       -1 - static_cast<int>(sender), -1, -1, now);
    }

    // What PeriodicJob asks.
    void later_beside(int line, Ticks at) { later(own_ + line, at); }
    void send_beside(int from, int to, int line, int to_line, int step, double bytes, Ticks now) {
        k_.topology->route(from, to, route_);
        trains_.inject(trains_.obtain(), route_, from, to, bytes, own_ + line, own_ + to_line, step,
                       now);
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
    double ticks_;  ///< in a second
    Wheel wheel_;
    Trains<PacketRun, kFinite> trains_;
    int own_;  ///< lines; those of a job beside come after them
    Lines<PacketRun, Ticks> lines_;
    network::Route route_;
    std::vector<Watched> watched_;  ///< by message, if a rank is watched
    std::optional<Hosted<PacketRun, Ticks>> hosted_;
    std::optional<OtherJobs<PacketRun, Ticks>> others_;
    std::optional<PeriodicJob<PacketRun, Ticks>> beside_;
    Ticks begin_ = 0;  ///< of the job, after other traffic
    PacketOutcome out_;
};

}  // namespace

PacketOutcome run_packets(const Known& k, const Hosts& hosts, double bytes, const Speeds& s,
                          const PacketOptions& o) {
    return finite(o) ? PacketRun<true>(k, hosts, bytes, s, o).outcome()
                     : PacketRun<false>(k, hosts, bytes, s, o).outcome();
}

}  // namespace hopbine::simulation
