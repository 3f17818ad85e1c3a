/// Writes a file and keeps what was there under another name.
#pragma once
#include <string>

namespace hopbine::mpi {

/// Writes a whole file by a temporary name. A file that was there, and not empty, becomes the first
/// free one of PATH.1, PATH.2, ...: its new name is returned, else an empty text. What is no
/// regular file is written as it is. Throws Error.
std::string keep_and_write(const std::string& path, const std::string& text);

}  // namespace hopbine::mpi
