// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refused here, so that no installed HIP is taken for it.
#error "the CPU machine has no profiler's interface: hip/hip_runtime_prof.h is not here"
