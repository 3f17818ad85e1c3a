# Reductions on devices: one source, compiled once and embedded in every runtime. Without a compiler
# for it such calls go through host memory (docs/device-memory.md).
set(HOPBINE_CUDA AUTO CACHE STRING "Kernels for CUDA devices: ON, OFF, or AUTO, where nvcc is")
set(HOPBINE_HIP AUTO CACHE STRING "Kernels for HIP devices: ON, OFF, or AUTO, where hipcc is")
set(kernels ${CMAKE_CURRENT_SOURCE_DIR}/src/device/kernels)
set(source ${kernels}/reductions)
file(GLOB headers CONFIGURE_DEPENDS ${kernels}/*.h)
add_library(hopbine_kernels STATIC src/device/kernels/image.cpp)
target_include_directories(hopbine_kernels PRIVATE src)
target_compile_definitions(hopbine_kernels PRIVATE HOPBINE_KERNEL_FOLDER="${kernels}")
set_property(SOURCE src/device/kernels/image.cpp APPEND PROPERTY OBJECT_DEPENDS
  ${source}.cu ${headers})

# Embeds what a command makes of the source as `kind`_KERNELS.
function(hopbine_embed kind file)
  add_custom_command(OUTPUT ${file} COMMAND ${ARGN} -o ${file} ${source}.cu
    DEPENDS ${source}.cu ${headers} VERBATIM)
  set_property(SOURCE src/device/kernels/image.cpp APPEND PROPERTY OBJECT_DEPENDS ${file})
  target_compile_definitions(hopbine_kernels PRIVATE HOPBINE_${kind}_KERNELS="${file}")
endfunction()

# Says that a compiler is missing: an error where its kernels are asked for.
function(hopbine_left_out kind why)
  if(HOPBINE_${kind} STREQUAL "ON")
    message(FATAL_ERROR "HOPBINE_${kind} is ON: ${why}")
  endif()
  message(STATUS "hopbine: no ${kind} kernels: ${why}")
endfunction()

if(NOT HOPBINE_CUDA STREQUAL "OFF")
  find_program(HOPBINE_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda
    PATH_SUFFIXES bin)
  set(codes "")
  if(HOPBINE_NVCC)
    execute_process(COMMAND ${HOPBINE_NVCC} --list-gpu-code OUTPUT_VARIABLE codes ERROR_QUIET)
  endif()
  if(NOT HOPBINE_NVCC)
    hopbine_left_out(CUDA "nvcc is not found")
  elseif(NOT codes MATCHES "sm_80" OR NOT codes MATCHES "sm_90")
    hopbine_left_out(CUDA "${HOPBINE_NVCC} does not compile for sm_80 and sm_90")
  else()
    hopbine_embed(CUDA ${CMAKE_CURRENT_BINARY_DIR}/reductions.fatbin ${HOPBINE_NVCC} -O3 -fatbin
      -Xfatbin=-compress-all -allow-unsupported-compiler -gencode arch=compute_80,code=sm_80
      -gencode arch=compute_90,code=sm_90 -gencode arch=compute_80,code=compute_80)
  endif()
endif()
if(NOT HOPBINE_HIP STREQUAL "OFF")
  find_program(HOPBINE_HIPCC hipcc HINTS ENV ROCM_PATH PATHS /opt/rocm PATH_SUFFIXES bin)
  if(HOPBINE_HIPCC)
    hopbine_embed(HIP ${CMAKE_CURRENT_BINARY_DIR}/reductions.hsaco ${HOPBINE_HIPCC} -O3 --genco
      -x hip --offload-arch=gfx90a --offload-arch=gfx942)
  else()
    hopbine_left_out(HIP "hipcc is not found")
  endif()
endif()
