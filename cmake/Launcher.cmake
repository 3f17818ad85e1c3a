# The command: `hopbine run` in C++, which the Python command has too. It starts once in every rank,
# so it loads as few libraries as it can.
file(GLOB HOPBINE_LAUNCH_SOURCES CONFIGURE_DEPENDS src/launcher/*.cpp)
list(FILTER HOPBINE_LAUNCH_SOURCES EXCLUDE REGEX "/main\\.cpp$")
add_library(hopbine_launch STATIC ${HOPBINE_LAUNCH_SOURCES})
hopbine_unity(hopbine_launch)
target_link_libraries(hopbine_launch PUBLIC hopbine_core)
add_executable(hopbine_command src/launcher/main.cpp)
set_target_properties(hopbine_command PROPERTIES OUTPUT_NAME hopbine)
target_link_libraries(hopbine_command PRIVATE hopbine_launch)
target_compile_definitions(hopbine_command PRIVATE HOPBINE_LIBRARIES="${HOPBINE_LIBRARIES}")
# A static program searches no library, of which LD_LIBRARY_PATH can make a long way, in every rank.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LINK_OPTIONS -static)
check_cxx_source_compiles("#include <string>\nint main() { return std::string().size(); }"
  HOPBINE_STATIC_LINKS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(HOPBINE_SANITIZE)
  message(STATUS "hopbine: the command is linked dynamically, for the sanitizers")
elseif(HOPBINE_STATIC_LINKS)
  target_link_options(hopbine_command PRIVATE -static -Wl,--gc-sections)
else()
  target_link_options(hopbine_command PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections)
endif()
