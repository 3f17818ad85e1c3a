/// Arrivals of a rank as bytes: a header for each communicator, then what it counts.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace hopbine::mpi {

struct PackedArrivals {
    std::uint64_t key = 0;    ///< of the communicator's ranks
    std::uint64_t calls = 0;  ///< that were made
    std::uint32_t rank = 0, size = 0;
    std::uint32_t kept = 0;   ///< calls: seconds inside of each, then outside, then at rank 0 begun
    std::uint32_t ranks = 0;  ///< bytes of text that names the ranks; 0: not rank 0
    std::uint64_t mixed = 0;  ///< 1: the order of the calls is not known
};

inline void append(std::string& out, const void* from, std::size_t bytes) {
    out.append(static_cast<const char*>(from), bytes);
}

/// Reads what was appended, in the same order.
class PackedReader {
public:
    explicit PackedReader(const std::string& from) : from_(from) {}
    bool ends() const { return at_ == from_.size(); }
    PackedArrivals header() {
        PackedArrivals out;
        read(&out, sizeof out);
        return out;
    }
    std::vector<float> floats(std::size_t n) {
        std::vector<float> out(n);
        read(out.data(), n * sizeof(float));
        return out;
    }
    std::string text(std::size_t n) {
        at_ += n;
        return from_.substr(at_ - n, n);
    }

private:
    void read(void* to, std::size_t bytes) {
        if (bytes) std::memcpy(to, from_.data() + at_, bytes);
        at_ += bytes;
    }
    const std::string& from_;
    std::size_t at_ = 0;
};

}  // namespace hopbine::mpi
