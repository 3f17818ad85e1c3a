#include "watch/socket.hpp"

#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "schedule/hash.hpp"
#include "schedule/problem.hpp"

namespace hopbine::watch {

Address::Address(const std::string& name) {
    address_.sun_family = AF_UNIX;
    const std::size_t length = std::min(name.size(), sizeof address_.sun_path - 1);
    std::memcpy(address_.sun_path + 1, name.data(), length);  // after the zero of an abstract one
    size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

std::string socket_name(std::uint64_t job, const std::string& node) {
    return kSocket + std::to_string(::geteuid()) + "-" + hexadecimal(job) + "-" +
           hexadecimal(fnv1a(node));
}

ucred user_of(int socket) {
    ucred out{0, static_cast<uid_t>(-1), 0};
    socklen_t size = sizeof out;
    ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &out, &size);
    return out;
}

void send_hello(int socket, const Hello& hello, int file) {
    iovec data{const_cast<Hello*>(&hello), sizeof hello};
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof file)] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    if (file >= 0) {
        message.msg_control = room;
        message.msg_controllen = sizeof room;
        cmsghdr* const head = CMSG_FIRSTHDR(&message);
        *head = {CMSG_LEN(sizeof file), SOL_SOCKET, SCM_RIGHTS};
        std::memcpy(CMSG_DATA(head), &file, sizeof file);
    }
    if (::sendmsg(socket, &message, MSG_NOSIGNAL) != sizeof hello)
        throw Error(std::string("the watcher takes no record: ") + std::strerror(errno));
}

Newcomer receive_hello(int socket, Hello& hello, Descriptor& file) {
    iovec data{&hello, sizeof hello};
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    const ssize_t got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (const cmsghdr* const head = got > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
        head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof(int))) {
        int received = -1;
        std::memcpy(&received, CMSG_DATA(head), sizeof received);
        file = Descriptor(received);
    }
    if (got == 1) return Newcomer::asker;
    const bool known = got == sizeof hello && hello.layout == WATCH_LAYOUT;
    return known ? Newcomer::rank : Newcomer::unknown;
}

void receive_within(int socket, void* out, std::size_t bytes, std::chrono::seconds most) {
    const timeval limit{most.count(), 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    const ssize_t got = ::recv(socket, out, bytes, 0);
    if (got != static_cast<ssize_t>(bytes))
        throw Error(std::string("the watcher does not answer: ") +
                    (got < 0 ? std::strerror(errno) : "it has ended"));
}

}  // namespace hopbine::watch
