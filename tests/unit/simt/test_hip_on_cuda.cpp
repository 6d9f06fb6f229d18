// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header that fixes HIP for CUDA is HIP's own and nothing more where there is no CUDA. (For NVIDIA it is compiled
// before each kernel, and for AMD too.)
#include "gpu/hip_on_cuda.hpp"

#include <gtest/gtest.h>

namespace test_hip_on_cuda {

constexpr bool fixes_something =
#if defined(WARPZ_MENDS_CUDA_12) || defined(WARPZ_MENDS_CUDA_13) || defined(cudaDeviceProp) || defined(CUDART_VERSION)
    true;
#else
    false;
#endif

TEST(hip_on_cuda, is_hip_and_fixes_nothing_where_there_is_no_cuda) {
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_FALSE(fixes_something);
}

}  // namespace test_hip_on_cuda
