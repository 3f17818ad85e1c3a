/// Nodes in the packet engine: the ranks on them, their network cards, and what messages cost.
#pragma once
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "network/topology.hpp"

namespace hopbine::simulation {

/// What a message costs besides its links, in seconds, and in seconds per byte where it says so.
/// The defaults cost nothing.
struct MessageCosts {
    double send = 0;     ///< of the sender's processor
    double receive = 0;  ///< of the receiver's processor
    double latency = 0;  ///< between nodes, besides that of cables and routers
    double eager = std::numeric_limits<double>::infinity();  ///< bytes of the longest message that
                                                             ///< does not wait for its receiver
    double inside_latency = 0;                               ///< inside a node
    double inside = 0;      ///< per byte of a message inside a node, which the receiver copies
    double unexpected = 0;  ///< per byte of a message that came before its receiver's step began
    double reduce = 0;      ///< per byte that is reduced
    double block = 0;       ///< per run of blocks, where a message has several: on each side
    double copy = 0;        ///< per byte of such a message: on each side
    bool operator==(const MessageCosts&) const = default;
};

/// The keys of MessageCosts and their values.
std::map<std::string, double> values(const MessageCosts& costs);
/// Costs of the values by key; other keys keep their defaults. Throws Error for an unknown key and
/// for a value below 0.
MessageCosts message_costs(const std::map<std::string, double>& values);

/// Which ranks are on a node, and through which of its network cards their messages go. A card is
/// an end point of the network; node n has the end points n * cards .. n * cards + cards - 1. The
/// ranks of a node divide its cards among them; a rank with several uses them in turn.
class Hosts {
public:
    Hosts() = default;
    /// Takes the node of every rank. Throws Error unless the network has that many end points, and
    /// if its end points are routers and there are several cards.
    Hosts(const std::vector<int>& node, int cards, const network::Topology& t);
    /// Whether every node has one rank and one card.
    bool plain() const { return plain_; }
    int cards() const { return cards_; }
    int node(int rank) const { return ranks_[static_cast<std::size_t>(rank)].node; }
    /// End point of the rank's message number `turn`.
    int card(int rank, unsigned turn) const {
        const OfRank& r = ranks_[static_cast<std::size_t>(rank)];
        return r.card + static_cast<int>(turn % r.cards);
    }

private:
    struct OfRank {
        int node, card;  ///< the first card
        unsigned cards;
    };
    std::vector<OfRank> ranks_;
    int cards_ = 1;
    bool plain_ = true;
};

}  // namespace hopbine::simulation
