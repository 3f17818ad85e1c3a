/// Messages of other jobs as they come and go, for the packet engine.
#pragma once
#include <cmath>
#include <utility>

#include "simulation/traffic.hpp"

namespace hopbine::simulation {

/// Lets the senders of other traffic send. An engine has
/// - `send_later(sender, at)`: calls `send` then;
/// - `send_other(sender, from, to, now)`: sends a message between end points; calls `arrived` when
///   it has come.
template <typename Engine, typename Time>
class OtherJobs {
public:
    /// `message` is the time of a message on a link.
    OtherJobs(Engine& engine, Traffic traffic, double message)
        : engine_(engine), traffic_(std::move(traffic)), message_(message) {}

    /// Starts all senders. Returns the time at which the job is to begin.
    Time begin() {
        for (std::size_t i = 0; i < traffic_.senders().size(); ++i)
            engine_.send_later(static_cast<std::uint32_t>(i), gap(traffic_.senders()[i]));
        return begin_ = std::llround(traffic_.warm_up() * message_);
    }
    void send(std::uint32_t sender, Time now) {
        Traffic::Sender& from = traffic_.senders()[sender];
        if (from.under_way == Traffic::kWindow) {
            from.held = true;
            return;
        }
        ++from.under_way;
        engine_.send_other(sender, from.at, traffic_.next(from), now);
        engine_.send_later(sender, now + gap(from));
    }
    void arrived(std::uint32_t sender, Time now) {
        Traffic::Sender& from = traffic_.senders()[sender];
        arrived_[from.aggressor] += now > begin_;
        --from.under_way;
        if (!from.held) return;
        from.held = false;
        send(sender, now);
    }
    /// Bandwidth that each sender had while the job ran, in the mean, as a share of a link's: of
    /// the background and of the aggressor.
    std::pair<double, double> reached(Time end) {
        double senders[2] = {0, 0};
        for (const Traffic::Sender& s : traffic_.senders()) ++senders[s.aggressor];
        const auto share = [&](bool aggressor) {
            const double all = senders[aggressor] * static_cast<double>(end - begin_) / message_;
            return all > 0 ? arrived_[aggressor] / all : 0;
        };
        return {share(false), share(true)};
    }

private:
    Time gap(const Traffic::Sender& s) { return std::llround(traffic_.gap(s) * message_); }

    Engine& engine_;
    Traffic traffic_;
    double message_;
    Time begin_ = 0;
    double arrived_[2] = {0, 0};  ///< messages of the background and of the aggressor
};

}  // namespace hopbine::simulation
