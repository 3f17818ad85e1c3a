/// Connections between the watchers of a job's nodes: TCP, opened once; whoever connects shows the
/// job's key first. Nothing is sent while no rank waits for long.
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "watch/descriptor.hpp"
#include "watch/rendezvous.hpp"

namespace hopbine::watch {

/// What a message is.
enum class Kind : std::uint8_t {
    key,      ///< of the job: the first message of a connection
    alarm,    ///< a rank of this node waits for too long
    differs,  ///< a rank of this node has found that calls do not match
    ask,      ///< for the views of a node's ranks
    views,    ///< the answer
    told,     ///< the views are reported
    abort     ///< the job ends
};
struct Message {
    Kind kind;
    std::string text;
};

/// One connection.
class Link {
public:
    /// `trusted`: the other one is known; else no more than the message with the key is read.
    Link(Descriptor socket, bool trusted) : socket_(std::move(socket)), trusted_(trusted) {}
    /// It has shown the key.
    void trust() { trusted_ = true; }
    int file() const { return socket_.get(); }
    /// Sends a message, for a second at most. Returns false where the connection has ended.
    bool send(Kind kind, const std::string& text = "");
    /// Takes what has come without waiting. Returns false where the connection has ended.
    bool receive();
    /// The next whole message.
    std::optional<Message> next();
    /// Ended, by a message that no watcher sends.
    bool broken() const { return broken_; }
    /// Takes no more messages: the other one is no watcher of this job.
    void break_off() { broken_ = true; }

private:
    Descriptor socket_;
    std::string received_;
    bool trusted_, broken_ = false;
};

/// Listens for other nodes. Throws Error.
class Server {
public:
    explicit Server(const Secret& secret);
    /// One that another process has made: its socket.
    Server(const Secret& secret, Descriptor socket)
        : key_(secret.key), socket_(std::move(socket)) {}
    /// Where it listens, in the process that has made it: all addresses of this node, loopback's
    /// last.
    const watch_head& head() const { return head_; }
    int file() const { return socket_.get(); }
    /// Accepts a connection; it counts once it has shown the key.
    std::unique_ptr<Link> accept() const;
    bool is_key(const std::string& text) const;

private:
    std::array<unsigned char, WATCH_KEY> key_;
    Descriptor socket_;
    watch_head head_{};
};

/// Connects to a server by the first of its addresses that answers; null: none does.
std::unique_ptr<Link> connect_to(const watch_head& head, const Secret& secret);

}  // namespace hopbine::watch
