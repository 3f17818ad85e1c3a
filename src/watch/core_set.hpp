/// The cores that a thread may run on.
#pragma once
#include <sched.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace hopbine::watch {

class CoreSet {
public:
    /// Takes those of this thread. False: the system does not tell them.
    bool read() { return ::sched_getaffinity(0, kBytes, raw()) == 0; }
    /// Has this thread run on these alone. False: the system refuses.
    bool bind() const { return ::sched_setaffinity(0, kBytes, raw()) == 0; }

    void add(int core) { CPU_SET_S(static_cast<std::size_t>(core), kBytes, raw()); }
    void add_all() { bits_.fill(~0UL); }

    /// As system calls take it.
    std::string_view bytes() const { return {reinterpret_cast<const char*>(bits_.data()), kBytes}; }

private:
    using Bits = std::array<unsigned long, 128>;  // of 8,192 cores, the most that Linux has
    static constexpr std::size_t kBytes = sizeof(Bits);
    cpu_set_t* raw() { return reinterpret_cast<cpu_set_t*>(bits_.data()); }
    const cpu_set_t* raw() const { return reinterpret_cast<const cpu_set_t*>(bits_.data()); }

    Bits bits_{};
};

}  // namespace hopbine::watch
