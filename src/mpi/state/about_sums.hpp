/// What statistics tell of exact sums.
#pragma once
#include <string>

namespace hopbine::mpi {

/// A value in JSON, on world rank 0: null where sums need not be exact. Set before write_stats().
inline std::string& about_sums() {
    static std::string& text = *new std::string("null");
    return text;
}

}  // namespace hopbine::mpi
