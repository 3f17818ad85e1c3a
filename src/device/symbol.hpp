/// Functions of open libraries.
#pragma once
#include <dlfcn.h>

namespace hopbine::device {

/// Sets `*function` to a symbol of an open library. False: the library has no such symbol.
template <class F>
bool find_symbol(void* library, const char* name, F** function) {
    *function = reinterpret_cast<F*>(dlsym(library, name));
    return *function != nullptr;
}

}  // namespace hopbine::device
