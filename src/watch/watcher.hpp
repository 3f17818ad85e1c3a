/// The watcher of a node: looks at the ranks' records now and again, and reports those that wait.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "watch/link.hpp"
#include "watch/local_rank.hpp"
#include "watch/reports.hpp"
#include "watch/socket.hpp"

struct pollfd;

namespace hopbine::watch {

/// Ends with the ranks of its node. The watcher of the first rank's node also asks those of other
/// nodes, and is the one that reports.
class Watcher {
public:
    /// `listening`: the socket that ranks connect to. `started`: when the watcher was, which may
    /// have waited since before it has begun.
    Watcher(Descriptor listening, Clock::time_point started)
        : listening_(std::move(listening)), started_(started) {}
    void run();

private:
    /// A watcher of another node.
    struct Other {
        std::unique_ptr<Link> link;
        bool known = false;  ///< it has shown the key
        bool answered = false;
        Views views;
    };
    std::vector<pollfd> files() const;
    void serve_newcomers();
    /// Returns false while nothing has come from it yet.
    bool serve(const Descriptor& newcomer);
    void join(const Hello& hello, pid_t process, Files& files);
    void answer(int socket);
    void receive();
    void heed(Other& other, const Message& message);
    void obey(const Message& message);
    void let_go_on();
    void send_views();
    void look_at_ranks(Clock::time_point now);
    void look(Clock::time_point now);
    void meet_head();
    void decide(Clock::time_point now, bool alarm);
    void report();
    void tell(const std::string& text);
    void abort();
    Views views() const;
    bool done() const;

    Descriptor listening_;
    bool full_ = false;  ///< no descriptor was left at the last attempt
    std::vector<Descriptor> newcomers_;
    std::vector<std::unique_ptr<LocalRank>> ranks_;
    std::optional<Hello> hello_;  ///< the first rank's
    std::optional<Server> server_;
    std::unique_ptr<Link> head_;  ///< the watcher that reports, where that is another
    bool met_head_ = false;       ///< it has been tried to connect to it
    std::vector<Other> others_;
    Views gone_;  ///< the last views of nodes whose watchers have ended
    bool aborted_ = false;
    bool alarm_ = false;  ///< another node's
    /// Ranks have found calls that do not match, and this watcher is to report them.
    bool differs_ = false;
    std::optional<Clock::time_point> asked_, reported_;
    std::optional<Reports> reports_;
    Clock::time_point started_, began_ = Clock::now(), next_look_ = began_;
};

}  // namespace hopbine::watch
