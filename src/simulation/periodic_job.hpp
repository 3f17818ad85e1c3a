/// Another job's calls of a collective, one in every period, for the packet engine.
#pragma once
#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "simulation/hosts.hpp"
#include "simulation/lines.hpp"
#include "simulation/traffic.hpp"

namespace hopbine::simulation {

/// Calls of another job while the simulated one ran.
struct CallsBeside {
    std::int64_t calls = 0;  ///< that all ranks completed
    std::int64_t late = 0;   ///< begun after they were due, on the rank with most of these
    double seconds = 0;      ///< of a call, in the mean, on the rank where that is longest
};

/// Lets another job call its collective. Its ranks go on by themselves: each begins a call when it
/// is due and the rank has completed the one before. Its messages cost nothing besides links. An
/// engine has
/// - `later_beside(line, at)`: calls `next_step` then;
/// - `send_beside(from, to, line, to_line, step, bytes, now)`: sends a message between end points;
///   calls `left` and `arrived`.
template <typename Engine, typename Time>
class PeriodicJob {
    friend class Lines<PeriodicJob, Time>;

public:
    PeriodicJob(Engine& engine, const OtherCalls& c, int cards, const network::Topology& t,
                Time period)
        : engine_(engine),
          hosts_(c.nodes, cards, t),
          // More calls than any simulation has events for.
          program_(c.program.repeated(std::numeric_limits<int>::max() /
                                      std::max(1, c.program.steps_of_call()))),
          per_part_(program_.part_bytes(c.bytes)),
          period_(std::max<Time>(1, period)),
          messages_(of_steps(program_)),
          lines_(*this, program_, messages_),
          ranks_(c.nodes.size()) {}

    int lines() const { return program_.lines(); }
    /// Begins the first call.
    void begin() {
        for (int line = 0; line < lines(); ++line) lines_.next_step(line, 0);
    }
    void next_step(int line, Time now) { lines_.next_step(line, now); }
    void left(int line, Time when) { lines_.left(line, when); }
    void arrived(int line, int step, Time when) { lines_.arrived(line, step, when); }
    /// What the calls took, with so many ticks in a second.
    CallsBeside told(double ticks) const {
        const auto less = [](auto member) {
            return [member](const OfRank& a, const OfRank& b) { return a.*member < b.*member; };
        };
        CallsBeside out;
        out.calls = std::min_element(ranks_.begin(), ranks_.end(), less(&OfRank::calls))->calls;
        out.late = std::max_element(ranks_.begin(), ranks_.end(), less(&OfRank::late))->late;
        for (const OfRank& r : ranks_)
            if (r.calls > 0)
                out.seconds = std::max(out.seconds, static_cast<double>(r.spent) / ticks /
                                                        static_cast<double>(r.calls));
        return out;
    }

private:
    struct OfRank {
        Time begun = 0, spent = 0;
        std::int64_t calls = 0, late = 0;
        unsigned sent = 0, received = 0;
    };

    static std::map<int, Messages> of_steps(const Program& p) {
        std::map<int, Messages> out;
        for (int s = 0; s < p.steps_of_call(); ++s)
            if (!out.contains(p.pattern(s))) out.emplace(p.pattern(s), p.messages(s));
        return out;
    }
    OfRank& of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

    // What Lines asks.
    void send(const Message& m, int line, int step, Time now) {
        engine_.send_beside(hosts_.card(m.from, of(m.from).sent++),
                            hosts_.card(m.to, of(m.to).received++), line,
                            m.to * program_.channels() + m.channel, step,
                            per_part_ * static_cast<double>(m.parts), now);
    }
    void later(int line, Time at) { engine_.later_beside(line, at); }
    Time call_begins(int rank, int step, Time ready) {
        OfRank& r = of(rank);
        const Time due = step / program_.steps_of_call() * period_;
        r.spent += ready - r.begun;
        r.late += ready > due;
        ++r.calls;
        return r.begun = std::max(ready, due);
    }

    Engine& engine_;
    Hosts hosts_;
    Program program_;
    double per_part_;
    Time period_;
    std::map<int, Messages> messages_;  ///< by pattern
    Lines<PeriodicJob, Time> lines_;
    std::vector<OfRank> ranks_;
};

}  // namespace hopbine::simulation
