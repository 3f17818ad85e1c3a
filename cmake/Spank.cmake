# The plug-in of Slurm, where its header is (Debian: libslurm-dev). Slurm loads a plug-in of its own
# version only, so that no wheel has it.
option(HOPBINE_SPANK "Build the plug-in of Slurm, where Slurm's header is" ON)
set(HOPBINE_SLURM "" CACHE PATH "Slurm's prefix, where its header is not found without")
find_path(HOPBINE_SPANK_INCLUDE slurm/spank.h HINTS ${HOPBINE_SLURM}/include)
mark_as_advanced(HOPBINE_SPANK_INCLUDE)
if(HOPBINE_SPANK AND HOPBINE_SPANK_INCLUDE)
  file(GLOB HOPBINE_SPANK_SOURCES CONFIGURE_DEPENDS src/spank/*.cpp)
  add_library(hopbine_spank MODULE ${HOPBINE_SPANK_SOURCES} src/launcher/settings.cpp
    src/location/environment.cpp)
  set_target_properties(hopbine_spank PROPERTIES PREFIX "" OUTPUT_NAME spank_hopbine
    CXX_VISIBILITY_PRESET default)
  target_include_directories(hopbine_spank PRIVATE src)
  target_include_directories(hopbine_spank SYSTEM PRIVATE ${HOPBINE_SPANK_INCLUDE})
  target_compile_definitions(hopbine_spank PRIVATE
    HOPBINE_LIBRARIES_TO_COMMAND="${HOPBINE_LIBRARIES_TO_COMMAND}")
  # Slurm's daemons load it: with a library of C++ of its own, none of which they see.
  target_link_options(hopbine_spank PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections
    -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/cmake/spank.map)
  target_link_libraries(hopbine_spank PRIVATE ${CMAKE_DL_LIBS})
  hopbine_install(${HOPBINE_PREFIX_LIBRARIES} - TARGETS hopbine_spank LIBRARY)
endif()
