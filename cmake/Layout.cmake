# Where things are installed. Two layouts come from one build: "wheel" is the Python package's,
# "prefix" that of cmake --install. A package's build has the rules of both (cmake --install
# build/python --component prefix), each in the component of its name.
include(GNUInstallDirs)
set(HOPBINE_PREFIX_LIBRARIES ${CMAKE_INSTALL_LIBDIR}/hopbine)
set(HOPBINE_PREFIX_PYTHON ${HOPBINE_PREFIX_LIBRARIES}/python)

# hopbine_install(FOLDER_OF_PREFIX FOLDER_OF_WHEEL ARGUMENTS...): install(ARGUMENTS... DESTINATION
# FOLDER) for each layout; "-" leaves one out.
function(hopbine_install prefix wheel)
  if(NOT prefix STREQUAL "-")
    install(${ARGN} DESTINATION ${prefix} COMPONENT prefix)
  endif()
  if(SKBUILD AND NOT wheel STREQUAL "-")
    install(${ARGN} DESTINATION ${wheel} COMPONENT wheel)
  endif()
endfunction()

# The folders of the libraries as the command finds them from its own.
file(RELATIVE_PATH HOPBINE_COMMAND_TO_LIBRARIES
  ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/hopbine)
set(HOPBINE_LIBRARIES ${HOPBINE_COMMAND_TO_LIBRARIES})
# The command as the plug-in of Slurm finds it.
file(RELATIVE_PATH HOPBINE_LIBRARIES_TO_COMMAND
  ${CMAKE_INSTALL_FULL_LIBDIR}/hopbine ${CMAKE_INSTALL_FULL_BINDIR}/hopbine)
if(SKBUILD)
  find_package(Python 3.11 REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND ${Python_EXECUTABLE} -c
    "import os, sysconfig as s
print(os.path.relpath(s.get_path('platlib'), s.get_path('scripts')))"
    OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE scripts_to_packages)
  list(APPEND HOPBINE_LIBRARIES ${scripts_to_packages}/hopbine/lib)
endif()
list(JOIN HOPBINE_LIBRARIES ":" HOPBINE_LIBRARIES)
