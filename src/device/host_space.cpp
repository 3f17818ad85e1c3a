#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "device/space.hpp"

namespace hopbine::device {

namespace {

/// What the handle of host memory holds: a file of the process that allocated it.
struct File {
    pid_t process;
    int descriptor;
    std::size_t bytes;
};
static_assert(sizeof(File) <= sizeof(Exported::handle));

void* mapped(int file, std::size_t bytes) {
    void* const out = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return out == MAP_FAILED ? nullptr : out;
}

File file_of(const Exported& exported) {
    File out;
    std::memcpy(&out, exported.handle.data(), sizeof out);
    return out;
}

/// Memory of files, so that other processes can map it. A stream is any address.
class HostSpace final : public Space {
public:
    void* allocate(std::size_t bytes) override {
        const int file = memfd_create("hopbine", MFD_CLOEXEC);
        if (file < 0) return nullptr;
        void* const out =
            ftruncate(file, static_cast<off_t>(bytes)) == 0 ? mapped(file, bytes) : nullptr;
        if (!out) {
            ::close(file);
            return nullptr;
        }
        const std::lock_guard hold(lock_);
        all_[static_cast<char*>(out)] = {getpid(), file, bytes};
        return out;
    }
    void release(void* memory) override {
        const std::lock_guard hold(lock_);
        const auto node = all_.extract(static_cast<char*>(memory));
        if (!node) return;
        munmap(memory, node.mapped().bytes);
        ::close(node.mapped().descriptor);
    }
    bool pin(void*, std::size_t) override { return true; }
    void unpin(void*) override {}

    Stream make_stream() override { return this; }
    bool copy(void* to, const void* from, std::size_t bytes, Direction, Stream) override {
        std::memcpy(to, from, bytes);
        return true;
    }
    bool wait(Stream) override { return true; }
    Event record(Stream stream) override { return stream; }
    State query(Event) override { return State::done; }
    bool finish(Event) override { return true; }

    bool export_memory(const void* address, Exported* out) override {
        const std::lock_guard hold(lock_);
        auto* const at = static_cast<char*>(const_cast<void*>(address));
        auto found = all_.upper_bound(at);
        if (found == all_.begin()) return false;
        const auto& [begin, file] = *--found;
        const auto offset = static_cast<std::size_t>(at - begin);
        if (offset >= file.bytes) return false;
        *out = {{}, offset};
        std::memcpy(out->handle.data(), &file, sizeof file);
        return true;
    }
    void* import_memory(const Exported& of_other) override {
        const File file = file_of(of_other);
        const std::string path =
            "/proc/" + std::to_string(file.process) + "/fd/" + std::to_string(file.descriptor);
        const int own = open(path.c_str(), O_RDWR | O_CLOEXEC);
        if (own < 0) return nullptr;
        void* const out = mapped(own, file.bytes);
        ::close(own);
        return out ? static_cast<char*>(out) + of_other.offset : nullptr;
    }
    void close(void* imported, const Exported& of_other) override {
        munmap(static_cast<char*>(imported) - of_other.offset, file_of(of_other).bytes);
    }

private:
    std::mutex lock_;
    std::map<char*, File> all_;
};

}  // namespace

Space& host_space() {
    static HostSpace& one = *new HostSpace;
    return one;
}

}  // namespace hopbine::device
