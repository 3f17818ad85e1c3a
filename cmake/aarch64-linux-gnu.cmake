# Toolchain for aarch64 on another machine: GCC of the distribution (Debian: g++-aarch64-linux-gnu),
# or CC and CXX. Tests run under emulation (qemu-user-static). Used by scripts/aarch64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(HOPBINE_AARCH64_ROOT /usr/aarch64-linux-gnu)
if(NOT DEFINED ENV{CC})
  set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
endif()
if(NOT DEFINED ENV{CXX})
  set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
endif()
foreach(tool IN ITEMS AR RANLIB STRIP)  # which CMake derives from the compiler's own name only
  string(TOLOWER ${tool} name)
  set(CMAKE_${tool} /usr/bin/aarch64-linux-gnu-${name})
endforeach()
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${HOPBINE_AARCH64_ROOT})
list(APPEND CMAKE_FIND_ROOT_PATH ${HOPBINE_AARCH64_ROOT})
# Programs are this machine's; libraries, headers and packages that one's.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind IN ITEMS LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
