// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nearly all HIP sources of tests include, precompiled for both halves of them: reading it takes longer than most
// of them take. Each of them includes what it uses all the same.
#pragma once

// First, as in programs.
#include <hip/detail/c_library.h>

#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
