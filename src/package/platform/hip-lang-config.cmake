# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What CMake's HIP language links: nothing, as the machine comes when a program is started.
if(NOT TARGET hip-lang::device)
  add_library(hip-lang::amdhip64 INTERFACE IMPORTED)
  add_library(hip-lang::device INTERFACE IMPORTED)
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)
include(${CMAKE_CURRENT_LIST_DIR}/../../../host-sources.cmake)
