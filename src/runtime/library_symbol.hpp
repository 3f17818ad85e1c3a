/// Functions and variables of the MPI library that its header does not declare.
#pragma once
#include <dlfcn.h>

#include <initializer_list>

namespace hopbine::mpi {

/// A symbol of the process, or of one of `libraries` where the process has loaded it without
/// offering its symbols to others. Null: there is none of this name.
template <class Symbol>
Symbol library_symbol(const char* name, std::initializer_list<const char*> libraries = {}) {
    void* symbol = dlsym(RTLD_DEFAULT, name);
    for (const char* library : libraries)
        if (void* const loaded = symbol ? nullptr : dlopen(library, RTLD_NOW | RTLD_NOLOAD))
            symbol = dlsym(loaded, name);
    return reinterpret_cast<Symbol>(symbol);
}

}  // namespace hopbine::mpi
