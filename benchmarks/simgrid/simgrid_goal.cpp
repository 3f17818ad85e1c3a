// Replays a schedule in GOAL with SimGrid on a torus and prints the seconds it takes: hopbine's
// flow model, computed by others.
//
//     g++ -std=c++17 -O2 simgrid_goal.cpp -lsimgrid -o simgrid_goal      # Debian 12: apt-get
//     install libsimgrid-dev, which is 3.32 hopbine schedule allreduce swing -p 64 --shape 8x8
//     --format goal --size 2MiB > swing.goal
//     ./simgrid_goal --torus 8x8 --bandwidth 50e9 --hop-latency 400e-9 --overhead 500e-9 --ties
//     split swing.goal
//
// --torus AxB: rank r is node r, the last dimension runs fastest; routes take the first dimension
// first.
// --bandwidth: bytes per second of a link, each way. Nodes have one to each neighbour; entering and
// leaving the network is free.
// --hop-latency, --overhead: seconds. A send is over when its last byte has left; over h hops the
// receive is over h * hop-latency + overhead later.
// --ties: where both ways round a dimension are equally long, `split` sends half each way, on
// routes of our own; `simgrid` (the default) goes as
//   SimGrid's own torus does: one way, the positive one but from coordinate n/2 to 0.
//
// Links share max-min fairly: SimGrid's CM02 without its corrections. Latency is timers', not
// links', because CM02 weighs flows by the inverse of their routes' latency. The k-th send from one
// rank to another with one tag goes to the k-th such receive. cpu and nic are not looked at, calc
// is in nanoseconds, and labels come before what requires them.
#include <deque>
#include <fstream>
#include <iostream>
#include <set>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>
#include <sstream>

namespace sg4 = simgrid::s4u;

namespace {

struct Operation {
    char kind;  ///< s, r or c: send, receive, calculate
    int rank, peer;
    double amount;   ///< bytes or nanoseconds
    int match = -1;  ///< the receive of a send, the send of a receive
    int open = 0;    ///< requirements not met yet
    bool started = false, arrived = false;
    std::vector<int> after = {};  ///< operations that require it
};

/// GOAL, line by line.
class Reader {
public:
    Reader(const std::string& path, int nodes) : nodes_(nodes) {
        std::ifstream file(path);
        int number = 1;
        try {
            if (!file) throw std::runtime_error("cannot be read");
            for (std::string line; std::getline(file, line); ++number)
                read(line.substr(0, line.find("//")));
        } catch (const std::exception& e) {
            throw std::runtime_error(path + ":" + std::to_string(number) + ": " + e.what());
        }
    }
    std::vector<Operation> operations;

private:
    void read(const std::string& line) {
        std::istringstream in(line);
        std::vector<std::string> w{std::istream_iterator<std::string>(in), {}};
        if (w.empty() || w[0] == "num_ranks" || w[0] == "}") return;
        if (w[0] == "rank") {
            rank_ = std::stoi(w.at(1));
            labels_.clear();
        } else if (w.size() == 3 && w[1] == "requires") {
            operations[labels_.at(w[2])].after.push_back(labels_.at(w[0]));
            ++operations[labels_.at(w[0])].open;
        } else {
            if (w[0].back() == ':') {
                labels_[w[0].substr(0, w[0].size() - 1)] = static_cast<int>(operations.size());
                w.erase(w.begin());
            }
            operation(w);
        }
    }
    void operation(const std::vector<std::string>& w) {
        const int self = static_cast<int>(operations.size());
        operations.push_back({w.at(0)[0], rank_, rank_, std::stod(w.at(1))});
        if (w[0] == "calc") return;
        const bool send = w[0] + w.at(2) == "sendto";
        if (!send && w[0] + w[2] != "recvfrom")
            throw std::runtime_error("neither send, recv, calc nor requires");
        const int peer = operations[self].peer = std::stoi(w.at(3));
        if (std::min(peer, rank_) < 0 || std::max(peer, rank_) >= nodes_)
            throw std::runtime_error("a rank is not on the torus");
        const std::string tag = w.size() > 5 && w[4] == "tag" ? w[5] : "0";
        std::deque<int>& others = unmatched_[{send ? rank_ : peer, send ? peer : rank_, tag}];
        if (others.empty() || operations[others.front()].kind == operations[self].kind) {
            others.push_back(self);
            return;
        }
        operations[self].match = others.front();
        operations[others.front()].match = self;
        others.pop_front();
    }

    int nodes_, rank_ = -1;
    std::map<std::string, int> labels_;  ///< of the rank
    std::map<std::tuple<int, int, std::string>, std::deque<int>>
        unmatched_;  ///< by source, destination, tag
};

class Torus {
public:
    explicit Torus(const std::string& text) {
        std::istringstream in(text);
        for (std::string n; std::getline(in, n, 'x');) shape_.push_back(std::stoi(n));
        stride_ = shape_;
        for (std::size_t d = shape_.size(); d-- > 0; nodes_ *= shape_[d]) stride_[d] = nodes_;
        hosts_.resize(nodes_);
    }
    int nodes() const { return nodes_; }
    sg4::Host* host(int node) const { return hosts_[node]; }
    int hops(int from, int to) const {
        int sum = 0;
        for (std::size_t d = 0; d < shape_.size(); ++d)
            sum += std::min(ahead(from, to, d), ahead(to, from, d));
        return sum;
    }
    /// SimGrid's routes take its dimension 0 first, which is also the fastest in `id`.
    void simgrid_zone(double bandwidth) {
        const auto leaf = [this](sg4::NetZone* zone,
                                 const std::vector<unsigned long>& /*coordinates*/,
                                 unsigned long id) {
            int node = 0, rest = static_cast<int>(id);
            for (std::size_t d = 0; d < shape_.size(); rest /= shape_[d++])
                node += rest % shape_[d] * stride_[d];
            hosts_[node] = zone->create_host("h" + std::to_string(id), 1);
            return std::make_pair(hosts_[node]->get_netpoint(),
                                  decltype(hosts_[node]->get_netpoint())());
        };
        const auto duplex = sg4::Link::SharingPolicy::SPLITDUPLEX;
        sg4::create_torus_zone("torus", nullptr, {shape_.begin(), shape_.end()},
                               sg4::ClusterCallbacks(leaf), bandwidth, 0, duplex)
            ->seal();
    }
    /// Where a message is split it uses half its rate of each link, elsewhere all of it. SimGrid
    /// counts a link as often as a route names it: twice where the message is whole, once where it
    /// is split, and links have twice their bandwidth.
    void split_zone(double bandwidth, const std::vector<Operation>& operations) {
        sg4::NetZone* zone = sg4::create_full_zone("torus");
        for (int node = 0; node < nodes_; ++node)
            hosts_[node] = zone->create_host("h" + std::to_string(node), 1);
        std::map<std::tuple<int, std::size_t, bool>, const sg4::Link*>
            links;  // out of a node, along a dimension, forward or back
        std::set<std::pair<int, int>> known;
        for (const Operation& o : operations) {
            if (o.kind != 's' || o.peer == o.rank || !known.emplace(o.rank, o.peer).second)
                continue;
            std::vector<sg4::LinkInRoute> route;
            int at = o.rank;
            for (std::size_t d = 0; d < shape_.size(); ++d) {
                const int forward = ahead(at, o.peer, d), back = ahead(o.peer, at, d);
                for (const bool way : {true, false}) {
                    if (way ? forward > back : back > forward) continue;
                    for (int node = at; coordinate(node, d) != coordinate(o.peer, d);
                         node = neighbour(node, d, way)) {
                        const sg4::Link*& link = links[{node, d, way}];
                        if (!link)
                            link =
                                zone->create_link("l" + std::to_string(links.size()), 2 * bandwidth)
                                    ->seal();
                        route.insert(route.end(), forward == back ? 1 : 2, sg4::LinkInRoute(link));
                    }
                }
                at += (coordinate(o.peer, d) - coordinate(at, d)) * stride_[d];
            }
            zone->add_route(host(o.rank)->get_netpoint(), host(o.peer)->get_netpoint(), nullptr,
                            nullptr, route, false);
        }
        zone->seal();
    }

private:
    int coordinate(int node, std::size_t d) const { return node / stride_[d] % shape_[d]; }
    int ahead(int from, int to, std::size_t d) const {
        return (coordinate(to, d) - coordinate(from, d) + shape_[d]) % shape_[d];
    }
    int neighbour(int node, std::size_t d, bool forward) const {
        const int here = coordinate(node, d);
        return node + ((here + (forward ? 1 : shape_[d] - 1)) % shape_[d] - here) * stride_[d];
    }

    std::vector<int> shape_, stride_;
    std::vector<sg4::Host*> hosts_;
    int nodes_ = 1;
};

class Replay {
public:
    Replay(std::vector<Operation> operations, const Torus& torus, double hop_latency,
           double overhead)
        : operations_(std::move(operations)),
          torus_(torus),
          hop_latency_(hop_latency),
          overhead_(overhead) {}
    double seconds() {
        sg4::Activity::on_completion_cb([this](const sg4::Activity& flow) {
            in(0, [this, send = flows_.extract(&flow).mapped().second] { left(send); });
        });
        for (std::size_t i = 0; i < operations_.size(); ++i)
            if (operations_[i].open == 0) ready_.push_back(static_cast<int>(i));
        start_ready();
        sg4::Engine::get_instance()->run();
        if (ended_ < operations_.size())
            throw std::runtime_error(
                "some operations never end: they wait in a circle or have no match");
        return sg4::Engine::get_clock();
    }

private:
    void in(double delay, const std::function<void()>& then) {
        simgrid::kernel::timer::Timer::set(sg4::Engine::get_clock() + delay, [this, then] {
            then();
            start_ready();
        });
    }
    void start_ready() {
        for (; !ready_.empty(); ready_.pop_front()) {
            const int i = ready_.front();
            Operation& o = operations_[i];
            o.started = true;
            if (o.kind == 'c')
                in(o.amount * 1e-9, [this, i] { end(i); });
            else if (o.kind == 's')
                depart(i);
            else if (o.arrived)
                end(i);
        }
    }
    void depart(int send) {
        const Operation& o = operations_[send];
        if (o.peer == o.rank || o.amount == 0) return left(send);
        const sg4::CommPtr flow = sg4::Comm::sendto_init(torus_.host(o.rank), torus_.host(o.peer));
        flows_[flow.get()] = {flow->set_payload_size(o.amount), send};
        flow->start();
    }
    void left(int send) {
        const Operation& o = operations_[send];
        const int hops = torus_.hops(o.rank, o.peer), receive = o.match;
        end(send);
        if (receive < 0) return;
        in(hops ? hops * hop_latency_ + overhead_ : 0, [this, receive] {
            operations_[receive].arrived = true;
            if (operations_[receive].started) end(receive);
        });
    }
    void end(int i) {
        ++ended_;
        for (int next : operations_[i].after)
            if (--operations_[next].open == 0) ready_.push_back(next);
    }

    std::vector<Operation> operations_;
    const Torus& torus_;
    double hop_latency_, overhead_;
    std::size_t ended_ = 0;
    std::deque<int> ready_;
    std::map<const sg4::Activity*, std::pair<sg4::CommPtr, int>>
        flows_;  ///< under way, and their sends
};

}  // namespace

int main(int argc, char** argv) try {
    xbt_log_control_set("xbt_cfg.thres:warning");
    sg4::Engine engine(&argc, argv);
    for (auto setting : {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:0",
                         "network/bandwidth-factor:1", "network/latency-factor:1",
                         "network/weight-S:0", "surf/precision:1e-13", "maxmin/precision:1e-9"})
        sg4::Engine::set_config(setting);
    std::map<std::string, std::string> given{{"--torus", ""},
                                             {"--bandwidth", ""},
                                             {"--hop-latency", ""},
                                             {"--overhead", ""},
                                             {"--ties", "simgrid"}};
    bool understood = argc % 2 == 0;
    for (int i = 1; i + 1 < argc; i += 2)
        understood = understood && given.count(argv[i]) && !(given[argv[i]] = argv[i + 1]).empty();
    for (const auto& [option, value] : given) understood = understood && !value.empty();
    if (!understood || (given["--ties"] != "simgrid" && given["--ties"] != "split"))
        throw std::runtime_error(
            "usage: simgrid_goal --torus 8x8 --bandwidth 50e9 --hop-latency 400e-9 --overhead "
            "500e-9 "
            "[--ties simgrid|split] FILE");
    const auto number = [&](const char* option) { return std::stod(given[option]); };
    Torus torus(given["--torus"]);
    Reader goal(argv[argc - 1], torus.nodes());
    if (given["--ties"] == "split")
        torus.split_zone(number("--bandwidth"), goal.operations);
    else
        torus.simgrid_zone(number("--bandwidth"));
    std::printf("%.12g\n", Replay(std::move(goal.operations), torus, number("--hop-latency"),
                                  number("--overhead"))
                               .seconds());
} catch (const std::exception& e) {
    return std::cerr << "simgrid_goal: " << e.what() << "\n", 1;
}
