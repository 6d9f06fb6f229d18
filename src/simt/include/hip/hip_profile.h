// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks for a profiler, which this machine has none of.
#pragma once

#define HIP_SCOPED_MARKER(name, group)
#define HIP_BEGIN_MARKER(name, group)
#define HIP_END_MARKER()
