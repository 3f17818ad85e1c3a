/// Counts or displacements of all ranks in the caller's type: int, MPI_Count or MPI_Aint.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hopbine::mpi {

class Array {
public:
    Array() = default;
    template <class T>
    Array(const T* at) : at_(at), wide_(sizeof(T) == sizeof(std::int64_t)) {
        static_assert(sizeof(T) == sizeof(std::int32_t) || sizeof(T) == sizeof(std::int64_t));
    }
    explicit operator bool() const { return at_; }
    bool same(const Array& other) const { return at_ == other.at_; }
    const void* data() const { return at_; }
    /// Whether its type has more bits than int.
    bool wide() const { return wide_ && at_; }
    std::int64_t operator[](int i) const {
        return wide_ ? read<std::int64_t>(i) : read<std::int32_t>(i);
    }

private:
    template <class T>
    std::int64_t read(int i) const {
        T value;
        std::memcpy(&value,
                    static_cast<const char*>(at_) +
                        static_cast<std::ptrdiff_t>(i) * static_cast<std::ptrdiff_t>(sizeof(T)),
                    sizeof(T));
        return value;
    }
    const void* at_ = nullptr;
    bool wide_ = false;
};

}  // namespace hopbine::mpi
