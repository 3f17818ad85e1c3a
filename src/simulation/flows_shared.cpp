#include <algorithm>
#include <queue>
#include <stdexcept>

#include "simulation/flows_known.hpp"
#include "simulation/sharing.hpp"

namespace hopbine::simulation {

namespace {

/// One run of the flow engine. Lines are in a step or wait between phases. Flows are messages being
/// sent; messages that have left are due to arrive.
class Run {
public:
    Run(const Program& p, const std::map<int, Messages>& messages, const network::Topology& t,
        const std::vector<int>& at, double bytes, const Speeds& s, int watched, double window)
        : p_(p),
          t_(t),
          at_(at),
          per_part_(p.part_bytes(bytes)),
          s_(s),
          watched_(watched),
          window_(window),
          sharing_(t, s.bandwidth),
          lines_(static_cast<std::size_t>(p.lines())),
          waiting_(static_cast<std::size_t>(p.ranks()), 0) {
        for (int step = 0; step < p.steps(); ++step)
            messages_.push_back(&messages.at(p.pattern(step)));
    }

    Outcome outcome() {
        for (int l = 0; l < p_.lines(); ++l) next_step(l, 0);
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
                    arrived(due.line, due.step, due.time);
            }
            share(now);
        }
        for (const Line& l : lines_)
            if (l.step < p_.steps())
                throw std::logic_error("the simulation of " + std::string(p_.algorithm().name) +
                                       " came to a halt in step " + std::to_string(l.step));
        return std::move(out_);
    }

private:
    struct Line {
        int step = -1, sends = 0,
            receives = 0;  ///< current step, and what remains of it
        double ready = 0;
        std::vector<std::pair<int, double>> early;  ///< arrivals for later steps
    };
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

    /// Starts the next step in which a line has something to do, once it has completed its step.
    void next_step(int line, double now) {
        Line& l = lines_[static_cast<std::size_t>(line)];
        l.ready = std::max(l.ready, now);
        const int phase = l.step < 0 ? 0 : p_.phase(l.step);
        while (++l.step < p_.steps()) {
            if (p_.phase(l.step) != phase) {
                l.step -= 1;
                return wait_for_others(rank(line));
            }
            if (begin(line)) return;
        }
        out_.seconds = std::max(out_.seconds, l.ready);
    }

    /// The last line of a rank to complete a phase starts the next phase on all lines.
    void wait_for_others(int r) {
        if (++waiting_[static_cast<std::size_t>(r)] < p_.channels()) return;
        waiting_[static_cast<std::size_t>(r)] = 0;
        double all = 0;
        for (int c = 0; c < p_.channels(); ++c)
            all = std::max(all, lines_[static_cast<std::size_t>(r * p_.channels() + c)].ready);
        for (int c = 0; c < p_.channels(); ++c) {
            const int line = r * p_.channels() + c;
            Line& l = lines_[static_cast<std::size_t>(line)];
            l.ready = all;
            ++l.step;
            if (!begin(line)) next_step(line, all);
        }
    }

    /// Begins the step of a line. Returns false if the line has nothing to wait for in it.
    bool begin(int line) {
        Line& l = lines_[static_cast<std::size_t>(line)];
        const Messages& m = *messages_[static_cast<std::size_t>(l.step)];
        const int first = m.first[static_cast<std::size_t>(line)],
                  last = m.first[static_cast<std::size_t>(line) + 1];
        l.sends = last - first;
        l.receives = m.received[static_cast<std::size_t>(line)];
        if (l.sends + l.receives == 0) return false;
        for (std::size_t i = 0; i < l.early.size();) {
            if (l.early[i].first != l.step) {
                ++i;
                continue;
            }
            l.ready = std::max(l.ready, l.early[i].second);
            --l.receives;
            l.early[i] = l.early.back();
            l.early.pop_back();
        }
        const double now = l.ready;
        const int step = l.step;
        for (int i = first; i < last; ++i)
            send(m.all[static_cast<std::size_t>(i)], line, step, now);
        return lines_[static_cast<std::size_t>(line)].sends +
                   lines_[static_cast<std::size_t>(line)].receives >
               0;
    }

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
            --lines_[static_cast<std::size_t>(line)].sends;
            events_.push({now, -1, 0, to, step});
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
        Line& l = lines_[static_cast<std::size_t>(f.from)];
        l.ready = std::max(l.ready, now);
        if (--l.sends + l.receives == 0) next_step(f.from, now);
    }

    void arrived(int line, int step, double now) {
        Line& l = lines_[static_cast<std::size_t>(line)];
        if (l.step != step || l.sends + l.receives == 0) {
            l.early.emplace_back(step, now);
            return;
        }
        l.ready = std::max(l.ready, now);
        if (--l.receives + l.sends == 0) next_step(line, now);
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
    std::vector<const Messages*> messages_;  ///< by step
    std::vector<Line> lines_;
    std::vector<int> waiting_;  ///< by rank: lines that have completed the phase
    std::vector<Flow> flows_;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> events_;
    network::Route route_;
    Outcome out_;
};

}  // namespace

Outcome run_shared(const Program& p, const std::map<int, Messages>& messages,
                   const network::Topology& t, const std::vector<int>& at, double bytes,
                   const Speeds& s, int watched, double window) {
    return Run(p, messages, t, at, bytes, s, watched, window).outcome();
}

}  // namespace hopbine::simulation
