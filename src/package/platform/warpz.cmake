# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A toolchain file: builds a HIP or CUDA project for warpz's CPU machine, so that ctest checks its tests.
#
#   cmake -B build -DCMAKE_TOOLCHAIN_FILE=$(warpz --toolchain-file)
#
# The folder of this file stands in for an installation of ROCm and for one of CUDA.
set(warpz_platform ${CMAKE_CURRENT_LIST_DIR})

# Executables of the machine are shared objects.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# As hipcc it takes each .cpp file for HIP. Where a project has HIP or CUDA as a language, such files are the host's.
set(CMAKE_CXX_COMPILER ${warpz_platform}/bin/hipcc)

# The name hipcc is refused here. The architecture has no meaning, and CMake wants one.
set(CMAKE_HIP_COMPILER ${warpz_platform}/bin/warpz-clang++)
set(CMAKE_HIP_COMPILER_ROCM_ROOT ${warpz_platform})
if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)
  set(CMAKE_HIP_ARCHITECTURES gfx90a)
endif()
set(hip_DIR ${warpz_platform}/lib/cmake/hip)
set(HIP_DIR ${hip_DIR})
list(PREPEND CMAKE_PREFIX_PATH ${warpz_platform})

# What CMake would find out by watching nvcc work.
set(CMAKE_CUDA_COMPILER ${warpz_platform}/bin/nvcc)
set(CMAKE_CUDA_COMPILER_ID_RUN TRUE)
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_VERSION 12.4.131)
set(CMAKE_CUDA_SIMULATE_ID GNU)
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_EXTENSIONS_COMPUTED_DEFAULT ON)
set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT ${warpz_platform})
set(CMAKE_CUDA_COMPILER_TOOLKIT_LIBRARY_ROOT ${warpz_platform})
set(CMAKE_CUDA_COMPILER_LIBRARY_ROOT ${warpz_platform})
set(CMAKE_CUDA_COMPILER_TOOLKIT_VERSION 12.4.131)
set(CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT "
#$ PATH=${warpz_platform}/bin
#$ LIBRARIES=  \"-L${warpz_platform}/lib64\"
#$ INCLUDES=\"-I${warpz_platform}/include\"
#$ \"${warpz_platform}/bin/nvcc\" -o a.out a.o \"-L${warpz_platform}/lib64\" -lcudadevrt -lcudart_static
")
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
set(CUDAToolkit_ROOT ${warpz_platform})
set(CMAKE_USER_MAKE_RULES_OVERRIDE_CUDA ${warpz_platform}/host-sources.cmake)
