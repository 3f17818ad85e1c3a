#include "watch/socket.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <tuple>

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

void send_hello(int socket, const Hello& hello, int file, int other) {
    const int files[] = {file, other};
    const std::size_t bytes = (other < 0 ? 1 : 2) * sizeof(int);
    iovec data{const_cast<Hello*>(&hello), sizeof hello};
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof files)] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    *head = {CMSG_LEN(bytes), SOL_SOCKET, SCM_RIGHTS};
    std::memcpy(CMSG_DATA(head), files, bytes);
    if (::sendmsg(socket, &message, MSG_NOSIGNAL) != sizeof hello)
        throw Error(std::string("the watcher takes no record: ") + std::strerror(errno));
}

Newcomer receive_hello(int socket, Hello& hello, Files& files) {
    iovec data{&hello, sizeof hello};
    int received[std::tuple_size_v<Files>];
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof received)] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    const ssize_t got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (const cmsghdr* const head = got > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
        head && head->cmsg_type == SCM_RIGHTS) {
        const std::size_t bytes = std::min(head->cmsg_len - CMSG_LEN(0), sizeof received);
        std::memcpy(received, CMSG_DATA(head), bytes);
        for (std::size_t i = 0; i < bytes / sizeof(int); ++i) files[i] = Descriptor(received[i]);
    }
    if (got == 1) return Newcomer::asker;
    const bool known = got == sizeof hello && hello.layout == WATCH_LAYOUT;
    return known ? Newcomer::rank : Newcomer::unknown;
}

}  // namespace hopbine::watch
