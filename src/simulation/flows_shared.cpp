#include <algorithm>
#include <queue>

#include "simulation/flows_known.hpp"
#include "simulation/lines.hpp"
#include "simulation/sharing.hpp"

namespace hopbine::simulation {

namespace {

/// One run of the flow engine. Lines are in a step or wait between phases. Flows are messages being
/// sent; messages that have left are due to arrive.
class FlowRun {
    friend class Lines<FlowRun, double>;

public:
    FlowRun(const Program& p, const std::map<int, Messages>& messages, const network::Topology& t,
            const std::vector<int>& at, double bytes, const Speeds& s, int watched, double window)
        : p_(p),
          t_(t),
          at_(at),
          per_part_(p.part_bytes(bytes)),
          s_(s),
          watched_(watched),
          window_(window),
          sharing_(t, s.bandwidth),
          lines_(*this, p, messages) {}

    Outcome outcome() {
        for (int l = 0; l < p_.lines(); ++l) lines_.next_step(l, 0);
        share(0);
        while (!events_.empty()) {
            const double first = events_.top().time;
            double now = first;
            while (!events_.empty() && events_.top().time <= first + window_) {
                const Due due = events_.top();
                events_.pop();
                now = std::max(now, due.time);
                if (due.flow >= 0) {
                    if (due.version == flows_[static_cast<std::size_t>(due.flow)].version)
                        left(due.flow, due.time);
                } else
                    lines_.arrived(due.line, due.step, due.time);
            }
            share(now);
        }
        out_.seconds = lines_.end();
        out_.mean = lines_.mean_end();
        return std::move(out_);
    }

private:
    struct Flow {
        double left = 0, since = 0, rate = 0;  ///< `left` bytes remain at time `since`
        double latency = 0, begin = 0, bytes = 0;
        int from = 0, to = 0, step = 0;  ///< lines
        std::uint32_t version = 0;
    };
    struct Due {
        double time;
        int flow;  ///< has left; -1: a message has arrived at `line`
        std::uint32_t version;
        int line, step;
        bool operator>(const Due& o) const { return time > o.time; }
    };

    int rank(int line) const { return line / p_.channels(); }

    void later(int line, double at) { lines_.next_step(line, at); }

    void send(const Message& m, int line, int step, double now) {
        ++out_.messages;
        t_.route(at_[static_cast<std::size_t>(m.from)], at_[static_cast<std::size_t>(m.to)],
                 route_);
        const double bytes = per_part_ * static_cast<double>(m.parts);
        const int to = m.to * p_.channels() + m.channel;
        if (route_.hops.empty()) {  // stays on its node
            if (m.from == watched_)
                out_.of_rank.push_back({true, m.channel, step, m.to, now, now, bytes});
            if (m.to == watched_)
                out_.of_rank.push_back({false, m.channel, step, m.from, now, now, bytes});
            events_.push({now, -1, 0, to, step});
            lines_.left(line, now);
            return;
        }
        const int id = sharing_.add(route_.hops);
        if (id >= static_cast<int>(flows_.size())) flows_.resize(static_cast<std::size_t>(id) + 1);
        Flow& f = flows_[static_cast<std::size_t>(id)];
        f = {bytes, now, 0, s_.latency(route_), now, bytes, line, to, step, f.version + 1};
    }

    /// Handles the departure of the last byte of a flow.
    void left(int id, double now) {
        Flow& f = flows_[static_cast<std::size_t>(id)];
        ++f.version;
        sharing_.remove(id);
        const double arrival = now + f.latency;
        if (rank(f.from) == watched_)
            out_.of_rank.push_back(
                {true, f.from % p_.channels(), f.step, rank(f.to), f.begin, now, f.bytes});
        if (rank(f.to) == watched_)
            out_.of_rank.push_back(
                {false, f.from % p_.channels(), f.step, rank(f.from), f.begin, arrival, f.bytes});
        events_.push({arrival, -1, 0, f.to, f.step});
        lines_.left(f.from, now);
    }

    void share(double now) {
        for (int id : sharing_.share()) {
            Flow& f = flows_[static_cast<std::size_t>(id)];
            if (f.rate > 0) {  // a new flow has its rate from its start
                f.left = std::max(0.0, f.left - f.rate * (now - f.since));
                f.since = now;
            }
            f.rate = sharing_.rate(id);
            events_.push({f.since + f.left / f.rate, id, ++f.version, 0, 0});
        }
    }

    const Program& p_;
    const network::Topology& t_;
    const std::vector<int>& at_;
    double per_part_;
    Speeds s_;
    int watched_;
    double window_;
    Sharing sharing_;
    Lines<FlowRun, double> lines_;
    std::vector<Flow> flows_;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> events_;
    network::Route route_;
    Outcome out_;
};

}  // namespace

Outcome run_shared(const Program& p, const std::map<int, Messages>& messages,
                   const network::Topology& t, const std::vector<int>& at, double bytes,
                   const Speeds& s, int watched, double window) {
    return FlowRun(p, messages, t, at, bytes, s, watched, window).outcome();
}

}  // namespace hopbine::simulation
