# What an installed prefix has besides the libraries of MPI: the C API for pkg-config and
# find_package, machines, a module file, and the Python commands where they are built. Nothing in it
# names the prefix, so that it can be moved.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hopbine)
set(made ${CMAKE_CURRENT_BINARY_DIR}/install)

hopbine_install(${CMAKE_INSTALL_BINDIR} "${SKBUILD_SCRIPTS_DIR}" TARGETS hopbine_command
  RUNTIME)
install(TARGETS hopbine EXPORT hopbine LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT prefix NAMELINK_COMPONENT prefix INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(exported hopbine)
if(TARGET hopbine_preload)
  install(TARGETS hopbine_preload EXPORT hopbine
    LIBRARY DESTINATION ${HOPBINE_PREFIX_LIBRARIES} COMPONENT prefix
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  set_target_properties(hopbine_preload PROPERTIES EXPORT_NAME mpi)
  # The MPI library behind it has the same symbols, and must not be dropped as not needed.
  target_link_options(hopbine_preload INTERFACE LINKER:--no-as-needed)
endif()
install(EXPORT hopbine NAMESPACE hopbine:: FILE hopbine-targets.cmake DESTINATION ${package}
  COMPONENT prefix)
file(WRITE ${made}/hopbine-config.cmake
  "include(\"\${CMAKE_CURRENT_LIST_DIR}/hopbine-targets.cmake\")\n")
write_basic_package_version_file(${made}/hopbine-config-version.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${made}/hopbine-config.cmake ${made}/hopbine-config-version.cmake
  DESTINATION ${package} COMPONENT prefix)

# From a folder of the prefix back to it, such as ../..
file(RELATIVE_PATH HOPBINE_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name IN ITEMS hopbine hopbine-mpi)
  configure_file(packaging/${name}.pc.in ${made}/${name}.pc @ONLY)
  install(FILES ${made}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT prefix)
endforeach()
set(HOPBINE_SYSTEM "" CACHE STRING "The machine that the module files name for everyone")
if(HOPBINE_SYSTEM)
  set(HOPBINE_NAMED_SYSTEM ${HOPBINE_SYSTEM})
else()  # an example, as a comment
  set(HOPBINE_NAMED_SYSTEM leonardo)
  set(HOPBINE_NO_SYSTEM "# ")
  set(HOPBINE_NO_SYSTEM_LUA "-- ")
endif()
set(modules ${CMAKE_INSTALL_DATADIR}/modulefiles/hopbine)
file(RELATIVE_PATH HOPBINE_UP_FROM_MODULE /${modules} /)
foreach(ending IN ITEMS ".lua" "")  # Lmod's, and that of Environment Modules
  configure_file(packaging/module/hopbine${ending}.in ${made}/module/${HOPBINE_VERSION}${ending}
    @ONLY)
  install(FILES ${made}/module/${HOPBINE_VERSION}${ending} DESTINATION ${modules} COMPONENT prefix)
endforeach()

hopbine_install(${CMAKE_INSTALL_INCLUDEDIR} hopbine/include DIRECTORY include/hopbine)
hopbine_install(${CMAKE_INSTALL_DATADIR}/hopbine hopbine DIRECTORY systems)
# Manual pages and completion, which scripts/reference has written. man and the shells find them by
# the folder of the command.
set(shared ${CMAKE_CURRENT_SOURCE_DIR}/packaging/share)
hopbine_install(${CMAKE_INSTALL_MANDIR} "${SKBUILD_DATA_DIR}/share/man" DIRECTORY ${shared}/man/)
foreach(shell IN ITEMS bash-completion zsh fish)
  hopbine_install(${CMAKE_INSTALL_DATADIR} "${SKBUILD_DATA_DIR}/share" DIRECTORY ${shared}/${shell})
endforeach()
if(SKBUILD)  # packages have no links, so the file has the name that programs load
  set(soname libhopbine.so.${PROJECT_VERSION_MAJOR})
  file(WRITE ${made}/libhopbine.so "/* a script of ld */ INPUT(${soname})\n")
  install(FILES $<TARGET_FILE:hopbine> RENAME ${soname} DESTINATION hopbine/lib
    COMPONENT wheel)
  install(FILES ${made}/libhopbine.so DESTINATION hopbine/lib COMPONENT wheel)
endif()

if(HOPBINE_PYTHON)
  set(python_package ${HOPBINE_PREFIX_PYTHON}/hopbine)
  hopbine_install(${python_package} hopbine TARGETS _core LIBRARY)
  install(DIRECTORY python/hopbine DESTINATION ${HOPBINE_PREFIX_PYTHON} COMPONENT prefix
    PATTERN __pycache__ EXCLUDE)
  file(RELATIVE_PATH HOPBINE_TOOLS_TO_PACKAGE
    ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_PREFIX}/${HOPBINE_PREFIX_PYTHON})
  configure_file(packaging/hopbine-tools.in ${made}/hopbine-tools @ONLY)
  install(PROGRAMS ${made}/hopbine-tools DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT prefix)
  foreach(pair IN ITEMS lib=${HOPBINE_PREFIX_LIBRARIES} include=${CMAKE_INSTALL_INCLUDEDIR}
      systems=${CMAKE_INSTALL_DATADIR}/hopbine/systems)
    string(REGEX MATCH "^([a-z]+)=(.+)$" found ${pair})
    set(link ${CMAKE_MATCH_1})
    file(RELATIVE_PATH to /${python_package} /${CMAKE_MATCH_2})
    install(CODE "file(CREATE_LINK ${to}
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${python_package}/${link}\" SYMBOLIC)"
      COMPONENT prefix)
  endforeach()
endif()
