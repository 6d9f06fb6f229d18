# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Of a project that has a language for its kernels: C++ is code of the host alone.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-xc++>)
