# The preload stub, and for every NAME=MPICC in HOPBINE_MPI the runtime and the benchmark built with
# that MPI. The runtimes do not link an MPI library: they use the one the program has loaded. That
# named abi is for programs built against the standard's own ABI (libmpi_abi), whichever MPI stands
# behind it.
find_package(Threads REQUIRED)
file(GLOB HOPBINE_PRELOAD_SOURCES CONFIGURE_DEPENDS src/preload/*.c)
add_library(hopbine_preload SHARED ${HOPBINE_PRELOAD_SOURCES})
# Exceptions of the program pass through the stubs.
target_compile_options(hopbine_preload PRIVATE -fexceptions)
target_link_libraries(hopbine_preload PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
hopbine_install(- hopbine/lib TARGETS hopbine_preload LIBRARY)

# What looks at the ranks of a node. Static where that can be: it is started in every job that is
# watched.
add_executable(hopbine_watch src/watch/program/main.cpp src/watch/program/first_wait.cpp)
set_target_properties(hopbine_watch PROPERTIES OUTPUT_NAME hopbine-watch)
target_link_libraries(hopbine_watch PRIVATE hopbine_core)
if(HOPBINE_STATIC_LINKS AND NOT HOPBINE_SANITIZE)
  target_link_options(hopbine_watch PRIVATE -static -Wl,--gc-sections)
  # It waits before the C library's part of it is loaded (src/watch/program/first_wait.cpp).
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|aarch64)$")
    target_compile_definitions(hopbine_watch PRIVATE HOPBINE_WATCH_ENTRY)
    target_link_options(hopbine_watch PRIVATE -Wl,--entry=hopbine_watch_entry)
    set_source_files_properties(src/watch/program/first_wait.cpp PROPERTIES COMPILE_OPTIONS
      "-ffreestanding;-fno-stack-protector")
  endif()
endif()
hopbine_install(${HOPBINE_PREFIX_LIBRARIES} hopbine/lib TARGETS hopbine_watch RUNTIME)

# What the preload library calls is the same in all runtimes.
add_library(hopbine_functions OBJECT src/mpi/entry/functions.c)
target_include_directories(hopbine_functions PRIVATE src)

# A runtime for the MPI library whose wrapper adds `includes` and `definitions`.
function(hopbine_add_runtime target)
  add_library(${target} SHARED ${HOPBINE_RUNTIME_SOURCES} ${HOPBINE_DEVICE_SOURCES}
    $<TARGET_OBJECTS:hopbine_functions>)
  hopbine_unity(${target})
  target_include_directories(${target} SYSTEM PRIVATE ${includes})
  target_compile_definitions(${target} PRIVATE ${definitions})
  target_precompile_headers(${target} PRIVATE
    <algorithm> <map> <memory> <string> <vector> src/mpi/state/communicator.hpp)
  target_link_libraries(${target} PRIVATE hopbine_core hopbine_kernels Threads::Threads)
  target_link_options(${target} PRIVATE
    -Wl,--gc-sections -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/cmake/exports.map)
endfunction()

# Makes `target` another build of `name`, in a folder of the sanitizer's (asan or tsan); built only
# when asked for. What it links of the core is not instrumented: that has tests of its own, and
# shares nothing that changes once it is made.
function(hopbine_sanitize target name sanitizer)
  if(sanitizer STREQUAL "tsan")
    set(flags -fsanitize=thread)
  else()
    set(flags -fsanitize=address,undefined -fno-sanitize-recover=all)
  endif()
  target_compile_options(${target} PRIVATE ${flags} -fno-omit-frame-pointer -O1 -g1)
  target_link_options(${target} PRIVATE ${flags})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} EXCLUDE_FROM_ALL TRUE
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${sanitizer}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${sanitizer})
endfunction()

# The model test: runtimes for MPICH in one process, on a fake MPI. It has MPICH's header, and gives
# the runtimes, which it loads, the functions of MPI. Built only when asked for.
file(GLOB HOPBINE_MODEL_SOURCES CONFIGURE_DEPENDS tests/mpi/model/*.cpp tests/mpi/model/*.c)
function(hopbine_add_model target)
  add_executable(${target} EXCLUDE_FROM_ALL ${HOPBINE_MODEL_SOURCES} src/runtime/fiber.cpp
    src/runtime/switch_stack.cpp)
  target_include_directories(${target} SYSTEM PRIVATE ${includes})
  target_compile_definitions(${target} PRIVATE ${definitions})
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS TRUE C_VISIBILITY_PRESET default
    CXX_VISIBILITY_PRESET default)
  target_link_libraries(${target} PRIVATE hopbine_core ${CMAKE_DL_LIBS} Threads::Threads)
endfunction()

foreach(sanitizer IN ITEMS asan tsan)
  add_library(hopbine_preload_${sanitizer} SHARED ${HOPBINE_PRELOAD_SOURCES})
  target_compile_options(hopbine_preload_${sanitizer} PRIVATE -fexceptions)
  target_link_libraries(hopbine_preload_${sanitizer} PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
  hopbine_sanitize(hopbine_preload_${sanitizer} hopbine_preload ${sanitizer})
endforeach()

file(GLOB HOPBINE_RUNTIME_SOURCES CONFIGURE_DEPENDS src/mpi/*/*.cpp)
file(GLOB HOPBINE_BENCH_SOURCES CONFIGURE_DEPENDS src/bench/*.c)
file(GLOB HOPBINE_BENCH_HEADERS CONFIGURE_DEPENDS src/bench/*.h)
foreach(pair IN LISTS HOPBINE_MPI)
  if(NOT pair MATCHES "^(openmpi|mpich|abi)=(.+)$")
    message(FATAL_ERROR
      "HOPBINE_MPI has '${pair}'; expected openmpi=MPICC, mpich=MPICC or abi=MPICC_ABI")
  endif()
  set(family ${CMAKE_MATCH_1})
  set(mpicc ${CMAKE_MATCH_2})
  execute_process(COMMAND ${mpicc} -show
    OUTPUT_VARIABLE shown RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed)
    message(FATAL_ERROR "'${mpicc} -show' failed: is it an MPI compiler wrapper?")
  endif()
  separate_arguments(shown UNIX_COMMAND "${shown}")
  set(includes "")
  set(definitions OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  foreach(word IN LISTS shown)
    if(word MATCHES "^-I(.+)$")
      list(APPEND includes ${CMAKE_MATCH_1})
    elseif(word MATCHES "^-D(.+)$")
      list(APPEND definitions ${CMAKE_MATCH_1})
    endif()
  endforeach()
  hopbine_add_runtime(hopbine_${family})
  if(NOT HOPBINE_SANITIZE)
    target_link_options(hopbine_${family} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  hopbine_install(${HOPBINE_PREFIX_LIBRARIES} hopbine/lib TARGETS hopbine_${family} LIBRARY)
  foreach(sanitizer IN ITEMS asan tsan)
    hopbine_add_runtime(hopbine_${family}_${sanitizer})
    # The sanitizer must see fibers, shared memory, and the guards of what is made at first use.
    target_sources(hopbine_${family}_${sanitizer} PRIVATE
      ${HOPBINE_SHARED_SOURCES} src/select/default_rules.cpp ${HOPBINE_REGISTRY})
    hopbine_sanitize(hopbine_${family}_${sanitizer} hopbine_${family} ${sanitizer})
  endforeach()
  set(polls "")  # MPICH 5 declares what the fake MPI defines for progress
  foreach(folder IN LISTS includes)
    file(GLOB headers ${folder}/mpi*.h)
    foreach(header IN LISTS headers)
      file(STRINGS ${header} declared REGEX "MPIX_Async_start")
      list(APPEND polls ${declared})
    endforeach()
  endforeach()
  if(family STREQUAL "mpich" AND polls)
    hopbine_add_model(hopbine_model)
    foreach(sanitizer IN ITEMS asan tsan)
      hopbine_add_model(hopbine_model_${sanitizer})
      hopbine_sanitize(hopbine_model_${sanitizer} hopbine_model ${sanitizer})
    endforeach()
  endif()

  # For programs that look functions up by the handle of a library that they open: a library without
  # code, which needs the stub first and the MPI library after it, as dlsym searches them.
  set(opened ${CMAKE_CURRENT_BINARY_DIR}/libhopbine_${family}_mpi.so)
  add_custom_command(OUTPUT ${opened}
    COMMAND ${mpicc} -shared -Wl,--no-as-needed "-Wl,-rpath,$ORIGIN"
      -o ${opened} $<TARGET_FILE:hopbine_preload>
    DEPENDS hopbine_preload VERBATIM)
  add_custom_target(hopbine_${family}_mpi ALL DEPENDS ${opened})
  hopbine_install(${HOPBINE_PREFIX_LIBRARIES} hopbine/lib PROGRAMS ${opened})

  # calibrate.c and gpu_probe.c are programs of their own.
  set(calibrate_sources ${CMAKE_CURRENT_SOURCE_DIR}/src/bench/calibrate.c
    ${CMAKE_CURRENT_SOURCE_DIR}/src/bench/calibrate_messages.c)
  set(gpu_probe_sources ${CMAKE_CURRENT_SOURCE_DIR}/src/bench/gpu_probe.c
    ${CMAKE_CURRENT_SOURCE_DIR}/src/bench/gpu_memory.c)
  set(bench_sources ${HOPBINE_BENCH_SOURCES})
  list(REMOVE_ITEM bench_sources ${calibrate_sources} ${gpu_probe_sources})
  foreach(program IN ITEMS bench calibrate gpu_probe)
    set(built ${CMAKE_CURRENT_BINARY_DIR}/hopbine-${program}-${family})
    add_custom_command(OUTPUT ${built}
      COMMAND ${mpicc} -std=gnu17 -O2 -Wall -Wextra -Werror=strict-prototypes
        -o ${built} ${${program}_sources} -ldl -lm
      DEPENDS ${${program}_sources} ${HOPBINE_BENCH_HEADERS} VERBATIM)
    add_custom_target(${program}_${family} ALL DEPENDS ${built})
    hopbine_install(${HOPBINE_PREFIX_LIBRARIES} hopbine/lib PROGRAMS ${built})
  endforeach()
endforeach()
