// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refused here, so that no installed HIP is taken for it.
#error "the CPU machine shares no memory with OpenGL: hip/hip_gl_interop.h is not here"
