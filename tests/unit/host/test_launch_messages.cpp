// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang says of rewritten launches, told of the user's own lines.
#include "source/launch_messages.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace {

using namespace warpz;

constexpr std::string_view source = "int main() {\n  k<<<1, count>>>(p, size);\n}\n";
constexpr std::string_view rewritten =
    "  ::simt::launch_configured(\"k\", [&](const auto&... simt_arguments) -> decltype((k)(simt_arguments...)) { "
    "return "
    "(k)(simt_arguments...); }, ::simt::configuration(1, count), p, size);";

std::string read(std::string_view file) { return file == "a.hip" ? std::string(source) : ""; }

/// What Clang says of the word at `column` of the rewritten line, in `color` or none.
std::string said(std::size_t column, std::string_view file = "a.hip", std::string_view color = "") {
  return fmt::format("{3}{0}:2:{1}: error: use of undeclared identifier\n{2}\n{4}^~~~\n", file, column, rewritten,
                     color, std::string(column - 1, ' '));
}

std::string told(std::size_t column, std::string_view color = "") {
  return fmt::format("{}a.hip:2:{}: error: use of undeclared identifier\n  k<<<1, count>>>(p, size);\n{}^\n", color,
                     column, std::string(column - 1, ' '));
}

std::size_t column_of(std::string_view text) { return rewritten.find(text) + 1; }

TEST(launch_messages, the_users_line_is_quoted_and_the_word_is_marked) {
  EXPECT_EQ(with_users_lines(said(column_of("count")), read), told(10));
  EXPECT_EQ(with_users_lines(said(column_of("size)")), read), told(22));
  EXPECT_EQ(with_users_lines(said(column_of("k)(simt")), read), told(3));
  // What stands in no line of the user's is said of the launch.
  EXPECT_EQ(with_users_lines(said(column_of("simt_arguments")), read), told(3));
  EXPECT_EQ(with_users_lines(said(column_of("[&]")), read), told(3));
}

TEST(launch_messages, kernels_and_dynamic_shared_memory_are_quoted_as_the_user_has_them) {
  const auto shown = [](std::string_view users, std::string_view quoted, std::string_view word) {
    const auto read = [users](std::string_view) { return std::string(users); };
    const std::string before = fmt::format("a.hip:1:{}: warning: unused\n{}\n", quoted.find(word) + 1, quoted);
    return with_users_lines(before + std::string(quoted.find(word), ' ') + "^\n", read);
  };
  const auto as = [](std::string_view users, std::string_view word) {
    const std::size_t at = users.find(word);
    return fmt::format("a.hip:1:{}: warning: unused\n{}\n{}^\n", at + 1, users, std::string(at, ' '));
  };
  constexpr std::string_view kernel = "__global__ void k(int* p, int idle) {";
  EXPECT_EQ(shown(kernel, "__attribute__((annotate(\"warpz_kernel\"))) void k(int* p, int idle) {", "idle"),
            as(kernel, "idle"));
  constexpr std::string_view shared = "  extern __shared__ float tile[];";
  EXPECT_EQ(
      shown(shared, "  [[maybe_unused]] float (&tile)[] = *reinterpret_cast<float (*)[]>(__get_dynamicgroupbaseptr());",
            "tile"),
      as(shared, "tile"));
}

TEST(launch_messages, colors_stay) {
  EXPECT_EQ(with_users_lines(said(column_of("count"), "a.hip", "\x1b[1m"), read), told(10, "\x1b[1m"));
}

TEST(launch_messages, what_is_said_twice_is_told_once) {
  const std::string twice = said(column_of("k)(simt")) + said(rewritten.rfind("(k)(simt") + 2);
  EXPECT_EQ(with_users_lines(twice + "2 errors generated.\n", read), told(3) + "2 errors generated.\n");
}

TEST(launch_messages, other_messages_stay_as_they_are) {
  const std::string other =
      "In file included from a.hip:1:\nb.hpp:3:4: warning: unused variable\n  int idle;\n      ^\n";
  EXPECT_EQ(with_users_lines(other, read), other);
  EXPECT_EQ(with_users_lines(other + said(column_of("count")) + other, read), other + told(10) + other);
  EXPECT_EQ(with_users_lines("", read), "");
}

TEST(launch_messages, a_file_that_cannot_be_read_has_no_line_to_quote) {
  EXPECT_EQ(with_users_lines(said(column_of("count"), "gone.hip"), read),
            "gone.hip:2:1: error: use of undeclared identifier\n");
  EXPECT_EQ(with_users_lines(std::string(rewritten), read), std::string(rewritten) + "\n");
}

}  // namespace
