/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Text in a record of fixed size. What has no room is cut between two characters of UTF-8, and the place is marked by
 * three dots. For code that may be dying: no memory is allocated, and no locale asked. */
#ifndef WARPZ_ABI_TEXT_H
#define WARPZ_ABI_TEXT_H

#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this byte continues a character. */
static inline int warpz_continues_character(char byte) { return ((unsigned char)byte & 0xc0u) == 0x80u; }

/* Copies the beginning of a text to a field of `capacity` bytes, at least 4. */
static inline void warpz_copy_beginning(char* field, size_t capacity, const char* text) {
  size_t length = strlen(text);
  if (length < capacity) {
    memcpy(field, text, length + 1);
    return;
  }
  length = capacity - sizeof "...";
  while (length > 0 && warpz_continues_character(text[length])) --length;
  memcpy(field, text, length);
  memcpy(field + length, "...", sizeof "...");
}

/* Copies the end of a text to a field: of a path it says more than the beginning. */
static inline void warpz_copy_end(char* field, size_t capacity, const char* text) {
  const size_t length = strlen(text);
  if (length < capacity) {
    memcpy(field, text, length + 1);
    return;
  }
  const char* end = text + length - (capacity - sizeof "...");
  while (warpz_continues_character(*end)) ++end;
  memcpy(field, "...", sizeof "..." - 1);
  memcpy(field + sizeof "..." - 1, end, strlen(end) + 1);
}

#ifdef __cplusplus
}
#endif

#endif
