/// A file descriptor that is closed with its owner.
#pragma once
#include <unistd.h>

#include <utility>

namespace hopbine::watch {

class Descriptor {
public:
    explicit Descriptor(int file = -1) : file_(file) {}
    Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (file_ >= 0) ::close(file_);
    }
    int get() const { return file_; }
    explicit operator bool() const { return file_ >= 0; }

private:
    int file_;
};

}  // namespace hopbine::watch
