/// A transport that counts messages, around another one.
#pragma once
#include <cstdint>

#include "runtime/plan.hpp"
#include "runtime/transport.hpp"

namespace hopbine::mpi {

struct Count {
    std::int64_t messages = 0, elements = 0;
};

/// Hands every message to `Inner`.
template <class Inner>
class CountingTransport {
public:
    static constexpr bool kCalls = false;
    CountingTransport(Inner& inner, Count& sent) : inner_(inner), sent_(sent) {}
    Begun begin_send(MessageUse use, const Message& m, int channel, const char* from,
                     std::int64_t n) {
        ++sent_.messages;
        sent_.elements += n;
        return inner_.begin_send(use, m, channel, from, n);
    }
    Begun begin_receive(MessageUse use, const Message& m, int channel, char* to, std::int64_t n) {
        return inner_.begin_receive(use, m, channel, to, n);
    }
    template <class Done>
    void wait(Needed what, const Done& done) {
        inner_.wait(what, done);
    }

private:
    Inner& inner_;
    Count& sent_;
};

}  // namespace hopbine::mpi
