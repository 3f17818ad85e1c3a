#include "watch/link.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "schedule/problem.hpp"
#include "watch/text.hpp"

namespace hopbine::watch {

namespace {

/// Most bytes of a message: the views of a node of 1,000 ranks with 100 communicators each have a
/// tenth of it.
constexpr std::uint32_t kMostBytes = 64 << 20;
constexpr std::size_t kHead = 5;  // of a message: size and kind
constexpr std::size_t kKeyMessage = kHead + WATCH_KEY;
constexpr int kPatienceToConnect = 1000;  // ms for each address; nobody waits for it

std::string key_text(const Secret& secret) {
    return {reinterpret_cast<const char*>(secret.key.data()), secret.key.size()};
}

/// The address in words, and its number of bytes; 0: it is of another kind.
std::string address_text(const sockaddr* address) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address->sa_family == AF_INET)
        ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text,
                    sizeof text);
    return text;
}

/// Addresses of IPv4 of this node, loopback's last.
std::vector<std::string> own_addresses() {
    ifaddrs* all = nullptr;
    std::vector<std::string> out, loopback;
    if (::getifaddrs(&all) != 0) return out;
    for (const ifaddrs* one = all; one; one = one->ifa_next) {
        const std::string text = one->ifa_addr ? address_text(one->ifa_addr) : "";
        if (text.empty() || !(one->ifa_flags & IFF_UP)) continue;
        (one->ifa_flags & IFF_LOOPBACK ? loopback : out).push_back(text);
    }
    ::freeifaddrs(all);
    out.resize(std::min<std::size_t>(out.size(), WATCH_ADDRESSES - 1));
    out.insert(out.end(), loopback.begin(), loopback.end());
    out.resize(std::min<std::size_t>(out.size(), WATCH_ADDRESSES));
    return out;
}

Descriptor connect_once(const std::string& address, std::uint32_t port) {
    Descriptor out(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    if (!out || ::inet_pton(AF_INET, address.c_str(), &to.sin_addr) != 1) return Descriptor();
    if (::connect(out.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0 &&
        errno != EINPROGRESS)
        return Descriptor();
    pollfd waiting{out.get(), POLLOUT, 0};
    int error = 1;
    socklen_t size = sizeof error;
    if (::poll(&waiting, 1, kPatienceToConnect) != 1) return Descriptor();
    ::getsockopt(out.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    return error == 0 ? std::move(out) : Descriptor();
}

}  // namespace

bool Link::send(Kind kind, const std::string& text) {
    std::string all(kHead, '\0');
    const auto size = static_cast<std::uint32_t>(text.size());
    std::memcpy(all.data(), &size, sizeof size);
    all[4] = static_cast<char>(kind);
    all += text;
    for (std::size_t sent = 0; sent < all.size();) {
        const ssize_t n =
            ::send(file(), all.data() + sent, all.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) sent += static_cast<std::size_t>(n);
        if (n >= 0 || errno == EINTR) continue;
        pollfd waiting{file(), POLLOUT, 0};
        if (errno != EAGAIN || ::poll(&waiting, 1, 1000) != 1) return false;
    }
    return true;
}

bool Link::receive() {
    std::array<char, 1 << 16> part;
    for (;;) {
        const std::size_t most = trusted_ ? part.size() : kKeyMessage - received_.size();
        if (most == 0) return true;  // it is to be looked at first
        const ssize_t n = ::recv(file(), part.data(), most, MSG_DONTWAIT);
        if (n > 0) received_.append(part.data(), static_cast<std::size_t>(n));
        if (n == 0 || received_.size() > 2 * std::size_t{kMostBytes}) return false;
        if (n < 0) return errno == EAGAIN || errno == EINTR;
    }
}

std::optional<Message> Link::next() {
    std::uint32_t size = 0;
    if (received_.size() < kHead) return std::nullopt;
    std::memcpy(&size, received_.data(), sizeof size);
    broken_ = broken_ || size > (trusted_ ? kMostBytes : std::uint32_t{WATCH_KEY});
    if (broken_ || received_.size() < kHead + std::size_t{size}) return std::nullopt;
    Message out{static_cast<Kind>(received_[4]), received_.substr(kHead, size)};
    received_.erase(0, kHead + std::size_t{size});
    return out;
}

Server::Server(const Secret& secret)
    : key_(secret.key), socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in here{};
    here.sin_family = AF_INET;
    socklen_t size = sizeof here;
    if (!socket_ || ::bind(file(), reinterpret_cast<const sockaddr*>(&here), sizeof here) != 0 ||
        ::listen(file(), 4096) != 0 ||
        ::getsockname(file(), reinterpret_cast<sockaddr*>(&here), &size) != 0)
        throw Error(std::string("no socket for other nodes: ") + std::strerror(errno));
    head_.port = ntohs(here.sin_port);
    std::size_t i = 0;
    for (const std::string& address : own_addresses()) set_text(head_.address[i++], address);
}

std::unique_ptr<Link> Server::accept() const {
    Descriptor one(::accept4(file(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    return one ? std::make_unique<Link>(std::move(one), false) : nullptr;
}

bool Server::is_key(const std::string& text) const {
    unsigned differs = text.size() != key_.size();
    for (std::size_t i = 0; i < key_.size() && i < text.size(); ++i)
        differs |= static_cast<unsigned char>(text[i]) ^ unsigned { key_[i] };
    return differs == 0;  // as long for a wrong key, wherever it is wrong
}

std::unique_ptr<Link> connect_to(const watch_head& head, const Secret& secret) {
    for (const auto& address : head.address) {
        const std::string text = text_of(address);
        if (text.empty()) continue;
        Descriptor socket = connect_once(text, head.port);
        if (!socket) continue;
        auto out = std::make_unique<Link>(std::move(socket), true);
        if (out->send(Kind::key, key_text(secret))) return out;
    }
    return nullptr;
}

}  // namespace hopbine::watch
