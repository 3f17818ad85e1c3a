/// The socket between the ranks of a node and their watcher.
#pragma once
#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <string>

#include "watch/descriptor.hpp"
#include "watch/rendezvous.hpp"

namespace hopbine::watch {

/// An abstract address of AF_UNIX: it is no file, and goes with the socket.
class Address {
public:
    explicit Address(const std::string& name);
    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
    socklen_t size() const { return size_; }

private:
    sockaddr_un address_{};
    socklen_t size_;
};

/// The name of the socket of a job's watcher on a node: kSocket, user, job, node. Pretended nodes
/// of one machine have watchers of their own.
std::string socket_name(std::uint64_t job, const std::string& node);

/// Whose process is at the other end.
ucred user_of(int socket);

/// Sends the hello with a file; negative: without. Throws Error.
void send_hello(int socket, const Hello& hello, int file);
/// What a newcomer is: a rank with its record, one that asks what ranks do (by any single byte:
/// hopbine hang), or none that is of this version.
enum class Newcomer { rank, asker, unknown };
/// Receives a hello and the file that came with it.
Newcomer receive_hello(int socket, Hello& hello, Descriptor& file);
/// Receives exactly so many bytes. Throws Error.
void receive_within(int socket, void* out, std::size_t bytes, std::chrono::seconds most);

}  // namespace hopbine::watch
