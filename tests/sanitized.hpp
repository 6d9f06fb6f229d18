// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether tests run under AddressSanitizer, where they look for what it finds: for that a few of many like inputs do.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool address_sanitized = true;
#elif defined(__has_feature)
inline constexpr bool address_sanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool address_sanitized = false;
#endif

/// The threads of the largest block. One of 1,024 takes a sanitizer longer than all others together.
inline constexpr unsigned largest_block = address_sanitized ? 200 : 1024;
