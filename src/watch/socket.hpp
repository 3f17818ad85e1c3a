/// The socket between the ranks of a node and their watcher.
#pragma once
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
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

/// Sends the hello with a file and, unless that is negative, another one. Throws Error.
void send_hello(int socket, const Hello& hello, int file, int other);
/// What a newcomer is: a rank with its record, one that asks what ranks do (by any single byte:
/// hopbine hang), or none that is of this version.
enum class Newcomer { rank, asker, unknown };
/// The two files that may come with a hello.
using Files = std::array<Descriptor, 2>;
/// Receives a hello and what came with it.
Newcomer receive_hello(int socket, Hello& hello, Files& files);

}  // namespace hopbine::watch
