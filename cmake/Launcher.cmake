# The command: `hopbine run` in C++, which the Python command has too. It starts once in every rank,
# so it loads as few libraries as it can.
file(GLOB HOPBINE_LAUNCH_SOURCES CONFIGURE_DEPENDS src/launcher/*.cpp)
list(FILTER HOPBINE_LAUNCH_SOURCES EXCLUDE REGEX "/main\\.cpp$")
add_library(hopbine_launch STATIC ${HOPBINE_LAUNCH_SOURCES})
target_link_libraries(hopbine_launch PUBLIC hopbine_core)
add_executable(hopbine_command src/launcher/main.cpp)
set_target_properties(hopbine_command PROPERTIES OUTPUT_NAME hopbine)
target_link_libraries(hopbine_command PRIVATE hopbine_launch)
target_compile_definitions(hopbine_command PRIVATE HOPBINE_LIBRARIES="${HOPBINE_LIBRARIES}")
if(NOT HOPBINE_SANITIZE)
  target_link_options(hopbine_command PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections)
endif()
