#include "device/hip_compiler.hpp"

#include <dlfcn.h>

#include <vector>

#include "device/kernels/image.hpp"
#include "device/symbol.hpp"

namespace hopbine::device {

namespace {

/// The path of the compiler beside the library that has a symbol; empty: it has another name.
std::string path_beside(void* symbol) {
    const std::string name = "libamdhip64";
    Dl_info info;
    if (!symbol || !dladdr(symbol, &info) || !info.dli_fname) return "";
    std::string path = info.dli_fname;
    const std::size_t at = path.rfind(name);
    return at == std::string::npos ? "" : path.replace(at, name.size(), "libhiprtc");
}

/// A text that two of the compiler's functions tell: its size, then its bytes.
template <class Size, class Text>
std::string told(void* program, const Size& size_of, const Text& text_of) {
    std::size_t size = 0;
    if (size_of(program, &size) != 0) return "";
    std::string out(size, '\0');
    return text_of(program, out.data()) == 0 ? out : "";
}

}  // namespace

bool HipCompiler::open(void* hip) {
    const std::string path = path_beside(dlsym(hip, "hipModuleLoadData"));
    void* const library = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    return library && find_symbol(library, "hiprtcCreateProgram", &create_) &&
           find_symbol(library, "hiprtcGetCodeSize", &code_size_) &&
           find_symbol(library, "hiprtcGetCode", &code_) &&
           find_symbol(library, "hiprtcGetProgramLogSize", &log_size_) &&
           find_symbol(library, "hiprtcGetProgramLog", &log_) &&
           find_symbol(library, "hiprtcDestroyProgram", &destroy_) &&
           find_symbol(library, "hiprtcCompileProgram", &compile_);
}

std::string HipCompiler::compile(const std::string& element, std::string* why) const {
    std::vector<const char*> texts, names;
    const auto sources = kernel_sources();
    for (const KernelSource& header : sources.subspan(1)) {
        texts.push_back(header.text);
        names.push_back(header.name);
    }
    Program program = nullptr;
    if (create_(&program, sources[0].text, sources[0].name, static_cast<int>(names.size()),
                texts.data(), names.data()) != 0) {
        *why = "hiprtcCreateProgram failed";
        return "";
    }
    const std::string define = "-DHOPBINE_ELEMENT=" + element;
    const char* const options[] = {"-O3", define.c_str()};
    std::string out;
    if (compile_(program, 2, options) == 0) out = told(program, code_size_, code_);
    if (out.empty()) *why = told(program, log_size_, log_).c_str();  // it ends with a zero
    if (out.empty() && why->empty()) *why = "hiprtc fails without a word";
    destroy_(&program);
    return out;
}

}  // namespace hopbine::device
