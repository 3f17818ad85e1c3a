#include <algorithm>
#include <cmath>

#include "schedule/message_header.hpp"
#include "simulation/nodes.hpp"

namespace hopbine::simulation {

namespace {

constexpr double kWordBytes = 8;  ///< bytes of the number to agree on

/// Bytes of the header of a message: its fixed part, and the part per block.
struct Heads {
    double message, block;
};
Heads heads(Wire wire, const BlockSizes& sizes, std::int64_t longest) {
    if (wire == Wire::padded) return {0, 0};
    const MessageHeader header{.again = sizes.again,
                               .narrow = MessageHeader::fits_narrow(static_cast<std::int64_t>(
                                   static_cast<double>(longest) * sizes.mean))};
    return {static_cast<double>(header.length(0)),
            static_cast<double>(header.length(1) - header.length(0))};
}

/// Messages and bytes of an alltoallv.
class Weighed {
public:
    Weighed(Wire wire, const BlockSizes& sizes) : wire_(wire), sizes_(sizes) {}
    double messages(const MessageCounts& m) const {
        const double sent = wire_ == Wire::with_empty ? 1 : 1 - sizes_.empty;
        return static_cast<double>(m.bare) * sent +
               static_cast<double>(m.packed) * (wire_ == Wire::sizes_first ? 2 : 1);
    }
    /// Bytes of packed messages, which are packed and unpacked.
    double packed(const MessageCounts& m) const {
        const Heads header = heads(wire_, sizes_, m.longest);
        return static_cast<double>(m.packed) * header.message +
               static_cast<double>(m.blocks) *
                   (header.block + (wire_ == Wire::padded ? sizes_.largest : sizes_.mean));
    }
    double bytes(const MessageCounts& m) const {
        return static_cast<double>(m.bare) * sizes_.mean + packed(m);
    }

private:
    Wire wire_;
    const BlockSizes& sizes_;
};

/// Messages and bytes of an allreduce of one number. Every message has one word, whatever its
/// blocks.
class Word {
public:
    double messages(const MessageCounts& m) const { return static_cast<double>(m.bare + m.packed); }
    double packed(const MessageCounts&) const { return 0; }
    double bytes(const MessageCounts& m) const { return messages(m) * kWordBytes; }
};

template <class Weight>
NodeTime time_of(const RankLoad& l, const Weight& w, const NodeSpeeds& v) {
    const auto larger = [](double x, double y) { return std::max(x, y); };
    const double messages = larger(w.messages(l.sent_inside) + w.messages(l.sent_between),
                                   w.messages(l.received_inside) + w.messages(l.received_between));
    const double across = w.messages(l.sent_between) + w.messages(l.received_between);
    NodeTime out;
    if (messages == 0) return out;
    out.latency = across > 0 ? v.latency_between : v.latency_inside;
    out.overhead = larger(0, messages - 1) * v.overhead;
    out.inside = larger(w.bytes(l.sent_inside), w.bytes(l.received_inside)) / v.rank;
    if (across > 0) out.between = larger(w.bytes(l.node_sent), w.bytes(l.node_received)) / v.node;
    for (const MessageCounts* m :
         {&l.sent_inside, &l.sent_between, &l.received_inside, &l.received_between})
        out.packing += (w.packed(*m) > 0 ? static_cast<double>(m->blocks) * v.block : 0) +
                       w.packed(*m) / v.copy;
    return out;
}

template <class Weight>
void add(const std::vector<EqualSteps>& all, const Weight& w, const NodeSpeeds& v, NodeTimes& out) {
    for (const EqualSteps& step : all) {
        NodeTime last;
        bool leaves = false;
        for (const RankLoad& l : step.loads) {
            const NodeTime t = time_of(l, w, v);
            if (t.seconds() > last.seconds()) last = t;
            leaves |= l.node_sent != MessageCounts{} || l.node_received != MessageCounts{};
        }
        const auto n = static_cast<double>(step.times);
        (leaves ? out.between : out.inside) +=
            {n * last.latency, n * last.overhead, n * last.inside, n * last.between,
             n * last.packing};
    }
}

}  // namespace

NodeTime& NodeTime::operator+=(const NodeTime& t) {
    latency += t.latency;
    overhead += t.overhead;
    inside += t.inside;
    between += t.between;
    packing += t.packing;
    return *this;
}

BlockSizes block_sizes(const distribution& d, std::int64_t ranks, bool again) {
    const double blocks = static_cast<double>(ranks) * static_cast<double>(ranks),
                 half = std::log(0.5);
    std::int64_t low = 0,
                 high = distribution_longest(&d);  // least number of elements that all blocks stay
                                                   // within with probability 1/2
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (blocks * std::log(distribution_up_to(&d, static_cast<double>(middle))) >= half)
            high = middle;
        else
            low = middle + 1;
    }
    return {distribution_mean(&d), distribution_up_to(&d, 0),
            static_cast<double>(low) * static_cast<double>(d.width), again};
}

NodeTimes node_time(const NodeLoads& loads, const BlockSizes& sizes, const NodeSpeeds& speeds) {
    NodeTimes out;
    add(loads.agreement, Word(), speeds, out);
    add(loads.steps, Weighed(loads.wire, sizes), speeds, out);
    return out;
}

}  // namespace hopbine::simulation
