/// A device of CUDA or HIP.
#pragma once
#include <map>
#include <mutex>
#include <string>

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

    bool pin(void* memory, std::size_t bytes) override;
    void unpin(void* memory) override;
    void* allocate(std::size_t bytes) override;
    void* allocate_managed(std::size_t bytes) override;
    void free(void* memory) override;
    void* allocate_host(std::size_t bytes) override;
    bool has_handles() const override { return driver_.has_handles; }
    bool make_handle(void* memory, Handle* out) override;
    void* open(const Handle& handle) override;
    bool close(void* opened) override;
    Stream make_stream() override;
    Stream make_own_stream() override;
    bool follow_program(Stream stream) override;
    bool is_busy(Stream stream) override;
    bool copy(void* to, const void* from, std::size_t bytes, Direction direction,
              Stream stream) override;
    bool has_kernel(const char* name) override { return kernel(name) != nullptr; }
    std::string kernel_fault() override;
    bool reduce(const char* kernel, const void* in, void* inout, std::size_t n, std::size_t width,
                Stream stream) override;
    bool reduce_several(const char* kernel, const hopbine_operands& of, void* out, std::size_t n,
                        std::size_t width, Stream stream) override;
    bool run_node(const char* kernel, const hopbine_node& node, const void* in, void* out,
                  Stream stream) override;
    Graph keep_node(const char* kernel, const hopbine_node& node, const void* in, void* out,
                    Stream stream) override;
    bool replay(Graph graph, Stream stream) override;
    void drop(Graph graph) override;
    Event mark(Stream stream) override;
    bool wait_for(Event event) override;
    bool wait(Stream stream) override;

private:
    void* kernel(const std::string& name);
    void* module_of(const std::string& kernel);
    /// Begins a kernel for so many bytes of each of its memories.
    bool launch(void* kernel, std::size_t bytes, void** parameters, Stream stream) const;
    Stream stream_of(unsigned kind) const;
    template <class Work>
    bool inside(const Work& work) const;

    const Driver& driver_;
    const Switch& devices_;
    void* const place_;
    std::mutex lock_;
    std::map<std::string, void*> modules_;  ///< by element, or one with all kernels
    std::string fault_ = "this build has no kernels for the device";
    std::map<std::string, void*> kernels_;  ///< asked for so far; null: there is none
};

}  // namespace hopbine::device
