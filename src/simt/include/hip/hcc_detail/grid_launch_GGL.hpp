// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refused here, so that no installed HIP is taken for it.
#error "an inner header of AMD's HIP, which the CPU machine does not have: include <hip/hip_runtime.h>"
