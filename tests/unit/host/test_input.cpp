// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as text: files, standard input, and each way in which they can be unreadable.
#include "input/input.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>

#include "host/error_support.hpp"

namespace {

using namespace warpz;
using error_support::complaint;
using error_support::folder;
using error_support::memory_file;
using floats = std::vector<float>;

constexpr std::string_view advice =
    " | Numbers are decimal (1, -0.5, 1e3, inf, nan), separated by blanks, commas or lines.";

class input_text : public testing::Test {
 protected:
  floats read(std::string_view text, std::optional<std::size_t> first = {}) {
    return read_input(folder_.file("data.txt", text), first);
  }
  // The error without the file's name at its beginning and without the advice that every one of a text has.
  std::string refused(std::string_view text, std::optional<std::size_t> first = {}) {
    std::string told = complaint([&] { read(text, first); });
    const std::string name = "'" + folder_.path() + "/data.txt'";
    EXPECT_TRUE(told.starts_with(name)) << told;
    told.erase(0, name.size());
    if (told.ends_with(advice)) told.erase(told.size() - advice.size());
    return told;
  }
  folder folder_;
};

TEST_F(input_text, numbers_are_separated_by_blanks_commas_and_lines) {
  const floats three{1, -2.5F, 1000};
  for (const char* const text : {"1 -2.5 1e3", "1,-2.5,1e3", "1\n-2.5\n1e3\n", "1, -2.5 ,1e3,", "1\r\n-2.5\r\n1e3\r\n",
                                 "\n\n 1\t-2.5\v\f1e3  ", "1,\n-2.5,\n1e3,\n",
                                 "\xEF\xBB\xBF"
                                 "1 -2.5 1e3"})
    EXPECT_EQ(read(text), three) << text;
  EXPECT_EQ(read("7"), floats{7});
}

TEST_F(input_text, special_values_are_numbers) {
  const floats x = read("inf -Infinity nan 1e-50");
  ASSERT_EQ(x.size(), 4u);
  EXPECT_EQ(x[0], INFINITY);
  EXPECT_EQ(x[1], -INFINITY);
  EXPECT_TRUE(std::isnan(x[2]));
  EXPECT_EQ(x[3], 0);
}

TEST_F(input_text, only_the_first_are_read_when_so_many_are_asked_for) {
  EXPECT_EQ(read("1 2 junk", 2), (floats{1, 2})) << "what follows is not looked at";
  EXPECT_EQ(read("1 2", 2), (floats{1, 2}));
  EXPECT_EQ(refused("1 2", 3), " holds 2 numbers, and --size asks for the first 3");
}

TEST_F(input_text, what_holds_no_number_is_refused) {
  for (const char* const text : {"", " ", "\n\n", "\xEF\xBB\xBF"}) EXPECT_EQ(refused(text), " contains no numbers");
}

TEST_F(input_text, what_is_no_number_is_named_with_its_place) {
  EXPECT_EQ(refused("1 two 3"), ", line 1, column 3: 'two' is not a number");
  EXPECT_EQ(refused("1\n2\n 3x"), ", line 3, column 2: '3x' is not a number");
  EXPECT_EQ(refused("1;2"), ", line 1, column 1: '1;2' is not a number");
  EXPECT_EQ(refused("0x10"), ", line 1, column 1: '0x10' is not a number");
  EXPECT_EQ(refused("[1, 2]"), ", line 1, column 1: '[1' is not a number");
  EXPECT_EQ(refused("1 -"), ", line 1, column 3: '-' is not a number");
}

TEST_F(input_text, commas_stand_between_numbers) {
  EXPECT_EQ(refused(",1"), ", line 1, column 1: a comma where a number is expected");
  EXPECT_EQ(refused("1,,2"), ", line 1, column 3: a comma where a number is expected");
  EXPECT_EQ(refused("1,\n ,2"), ", line 2, column 2: a comma where a number is expected");
}

TEST_F(input_text, numbers_beyond_a_float_are_refused) {
  const std::string reason = " is larger than a float holds (3.4028235e+38)";
  EXPECT_EQ(refused("1 1e39"), ", line 1, column 3: '1e39'" + reason);
  EXPECT_EQ(refused("-1" + std::string(59, '0')), ", line 1, column 1: '-1" + std::string(58, '0') + "...'" + reason);
}

TEST_F(input_text, another_kind_of_file_is_told_without_its_bytes) {
  EXPECT_EQ(refused(std::string_view("\x7f"
                                     "ELF\x02\x00\x01",
                                     7)),
            ", line 1, column 1: '\\x7fELF\\x02\\x00\\x01' is not a number");
  EXPECT_EQ(refused(std::string_view("1\0", 2)), ", line 1, column 1: '1\\x00' is not a number");
  EXPECT_EQ(refused(std::string(1'000'000, '\0')).substr(0, 50), ", line 1, column 1: a number cannot be this long: ");
  EXPECT_EQ(refused("1 " + std::string(4097, '1')),
            ", line 1, column 3: a number cannot be this long: '" + std::string(60, '1') + "...'");
  EXPECT_EQ(read(std::string(4095, '0') + "1"), floats{1});
}

TEST_F(input_text, bytes_of_any_kind_are_read_or_refused) {
  std::mt19937 random(5);
  memory_file file;
  constexpr std::string_view parts = "0123456789.,-+eE \n\tinfa\x93\xEF\xBB\xBF\0x";
  std::size_t understood = 0;
  for (int round = 0; round < 5'000; ++round) {
    std::string text(random() % 20, '\0');
    for (char& c : text) c = random() % 8 == 0 ? static_cast<char>(random()) : parts[random() % (parts.size() - 12)];
    try {
      EXPECT_FALSE(read_input(file.written(text)).empty());
      ++understood;
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), exit_code::bad_input);
    }
  }
  EXPECT_GT(understood, 50u);
}

// Pieces of the file end anywhere: within a number, between the two bytes of a line end.
TEST_F(input_text, a_long_file_is_read_whole) {
  std::mt19937 random(6);
  std::string text;
  floats expected;
  constexpr std::string_view separators[] = {" ", ",", "\n", ", ", "\r\n", "        ", " ,\n\n"};
  while (text.size() < 3 * byte_source::capacity) {
    const std::string number = std::to_string(static_cast<int>(random())) + "." + std::string(random() % 300, '3');
    expected.push_back(std::strtof(number.c_str(), nullptr));
    text += number;
    text += separators[random() % std::size(separators)];
  }
  EXPECT_EQ(read(text), expected);
  EXPECT_EQ(read(text, 1000), floats(expected.begin(), expected.begin() + 1000));

  const std::size_t lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const std::string told = refused(text + "\n  oops");
  EXPECT_EQ(told, ", line " + std::to_string(lines + 2) + ", column 3: 'oops' is not a number");
}

TEST_F(input_text, a_long_run_of_blanks_is_no_end) {
  EXPECT_EQ(read("1" + std::string(2 * byte_source::capacity, ' ') + "2"), (floats{1, 2}));
}

TEST_F(input_text, files_that_cannot_be_read_are_told_in_the_systems_words) {
  const auto told = [](const std::string& file) { return complaint([&] { read_input(file); }); };
  EXPECT_EQ(told("/no/such/file"), "cannot read '/no/such/file': No such file or directory");
  EXPECT_EQ(told("/etc"), "cannot read '/etc': Is a directory");
  EXPECT_EQ(told(""), "cannot read '': No such file or directory");
  EXPECT_EQ(told("a\nb"), "cannot read 'a\\nb': No such file or directory");
  EXPECT_EQ(told("/etc/passwd/x"), "cannot read '/etc/passwd/x': Not a directory");
  // Opens, and fails when it is read.
  EXPECT_EQ(told("/proc/self/mem"), "cannot read '/proc/self/mem': Input/output error");
}

TEST_F(input_text, a_file_without_permission_is_refused) {
  const std::string file = folder_.file("secret.txt", "1 2 3");
  ASSERT_EQ(chmod(file.c_str(), 0), 0);
  const int code = error_support::exit_code_of_child([&] {
    if (geteuid() == 0 && (chmod(folder_.path().c_str(), 0755) != 0 || seteuid(65534) != 0)) return 2;
    return complaint([&] { read_input(file); }) == "cannot read '" + file + "': Permission denied" ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

// Reads standard input, which the test replaces, in a child process.
int from_standard_input(int descriptor, const std::string& expected, std::optional<std::size_t> first = {}) {
  return error_support::exit_code_of_child([&] {
    alarm(10);  // a reader that waits for what never comes is ended
    if (descriptor < 0 ? close(STDIN_FILENO) != 0 : dup2(descriptor, STDIN_FILENO) != STDIN_FILENO) return 2;
    std::string answer;
    const std::string told = complaint([&] {
      for (const float value : read_input("-", first)) answer += std::to_string(static_cast<int>(value)) + " ";
    });
    return (answer.empty() ? told : answer) == expected ? 0 : 1;
  });
}

TEST_F(input_text, a_dash_is_standard_input) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "1 2\n3", 5), 5);
  close(ends[1]);
  EXPECT_EQ(from_standard_input(ends[0], "1 2 3 "), 0);
  EXPECT_EQ(from_standard_input(ends[0], "standard input contains no numbers"), 0) << "it was read before";
  close(ends[0]);
}

TEST_F(input_text, standard_input_may_be_a_file_read_in_part) {
  const int descriptor = open(folder_.file("data.txt", "11 22 33").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(lseek(descriptor, 3, SEEK_SET), 3);
  EXPECT_EQ(from_standard_input(descriptor, "22 33 "), 0);
  close(descriptor);
}

TEST_F(input_text, a_closed_standard_input_is_an_error) {
  EXPECT_EQ(from_standard_input(-1, "cannot read standard input: Bad file descriptor"), 0);
}

TEST_F(input_text, no_more_is_waited_for_than_asked_for) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "1 2 3 ", 6), 6);
  // The pipe stays open: a reader that wants to see its end would wait forever.
  EXPECT_EQ(from_standard_input(ends[0], "1 2 ", 2), 0);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(input_text, more_numbers_than_memory_are_refused_while_they_come) {
  if (address_sanitized) GTEST_SKIP() << "the address space cannot be limited here";
  constexpr std::size_t count = 6'000'000;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "1 ";
  const std::string file = folder_.file("data.txt", text);
  const int code = error_support::exit_code_of_child([&] {
    // What the process has, and 60 MiB: less than a run needs beside its numbers, so that only a few are allowed.
    std::ifstream pages("/proc/self/statm");
    rlim_t used = 0;
    pages >> used;
    const rlim_t page = static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    if (!error_support::limit_address_space(used * page + (rlim_t{60} << 20))) return 2;
    const std::string told = complaint([&] { read_input(file); });
    return told.find("MiB are free | This machine has room for about ") != std::string::npos ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
