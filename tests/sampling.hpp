// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What scripts/test leaves to scripts/test --full, as tests/sampling.py does for the tests in Python.
#pragma once

#include <type_traits>

#include "sanitized.hpp"

#if defined(WARPZ_FULL_TESTS)
inline constexpr bool all_types = !address_sanitized;
#else
inline constexpr bool all_types = false;
#endif

/// The types that tests are instantiated with: a few, as each takes seconds to compile, or all with --full and on a
/// GPU.
template <class All, class Few>
using types_to_test = std::conditional_t<all_types, All, Few>;
