/// HIP's compiler of kernels at run time, hiprtc: for builds without hipcc.
#pragma once
#include <cstddef>
#include <string>

namespace hopbine::device {

class HipCompiler {
public:
    /// Loads the compiler that lies beside HIP's library, libhiprtc.so.6 beside libamdhip64.so.6.
    /// False: there is none.
    bool open(void* hip);
    /// Whether open() has found it.
    bool usable() const { return compile_; }
    /// The kernels of an element (f32), compiled for the current device: for hipModuleLoadData.
    /// Takes seconds. Empty: it failed; `why` gets the compiler's words.
    std::string compile(const std::string& element, std::string* why) const;

private:
    using Program = void*;
    int (*create_)(Program*, const char*, const char*, int, const char* const*,
                   const char* const*) = nullptr;
    int (*compile_)(Program, int, const char* const*) = nullptr;
    int (*code_size_)(Program, std::size_t*) = nullptr;
    int (*code_)(Program, char*) = nullptr;
    int (*log_size_)(Program, std::size_t*) = nullptr;
    int (*log_)(Program, char*) = nullptr;
    int (*destroy_)(Program*) = nullptr;
};

}  // namespace hopbine::device
