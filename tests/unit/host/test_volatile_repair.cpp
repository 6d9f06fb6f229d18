// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics in place of volatile accesses, by the text of a source.
#include "source/volatile_repair.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace volatile_repairs {

using namespace warpz;

/// The place of the `number`th of these words, from 0, and of what follows it by so many characters.
source_line place_of(const std::string& text, const std::string& word, int number = 0, unsigned further = 0) {
  std::size_t at = text.find(word);
  for (; number > 0; --number) at = text.find(word, at + 1);
  source_line place;
  place.file = "mine.hip";
  place.line = 1;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < at; ++i) {
    if (text[i] != '\n') continue;
    ++place.line;
    begin = i + 1;
  }
  place.column = static_cast<unsigned>(at - begin) + 1 + further;
  return place;
}

std::string repaired(const std::string& text, source_line read, source_line written,
                     const std::string& file = "mine.hip") {
  read.file = written.file = file;
  symbolized_finding race;
  race.places = {read, written};
  race.pairs = {{read, written}};
  race.is_of_cuda = file.ends_with(".cu");
  const std::optional<source_repair> repair = volatile_repair(race, text);
  if (!repair) return "none";
  std::string lines;
  for (const line_edit& each : repair->edits)
    lines += std::to_string(each.line) + (each.replaces ? "=" : "+") + each.text + "\n";
  return lines;
}

#define LOAD(x) "__hip_atomic_load(" x ", __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)"
#define STORE(x) "__hip_atomic_store(" x ", __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)"

TEST(volatile_repair, a_variable) {
  const std::string text =
      "__device__ volatile int flag;\n"
      "__global__ void f(int* out) {\n"
      "  if (out) flag = 1 + (2);\n"
      "  while (flag == 0) continue;\n"
      "  *out = flag;\n"
      "}\n";
  EXPECT_EQ(repaired(text, place_of(text, "flag ==", 0), place_of(text, "= 1", 0)),
            "3=  if (out) " STORE("&flag, 1 + (2)") ";\n"
            "4=  while (" LOAD("&flag") " == 0) continue;\n"
            "5=  *out = " LOAD("&flag") ";\n");
}

TEST(volatile_repair, a_pointer_and_the_pointer_itself) {
  const std::string text =
      "__global__ void f(volatile unsigned* const flag, int n) {\n"
      "  volatile unsigned* const other = flag;\n"
      "  if (flag && n) *flag = n;\n"
      "  while (*flag == 0 || *(flag + 1) == 2 * n) g(flag[n]);\n"
      "}\n";
  EXPECT_EQ(repaired(text, place_of(text, "*flag ==", 0), place_of(text, "= n", 0)),
            "3=  if (flag && n) " STORE("flag, n") ";\n"
            "4=  while (" LOAD("flag") " == 0 || " LOAD("(flag + 1)") " == 2 * n) g(" LOAD("&flag[n]") ");\n");
}

TEST(volatile_repair, members_and_indexes_of_the_same) {
  const std::string text =
      "__global__ void f(queue* q, volatile int* s) {\n"
      "  q->items[s[0]].ready = s[s[1]] + 1;\n"
      "  while (s[2] == 0) s[s[3]] = s[4];\n"
      "}\n";
  EXPECT_EQ(repaired(text, place_of(text, "s[2]"), place_of(text, "= s[4]")),
            "2=  q->items[" LOAD("&s[0]") "].ready = " LOAD("&s[" LOAD("&s[1]") "]") " + 1;\n"
            "3=  while (" LOAD("&s[2]") " == 0) " STORE("&s[" LOAD("&s[3]") "], " LOAD("&s[4]")) ";\n");
  EXPECT_EQ(repaired(text, place_of(text, "ready"), place_of(text, "= s[s")),
            "2=  " STORE("&q->items[s[0]].ready, s[s[1]] + 1") ";\n");
}

TEST(volatile_repair, what_is_added_to_it) {
  const std::string text = "void f(volatile int* p) {\n  while (*p < 3) { }\n  *p += n ? 1 : 2;\n}\n";
  EXPECT_EQ(repaired(text, place_of(text, "*p <"), place_of(text, "+=")),
            "2=  while (" LOAD("p") " < 3) { }\n3=  " STORE("p, " LOAD("p") " + (n ? 1 : 2)") ";\n");
}

TEST(volatile_repair, behind_a_cast) {
  const std::string text =
      "template <class T> T load(T* p) {\n  return *reinterpret_cast<const volatile T*>(p);\n}\n"
      "void set(int* p) {\n  *reinterpret_cast<volatile int*>(p + 1) = *reinterpret_cast<int*>(p);\n}\n";
  EXPECT_EQ(repaired(text, place_of(text, "*reinterpret_cast<const"), place_of(text, "= *re")),
            "2=  return " LOAD("reinterpret_cast<const volatile T*>(p)") ";\n"
            "5=  " STORE("reinterpret_cast<volatile int*>(p + 1), *reinterpret_cast<int*>(p)") ";\n");
  EXPECT_EQ(repaired(text, place_of(text, "*reinterpret_cast<const"), place_of(text, "= *re"), "mine.cu"), "none");
}

TEST(volatile_repair, two_functions_with_names_of_their_own) {
  const std::string text =
      "__device__ void set(volatile char* a) {\n  *a = 1;\n}\n__device__ void wait(volatile char* b) {\n  while (*b == "
      "0) { }\n}\n";
  EXPECT_EQ(repaired(text, place_of(text, "*b =="), place_of(text, "= 1")),
            "2=  " STORE("a, 1") ";\n5=  while (" LOAD("b") " == 0) { }\n");
}

TEST(volatile_repair, in_the_words_of_cuda) {
  const std::string text =
      "#include <a>\n__device__ volatile int ready;\n__global__ void f(int* n) {\n  atomicAdd(n, 1);\n"
      "  ready = 1;\n  while (ready == 0) { }\n}\n";
  const source_line read = place_of(text, "ready =="), written = place_of(text, "= 1");
  EXPECT_EQ(repaired(text, read, written, "mine.cu"),
            "5=  atomicExch((int*)&ready, 1);\n6=  while (atomicAdd((int*)&ready, 0) == 0) { }\n");
  std::string bytes = text;
  bytes.replace(bytes.find("volatile int"), 12, "unsigned char volatile");
  EXPECT_EQ(
      repaired(bytes, place_of(bytes, "ready =="), place_of(bytes, "= 1"), "mine.cu"),
      "1+#include <cuda/atomic>\n"
      "5=  cuda::atomic_ref<unsigned char, cuda::thread_scope_device>(const_cast<unsigned char&>(ready)).store(1, "
      "cuda::memory_order_relaxed);\n"
      "6=  while (cuda::atomic_ref<unsigned char, cuda::thread_scope_device>(const_cast<unsigned char&>(ready)).load("
      "cuda::memory_order_relaxed) == 0) { }\n");
}

TEST(volatile_repair, not_where_the_text_does_not_tell) {
  const std::string stepped = "void f(volatile int* p) {\n  while (*p < 3) { }\n  *p = 1;\n  (*p)++;\n}\n";
  EXPECT_EQ(repaired(stepped, place_of(stepped, "*p <"), place_of(stepped, "= 1")), "none");
  const std::string shifted = "void f(volatile int* p) {\n  while (*p < 3) { }\n  *p = 1;\n  *p >>= 1;\n}\n";
  EXPECT_EQ(repaired(shifted, place_of(shifted, "*p <"), place_of(shifted, "= 1")), "none");
  const std::string unknown = "void f(flag_type p) {\n  while (*p < 3) { }\n  *p = 1;\n}\n";
  EXPECT_EQ(repaired(unknown, place_of(unknown, "*p <"), place_of(unknown, "= 1"), "mine.cu"), "none");
}

}  // namespace volatile_repairs
