/// The progress of lines through their steps, which the engines that follow messages share.
#pragma once
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "simulation/program.hpp"

namespace hopbine::simulation {

/// A line, a channel of a rank, begins a step when its sends of the step before have left and its
/// receives have arrived. The lines of a rank begin a phase together. An engine has
/// - `send(message, line, step, now)`: sends; calls `left` of the line and `arrived` of the line
///   that the message is for, now or later, with times that may lie ahead;
/// - `began(line, step, now)`, if it wants to know: the line has begun a step and sent its
/// messages;
/// - `finished(line, when)`, if more is to be done: the line has completed its last step; returns
///   when its result is there;
/// - `later(line, at)`: the line has completed its step at that time; calls `next_step` then;
/// - `call_begins(rank, step, ready)`, if it wants to: the time, `ready` or later, at which a rank
///   that has completed a call begins the next, of which this is the first step.
template <typename Engine, typename Time>
class Lines {
public:
    Lines(Engine& engine, const Program& p, const std::map<int, Messages>& messages)
        : engine_(engine),
          p_(p),
          lines_(static_cast<std::size_t>(p.lines())),
          waiting_(static_cast<std::size_t>(p.ranks()), 0) {
        for (int step = 0; step < p.steps_of_call(); ++step)
            messages_.push_back(&messages.at(p.pattern(step)));
    }

    /// Starts the next step in which a line has something to do, once it has completed its step.
    void next_step(int line, Time now) {
        Line& l = at(line);
        l.ready = std::max(l.ready, now);
        const int phase = l.step < 0 ? 0 : p_.phase(l.step);
        while (++l.step < p_.steps()) {
            if (p_.phase(l.step) != phase) {
                l.step -= 1;
                return wait_for_others(line / p_.channels());
            }
            if (begin(line)) return;
        }
        if constexpr (requires { engine_.finished(line, l.ready); })
            l.ready = engine_.finished(line, l.ready);
        end_ = std::max(end_, l.ready);
        ++ended_;
    }

    /// A message that the line sends in its step has left.
    void left(int line, Time when) {
        Line& l = at(line);
        l.ready = std::max(l.ready, when);
        if (--l.sends + l.receives == 0) engine_.later(line, l.ready);
    }

    /// A message of a step has arrived. The line may not have begun that step.
    void arrived(int line, int step, Time when) {
        Line& l = at(line);
        if (l.step != step) return keep(l, step, when);
        l.ready = std::max(l.ready, when);
        if (--l.receives + l.sends == 0) engine_.later(line, l.ready);
    }

    void prefetch(int line) const { __builtin_prefetch(&lines_[static_cast<std::size_t>(line)]); }
    /// The step that a line is in, -1 before the first.
    int step(int line) const { return lines_[static_cast<std::size_t>(line)].step; }
    /// Whether all lines have completed their last step.
    bool ended() const { return ended_ == lines_.size(); }
    /// When the last line has completed its last step. Throws std::logic_error if one has not.
    Time end() const {
        for (const Line& l : lines_)
            if (l.step < p_.steps())
                throw std::logic_error("the simulation of " + std::string(p_.algorithm().name) +
                                       " came to a halt in step " + std::to_string(l.step));
        return end_;
    }
    /// When a rank has completed its last step on all channels, mean over ranks.
    double mean_end() const {
        double sum = 0;
        for (std::size_t first = 0; first < lines_.size();
             first += static_cast<std::size_t>(p_.channels())) {
            const auto begin = lines_.begin() + static_cast<std::ptrdiff_t>(first);
            sum += static_cast<double>(
                std::max_element(begin, begin + p_.channels(), [](const Line& a, const Line& b) {
                    return a.ready < b.ready;
                })->ready);
        }
        return sum / p_.ranks();
    }

private:
    struct Line {
        int step = -1, sends = 0, receives = 0;  ///< current step, and what remains of it
        int early = -1;                          ///< first of the arrivals for later steps
        Time ready = 0;
    };
    struct Early {
        int step, next;
        Time when;
    };

    Line& at(int line) { return lines_[static_cast<std::size_t>(line)]; }

    /// The last line of a rank to complete a phase starts the next phase on all lines.
    void wait_for_others(int r) {
        if (++waiting_[static_cast<std::size_t>(r)] < p_.channels()) return;
        waiting_[static_cast<std::size_t>(r)] = 0;
        const int first = r * p_.channels(), last = first + p_.channels();
        Time all = 0;
        for (int line = first; line < last; ++line) all = std::max(all, at(line).ready);
        const int step = at(first).step + 1;
        const bool call = p_.in_call(step) == 0;
        if constexpr (requires { engine_.call_begins(r, step, all); })
            if (call) all = engine_.call_begins(r, step, all);
        for (int line = first; line < last; ++line) {
            at(line).ready = all;
            ++at(line).step;
            if (begin(line)) continue;
            // Calls in which a rank has nothing to do are not nested in one another.
            call ? engine_.later(line, all) : next_step(line, all);
        }
    }

    /// Begins the step of a line. Returns false if the line has nothing to wait for in it.
    bool begin(int line) {
        Line& l = at(line);
        const Messages& m = *messages_[static_cast<std::size_t>(p_.in_call(l.step))];
        const int first = m.first[static_cast<std::size_t>(line)],
                  last = m.first[static_cast<std::size_t>(line) + 1];
        l.sends = last - first + 1;  // one more, so that the step cannot end before all are sent
        l.receives = m.received[static_cast<std::size_t>(line)];
        const Time now = l.ready;
        for (int i = first; i < last; ++i)
            engine_.send(m.all[static_cast<std::size_t>(i)], line, l.step, now);
        if constexpr (requires { engine_.began(line, l.step, now); })
            engine_.began(line, l.step, now);
        take_early(l);
        if (--l.sends + l.receives > 0) return true;
        if (!(l.ready > now)) return false;
        engine_.later(line, l.ready);
        return true;
    }

    void keep(Line& l, int step, Time when) {
        if (unused_ < 0) {
            unused_ = static_cast<int>(early_.size());
            early_.push_back({0, -1, 0});
        }
        const int id = unused_;
        Early& e = early_[static_cast<std::size_t>(id)];
        unused_ = e.next;
        e = {step, l.early, when};
        l.early = id;
    }

    /// Counts the kept arrivals of the line's step.
    void take_early(Line& l) {
        for (int* id = &l.early; *id >= 0;) {
            Early& e = early_[static_cast<std::size_t>(*id)];
            if (e.step != l.step) {
                id = &e.next;
                continue;
            }
            l.ready = std::max(l.ready, e.when);
            --l.receives;
            const int next = e.next;
            e.next = unused_;
            unused_ = *id;
            *id = next;
        }
    }

    Engine& engine_;
    const Program& p_;
    std::vector<const Messages*> messages_;  ///< by step of a call
    std::vector<Line> lines_;
    std::vector<int> waiting_;  ///< by rank: lines that have completed the phase
    std::vector<Early> early_;
    int unused_ = -1;
    std::size_t ended_ = 0;
    Time end_ = 0;
};

}  // namespace hopbine::simulation
