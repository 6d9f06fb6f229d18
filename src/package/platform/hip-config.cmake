# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# HIP's targets and variables, as far as projects use them.
get_filename_component(warpz_platform ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
if(NOT TARGET hip::host)
  add_library(hip::host INTERFACE IMPORTED)
  set_target_properties(hip::host PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${warpz_platform}/include
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${warpz_platform}/include
    INTERFACE_COMPILE_DEFINITIONS __HIP_PLATFORM_AMD__=1)
  add_library(hip::amdhip64 INTERFACE IMPORTED)
  set_target_properties(hip::amdhip64 PROPERTIES INTERFACE_LINK_LIBRARIES hip::host)
  # Kernels in C++ sources.
  add_library(hip::device INTERFACE IMPORTED)
  set_target_properties(hip::device PROPERTIES
    INTERFACE_LINK_LIBRARIES hip::host
    INTERFACE_COMPILE_OPTIONS $<$<COMPILE_LANGUAGE:CXX>:-xhip>)
endif()
set(HIP_PLATFORM amd)
set(HIP_COMPILER clang)
set(HIP_RUNTIME rocclr)
set(HIP_VERSION 6.2.0)
set(hip_VERSION ${HIP_VERSION})
set(hip_INCLUDE_DIR ${warpz_platform}/include)
set(hip_INCLUDE_DIRS ${hip_INCLUDE_DIR})
set(HIP_INCLUDE_DIR ${hip_INCLUDE_DIR})
set(HIP_INCLUDE_DIRS ${hip_INCLUDE_DIR})
set(hip_LIBRARIES hip::host)
set(hip_LIBRARY hip::host)
set(HIP_LIBRARIES hip::host)
set(hip_BIN_INSTALL_DIR ${warpz_platform}/bin)
set(hip_HIPCC_EXECUTABLE ${warpz_platform}/bin/hipcc)
