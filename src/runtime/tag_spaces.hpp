/// Spaces of tags that are in use, by their numbers.
#pragma once
#include <mutex>
#include <vector>

namespace hopbine::mpi {

class TagSpaces {
public:
    /// take() returns it where none are left.
    static constexpr int kNone = 1 << 30;
    explicit TagSpaces(int limit) : limit_(static_cast<std::size_t>(limit)) {}
    /// Takes the lowest free ones of so many consecutive spaces: ranks mostly get the same ones.
    int take(int wanted);
    void give_back(int space, int width);
    int limit() const { return static_cast<int>(limit_); }

private:
    bool is_free(std::size_t from, std::size_t width) const;

    const std::size_t limit_;
    std::mutex lock_;
    std::vector<bool> taken_;
    std::size_t lowest_ = 0;  ///< no lower space is free
};

}  // namespace hopbine::mpi
