/// A device of CUDA or HIP.
#pragma once
#include "device/driver.hpp"
#include "device/space.hpp"

namespace hopbine::device {

/// Makes a device current for the calling thread.
class Switch {
public:
    virtual ~Switch() = default;
    /// `place`: a context of CUDA, or the number of a device of HIP. Sets *before for leave().
    virtual bool enter(void* place, void** before) const = 0;
    virtual void leave(void* before) const = 0;
};

class DriverSpace final : public Space {
public:
    DriverSpace(const Driver& driver, const Switch& devices, void* place)
        : driver_(driver), devices_(devices), place_(place) {}

    void* allocate(std::size_t bytes) override;
    void release(void* memory) override;
    bool pin(void* memory, std::size_t bytes) override;
    void unpin(void* memory) override;
    Stream make_stream() override;
    bool copy(void* to, const void* from, std::size_t bytes, Direction direction,
              Stream stream) override;
    bool wait(Stream stream) override;
    Event record(Stream stream) override;
    State query(Event event) override;
    bool finish(Event event) override;
    bool export_memory(const void* address, Exported* out) override;
    void* import_memory(const Exported& of_other) override;
    void close(void* imported, const Exported& of_other) override;

private:
    template <class Work>
    bool inside(const Work& work) const;

    const Driver& driver_;
    const Switch& devices_;
    void* const place_;
};

}  // namespace hopbine::device
