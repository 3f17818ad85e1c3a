# What hopbine emulate needs in C: a library that its programs load, the way onto a host, and the
# daemon that delays packets.
add_library(hopbine_idle SHARED src/emulate/launchers.c src/emulate/idle.c src/emulate/realtime.c)
# Its functions stand before those of the C library and of MPI.
set_target_properties(hopbine_idle PROPERTIES C_VISIBILITY_PRESET default)
target_link_libraries(hopbine_idle PRIVATE ${CMAKE_DL_LIBS})
add_executable(hopbine_enter src/emulate/enter.c)
set_target_properties(hopbine_enter PROPERTIES OUTPUT_NAME hopbine-enter)
add_executable(hopbine_delayd src/emulate/delayd.c src/emulate/queues.c)
set_target_properties(hopbine_delayd PROPERTIES OUTPUT_NAME hopbine-delayd)
hopbine_install(${HOPBINE_PREFIX_LIBRARIES} hopbine/lib TARGETS hopbine_idle LIBRARY)
hopbine_install(${HOPBINE_PREFIX_LIBRARIES} hopbine/lib TARGETS hopbine_enter hopbine_delayd
  RUNTIME)
