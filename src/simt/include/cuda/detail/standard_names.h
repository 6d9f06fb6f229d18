// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::std: the host's C++ library by libcu++'s name. Device code may use of it what is constexpr, as with hipcc.
#pragma once

namespace cuda {
namespace std {
using namespace ::std;
}  // namespace std
}  // namespace cuda
