// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches by a flag around what only some threads do, by the text of a source.
#include "source/meeting_repair.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace meeting_repairs {

using namespace warpz;

/// The source after the change for the first call of this name; empty: there is none.
std::string changed(const std::string& source, std::string_view call = "__syncthreads",
                    meeting of_warp = meeting::of_warp) {
  const source_outline outline(source);
  const std::vector<token>& all = outline.tokens();
  std::size_t number = 0;
  while (!all[number].is(call)) ++number;
  const meeting kind = call == "__syncthreads" ? meeting::of_block : of_warp;
  const std::optional<source_repair> repair = repair_of_meeting(outline, "f.hip", number, kind);
  if (!repair) return "";
  std::string text;
  const auto count = static_cast<unsigned>(std::count(source.begin(), source.end(), '\n'));
  for (unsigned line = 1; line <= count; ++line) {
    std::string before(outline.line_text(line)), behind;
    for (const line_edit& each : repair->edits) {
      if (each.line != line) continue;
      if (each.replaces)
        before = each.text;
      else
        behind += each.text + "\n";
    }
    text += before + "\n" + behind;
  }
  return text;
}

/// The same of a kernel's statements.
std::string changed_code(const std::string& code, std::string_view call = "__syncthreads") {
  const std::string begin = "__global__ void f(int n) {\n", text = changed(begin + code + "}\n", call);
  return text.empty() ? "" : text.substr(begin.size(), text.size() - begin.size() - 2);
}

TEST(meeting_repair, a_return_in_front_of_a_barrier) {
  EXPECT_EQ(changed_code("  if (i > 9) return;\n  a[i] = 1;\n  __syncthreads();\n  b[i] = a[0];\n"),
            "  bool stays = true;\n  if (i > 9) stays = false;\n  if (stays) {\n  a[i] = 1;\n  }\n"
            "  __syncthreads();\n  if (stays) {\n  b[i] = a[0];\n  }\n");
}

TEST(meeting_repair, two_returns_with_more_in_their_branches) {
  EXPECT_EQ(changed_code("  if (i > 9) return;\n  if (i > 5) {\n    a[i] = 2;\n    return;\n  }\n  __syncthreads();\n"),
            "  bool stays = true;\n  if (i > 9) stays = false;\n  if (stays) {\n  if (i > 5) {\n    a[i] = 2;\n"
            "    stays = false;\n  }\n  }\n  __syncthreads();\n");
}

TEST(meeting_repair, a_return_in_a_loop_leaves_what_is_behind_the_loop_as_well) {
  EXPECT_EQ(
      changed_code("  for (int k = 8; k > 0; k /= 2) {\n    if (i >= k) return;\n    a[i] += a[i + k];\n"
                   "    __syncthreads();\n  }\n  b[0] = a[0];\n"),
      "  bool stays = true;\n  for (int k = 8; k > 0; k /= 2) {\n    if (stays) {\n    if (i >= k) stays = false;\n"
      "    }\n    if (stays) {\n    a[i] += a[i + k];\n    }\n    __syncthreads();\n  }\n"
      "  if (stays) {\n  b[0] = a[0];\n  }\n");
}

TEST(meeting_repair, a_continue_leaves_its_round_alone) {
  EXPECT_EQ(
      changed_code("  for (int k = 0; k < n; ++k) {\n    if (i == k) continue;\n    __syncthreads();\n"
                   "    b[i] = k;\n  }\n  b[0] = 1;\n"),
      "  for (int k = 0; k < n; ++k) {\n    bool in_round = true;\n    if (in_round) {\n"
      "    if (i == k) in_round = false;\n    }\n    __syncthreads();\n    if (in_round) {\n    b[i] = k;\n    }\n"
      "  }\n  b[0] = 1;\n");
}

TEST(meeting_repair, a_loop_that_threads_leave_goes_on_until_all_are_done) {
  EXPECT_EQ(changed_code("#pragma unroll\n  for (int i = threadIdx.x; i < n; i += 32) {\n    int mine = a[i];\n"
                         "    __syncthreads();\n    b[i] = mine;\n  }\n"),
            "  bool in_loop = true;\n#pragma unroll\n"
            "  for (int i = threadIdx.x; __syncthreads_or(in_loop = in_loop && (i < n)); i += 32) {\n"
            "    int mine{};\n    if (in_loop) {\n     mine = a[i];\n    }\n    __syncthreads();\n    if (in_loop) {\n"
            "    b[i] = mine;\n    }\n  }\n");
  EXPECT_EQ(changed_code("  while (true) {\n    __syncthreads();\n    if (a[i] == 0) break;\n  }\n"),
            "  bool in_loop = true;\n  while (__syncthreads_or(in_loop)) {\n    __syncthreads();\n    if (in_loop) {\n"
            "    if (a[i] == 0) in_loop = false;\n    }\n  }\n");
  // A step that changes more than the loop's own variable.
  EXPECT_EQ(changed_code("  for (; p; p = p->next) {\n    __syncthreads();\n  }\n"),
            "  bool in_loop = true;\n"
            "  for (; __syncthreads_or(in_loop = in_loop && (p)); in_loop ? (void)(p = p->next) : (void)0) {\n"
            "    __syncthreads();\n  }\n");
}

TEST(meeting_repair, calls_of_a_warp_in_front_of_their_statements) {
  EXPECT_EQ(changed_code("  if (i < 9) {\n    a[i] = __shfl(v, 1);\n  }\n", "__shfl"),
            "  bool in_branch = (i < 9);\n   {\n    const auto of_lanes = __shfl(v, 1);\n    if (in_branch) {\n"
            "    a[i] = of_lanes;\n    }\n  }\n");
  EXPECT_EQ(
      changed_code("  if (i < 9) {\n    for (int k = 16; k > 0; k /= 2) v += __shfl_down(v, k);\n  }\n", "__shfl_down"),
      "  bool in_branch = (i < 9);\n   {\n    auto part = in_branch ? v : 0;\n"
      "    for (int k = 16; k > 0; k /= 2) part += __shfl_down(part, k);\n    if (in_branch) v = part;\n  }\n");
  EXPECT_EQ(changed_code("  if (i < 9) b = __shfl(v, 1);\n", "__shfl"),
            "  const auto of_lanes = __shfl(v, 1);\n  if (i < 9) b = of_lanes;\n");
  EXPECT_EQ(changed_code("  if (i < 9) b = __any(v);\n", "__any"),
            "  bool in_branch = (i < 9);\n   { const auto of_lanes = __any(in_branch && (v)); if (in_branch) { b = "
            "of_lanes;\n"
            "  }\n  }\n");
  // What others have must not come into a maximum, and what they cannot read is no operand.
  EXPECT_EQ(changed_code("  if (i < 9) {\n    v = max(v, __shfl_down(v, 1));\n  }\n", "__shfl_down"), "");
  EXPECT_EQ(changed_code("  if (i < 9) {\n    v = __shfl_down(a[i], 1);\n  }\n", "__shfl_down"), "");
}

TEST(meeting_repair, a_warp_votes_in_the_words_of_its_language) {
  const std::string loop =
      "__global__ void f(int n) {\n  for (int i = threadIdx.x; i < n; i += 32) {\n    float v = a[i];\n    for (int k "
      "= 16; k > 0; k /= 2) v += __shfl_down(v, k);\n    b[i] = v;\n  }\n}\n";
  const auto has = [&](meeting of_warp, std::string_view vote) {
    return changed(loop, "__shfl_down", of_warp).find(vote) != std::string::npos;
  };
  EXPECT_TRUE(has(meeting::of_warp, "; __any(in_loop = "));
  EXPECT_TRUE(has(meeting::of_cuda_warp, "; __any_sync(0xffffffff, in_loop = "));
}

TEST(meeting_repair, nothing_where_the_text_does_not_tell) {
  const std::string leave = "  if (i > 9) return;\n";
  for (const char* const behind : {
           "  auto mine{a[i]};\n  __syncthreads();\n  b[i] = mine;\n",          // of what type is it?
           "  holder mine(a[i]);\n  __syncthreads();\n  b[i] = mine.value;\n",  // it may need a value
           "  switch (n) {\n    case 1:\n      __syncthreads();\n  }\n",        //
           "  for (int k = a[i]; k < n; ++k) {\n    __syncthreads();\n  }\n",   // others cannot read a[i]
           "  auto f = [&] {\n    __syncthreads();\n  };\n",                    //
           "#if 1\n  __syncthreads();\n#endif\n",                               //
           "  ALL(k) {\n    __syncthreads();\n  }\n",                           // a macro
       }) {
    EXPECT_EQ(changed_code(leave + behind), "") << behind;
  }
  EXPECT_EQ(changed_code("  if (i > 9) goto end;\n  __syncthreads();\nend:\n  a[i] = 1;\n"), "");
  EXPECT_EQ(changed_code("  if (i > 9) {\n    for (;;) return;\n  }\n  __syncthreads();\n"), "");
}

TEST(meeting_repair, a_function_that_all_threads_call) {
  const std::string function =
      "__device__ void f(int i) {\n  while (i > 0) {\n    __syncthreads();\n    --i;\n  }\n}\n";
  EXPECT_NE(changed(function + "__global__ void g() {\n  f(threadIdx.x);\n}\n"), "");
  EXPECT_EQ(changed(function + "__global__ void g() {\n  if (threadIdx.x > 3) f(threadIdx.x);\n}\n"), "");
  EXPECT_EQ(changed(function), "");
}

TEST(meeting_repair, nothing_where_others_meet_unseen) {
  const std::string leave = "__global__ void f() {\n  if (i > 9) return;\n";
  const std::string meet = "  __syncthreads();\n  meet();\n}\n";
  EXPECT_NE(changed(leave + meet + "__device__ void meet() {\n  ++a;\n}\n"), "");
  EXPECT_EQ(changed(leave + meet + "__device__ void meet() {\n  __syncthreads();\n}\n"), "");
  EXPECT_EQ(changed(leave + meet + "__device__ void meet() {\n  inner();\n}\nvoid inner() {\n  __any(a);\n}\n"), "");
  EXPECT_EQ(changed("#define meet() \\\n  __syncthreads()\n" + leave + meet), "");
  EXPECT_NE(changed("#define i threadIdx.x\n" + leave + meet), "");
  EXPECT_EQ(changed(leave + "  __syncthreads();\n  a = __syncthreads_count(b);\n}\n"), "");
}

}  // namespace meeting_repairs
