// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's array files, written here byte by byte from the format's description.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "host/error_support.hpp"
#include "input/input.hpp"
#include "input/npy_header.hpp"
#include "input/size_limit.hpp"

namespace {

using namespace warpz;
using error_support::complaint;
using error_support::folder;
using error_support::memory_file;
using floats = std::vector<float>;

template <class T>
std::string bytes_of(const std::vector<T>& values, bool big_endian = false) {
  std::string bytes;
  for (const T value : values) {
    char one[sizeof(T)];
    std::memcpy(one, &value, sizeof value);
    if (big_endian != (std::endian::native == std::endian::big)) std::reverse(one, one + sizeof one);
    bytes.append(one, sizeof one);
  }
  return bytes;
}

std::string dictionary(std::string_view descr, std::string_view shape, std::string_view order = "False") {
  return "{'descr': '" + std::string(descr) + "', 'fortran_order': " + std::string(order) +
         ", 'shape': " + std::string(shape) + ", }";
}

// As numpy.save writes it: padded with blanks to a multiple of 64 bytes, ending with a line end.
std::string preamble(std::string header, char major = 1) {
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  while ((8 + length_bytes + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += major;
  bytes += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return bytes + header;
}

std::string array(const floats& values, char major = 1) {
  return preamble(dictionary("<f4", "(" + std::to_string(values.size()) + ",)"), major) + bytes_of(values);
}

class npy : public testing::Test {
 protected:
  floats read(std::string_view bytes, std::optional<std::size_t> first = {}) {
    return read_input(folder_.file("x.npy", bytes), first);
  }
  // The error without the file's name at its beginning.
  std::string refused(std::string_view bytes, std::optional<std::size_t> first = {}) {
    std::string told = complaint([&] { read(bytes, first); });
    const std::string name = "'" + folder_.path() + "/x.npy' ";
    EXPECT_TRUE(told.starts_with(name)) << told;
    return told.substr(std::min(name.size(), told.size()));
  }
  // The bytes through a pipe, whose length nobody knows.
  std::string from_pipe(const std::string& bytes, std::optional<std::size_t> first = {}) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    EXPECT_EQ(write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    close(ends[1]);
    std::string answer;
    const std::string told = complaint([&] {
      for (const float value : read_input("/dev/fd/" + std::to_string(ends[0]), first))
        answer += std::to_string(static_cast<int>(value)) + " ";
    });
    close(ends[0]);
    return answer.empty() ? told.substr(told.find("' ") + 2) : answer;
  }
  folder folder_;
};

const floats some{1, -2.5F, 3.3333333F, 0, std::numeric_limits<float>::infinity()};

TEST_F(npy, each_version_is_read) {
  for (const char major : {'\1', '\2', '\3'}) EXPECT_EQ(read(array(some, major)), some);
}

TEST_F(npy, both_types_and_byte_orders_are_read) {
  const std::vector<double> wide{1, -2.5, 10.0 / 3, 0, INFINITY};
  for (const bool big : {false, true}) {
    const std::string order = big ? ">" : "<";
    EXPECT_EQ(read(preamble(dictionary(order + "f4", "(5,)")) + bytes_of(some, big)), some);
    EXPECT_EQ(read(preamble(dictionary(order + "f8", "(5,)")) + bytes_of(wide, big)), some);
  }
}

TEST_F(npy, bytes_as_numpy_wrote_them) {
  // numpy.save(file, numpy.array([1, 2], '<f4')) of NumPy 1.24.
  constexpr std::string_view file =
      "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"
      "                                                            \n\x00\x00\x80?\x00\x00\x00@";
  const std::string whole(file.data(), 128 + 8);
  EXPECT_EQ(read(whole), (floats{1, 2}));
  EXPECT_EQ(array({1, 2}), whole) << "this test writes as NumPy does";
}

TEST_F(npy, not_a_number_and_zeros_keep_their_bits) {
  const floats x = read(array({std::numeric_limits<float>::quiet_NaN(), -0.0F, 1e-45F}));
  EXPECT_TRUE(std::isnan(x[0]));
  EXPECT_TRUE(std::signbit(x[1]));
  EXPECT_EQ(x[2], 1e-45F);
}

TEST_F(npy, doubles_are_rounded_to_the_nearest_float_and_must_fit) {
  const auto wide = [](double value) { return preamble(dictionary("<f8", "(2,)")) + bytes_of<double>({1, value}); };
  EXPECT_EQ(read(wide(0.1))[1], 0.1F);
  EXPECT_EQ(read(wide(1e-60))[1], 0.0F);
  EXPECT_EQ(read(wide(-INFINITY))[1], -INFINITY);
  EXPECT_EQ(refused(wide(-1e39)),
            "has an element that is larger than a float holds (3.4028235e+38): -1e+39 at index 1");
}

TEST_F(npy, other_spellings_of_the_header_are_read) {
  const std::string data = bytes_of<float>({7});
  for (const char* const header : {"{\"shape\":(1,),\"fortran_order\":False,\"descr\":\"<f4\"}",
                                   "{'descr':'<f4','fortran_order':True,'shape':(1L,)}",
                                   "  {  'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 1 , ) , }  "})
    EXPECT_EQ(read(preamble(header) + data), floats{7}) << header;
}

TEST_F(npy, only_the_first_are_read_when_so_many_are_asked_for) {
  EXPECT_EQ(read(array(some), 2), (floats{1, -2.5F}));
  EXPECT_EQ(read(array(some), 5), some);
  EXPECT_EQ(refused(array(some), 6), "holds 5 numbers, and --size asks for the first 6");
}

TEST_F(npy, many_elements_are_read_whole) {
  floats many(300'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i);
  EXPECT_EQ(read(array(many)), many);
}

TEST_F(npy, a_file_cut_anywhere_is_refused) {
  const std::string whole = array({1, 2});
  for (std::size_t length = 1; length < whole.size(); ++length) {
    const std::string told = refused(whole.substr(0, length));
    EXPECT_TRUE(told.starts_with("is a truncated .npy file: ")) << length << ": " << told;
  }
  EXPECT_EQ(refused(whole.substr(0, 3)), "is a truncated .npy file: it ends within its magic bytes");
  EXPECT_EQ(refused(whole.substr(0, 7)), "is a truncated .npy file: it ends within its version");
  EXPECT_EQ(refused(whole.substr(0, 9)), "is a truncated .npy file: it ends within its header's length");
  EXPECT_EQ(refused(whole.substr(0, 50)), "is a truncated .npy file: it ends within its header");
  EXPECT_EQ(refused(whole.substr(0, whole.size() - 1)),
            "is a truncated .npy file: its shape says 2 elements of 4 bytes, and 7 bytes follow the header");
  EXPECT_EQ(refused(""), "contains no numbers");
}

TEST_F(npy, bytes_behind_the_data_are_refused) {
  EXPECT_EQ(refused(array({1, 2}) + "x"),
            "is longer than it says: its shape says 2 elements of 4 bytes, and 9 bytes follow the header");
}

TEST_F(npy, a_pipe_is_read_as_a_file_is) {
  const std::string whole = array({1, 2, 3});
  EXPECT_EQ(from_pipe(whole), "1 2 3 ");
  EXPECT_EQ(from_pipe(whole, 2), "1 2 ");
  EXPECT_EQ(from_pipe(whole.substr(0, whole.size() - 5)),
            "is a truncated .npy file: its shape says 3 elements, and it ends after 1");
  EXPECT_EQ(from_pipe(whole + "x"), "is longer than it says: its shape says 3 elements, and bytes follow them");
  EXPECT_EQ(from_pipe(whole + "x", 3), "1 2 3 ") << "what follows is not looked at";
}

TEST_F(npy, standard_input_may_be_a_file_read_in_part) {
  const std::string file = folder_.file("two.npy", array({8, 9}) + array({1, 2, 3}));
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(lseek(descriptor, static_cast<off_t>(array({8, 9}).size()), SEEK_SET),
            static_cast<off_t>(array({8, 9}).size()));
  const int code = error_support::exit_code_of_child([&] {
    if (dup2(descriptor, STDIN_FILENO) != STDIN_FILENO) return 2;
    return read_input("-") == floats{1, 2, 3} ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  close(descriptor);
}

TEST_F(npy, other_types_are_refused) {
  const std::string behind =
      "': only float32 (f4) and float64 (f8) are read | In NumPy: numpy.save(file, array.astype('float32')).";
  for (const std::string type : {"<i4", "<f2", "|b1", "<c8", "|O", "<f16", "f4", "", "<U5", "|f4"})
    EXPECT_EQ(refused(preamble(dictionary(type, "(1,)")) + "12345678"), "holds elements of type '" + type + behind);
  EXPECT_EQ(
      refused(preamble("{'descr': [('a', '<f4'), ('b', [('c', '<f4')])], 'fortran_order': False, 'shape': (1,)}")),
      "holds elements of type '[('a', '<f4'), ('b', [('c', '<f4')])]" + behind);
}

TEST_F(npy, other_shapes_are_refused) {
  const std::string behind = ": only 1-dimensional arrays are read | In NumPy: numpy.save(file, array.ravel()).";
  EXPECT_EQ(refused(preamble(dictionary("<f4", "(2, 3)"))), "holds a 2-dimensional array" + behind);
  EXPECT_EQ(refused(preamble(dictionary("<f4", "(2, 3)", "True"))), "holds a 2-dimensional array" + behind);
  EXPECT_EQ(refused(preamble(dictionary("<f4", "(1, 1, 1,)"))), "holds a 3-dimensional array" + behind);
  EXPECT_EQ(refused(preamble(dictionary("<f4", "()")) + "1234"),
            "holds a single number (a 0-dimensional array)" + behind);
  EXPECT_EQ(refused(preamble(dictionary("<f4", "(0,)"))), "contains no numbers");
}

TEST_F(npy, headers_of_another_kind_are_refused) {
  const auto told = [&](const std::string& header) {
    std::string text = refused(preamble(header) + "1234");
    constexpr std::string_view begin = "has a malformed .npy header with ";
    EXPECT_TRUE(text.starts_with(begin)) << text;
    return text.substr(begin.size(), text.find(": ") - begin.size());
  };
  EXPECT_EQ(told(""), "no '{' where one is expected");
  EXPECT_EQ(told("[]"), "no '{' where one is expected");
  EXPECT_EQ(told("{}"), "no entry 'descr'");
  EXPECT_EQ(told("{'descr': '<f4'}"), "no entry 'fortran_order'");
  EXPECT_EQ(told("{'descr': '<f4', 'fortran_order': False}"), "no entry 'shape'");
  EXPECT_EQ(told("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}"),
            "a 'fortran_order' that is neither True nor False");
  EXPECT_EQ(told("{'descr': '<f4"), "a quoted text without an end");
  EXPECT_EQ(told("{'descr': <f4}"), "no quoted text where one is expected");
  EXPECT_EQ(told("{'descr': [('a'"), "a list without an end");
  EXPECT_EQ(told("{'color': 'red'}"), "an unknown entry 'color'");
  EXPECT_EQ(told("{'descr' '<f4'}"), "no ':' where one is expected");
  EXPECT_EQ(told(dictionary("<f4", "(1,)") + "x"), "something after the dictionary");
  EXPECT_EQ(told(dictionary("<f4", "1")), "no '(' where one is expected");
  EXPECT_EQ(told(dictionary("<f4", "(1)")), "a 'shape' that is a number in brackets, not a tuple");
  for (const char* const shape : {"(-1,)", "(x,)", "(1.5,)", "(18446744073709551616,)", "(,)"})
    EXPECT_TRUE(told(dictionary("<f4", shape))
                    .starts_with(shape[1] == '1' && shape[2] == '.' ? "a 'shape' that is a number in brackets"
                                                                    : "a 'shape' that is not a tuple of whole numbers"))
        << shape;
}

TEST_F(npy, another_beginning_is_refused) {
  std::string bytes = array({1});
  bytes[3] = 'X';
  EXPECT_EQ(refused(bytes), "begins almost like a .npy file, but not with \\x93NUMPY");
  EXPECT_EQ(refused("1 2 3"),
            "is not a .npy file: it does not begin with \\x93NUMPY | Numbers as text are read too, from a file of any "
            "other name.");
  bytes = array({1});
  bytes[6] = 4;
  EXPECT_EQ(refused(bytes), "is of .npy version 4.0: 1, 2 and 3 are known");
  bytes[6] = 0;
  EXPECT_EQ(refused(bytes), "is of .npy version 0.0: 1, 2 and 3 are known");
}

TEST_F(npy, a_header_longer_than_any_is_refused) {
  EXPECT_EQ(refused(std::string_view("\x93NUMPY\2\0\0\0\1\0{", 13)),
            "claims a .npy header of 65536 bytes: at most 65535 are read");
  EXPECT_EQ(refused(std::string_view("\x93NUMPY\3\0\xff\xff\xff\xff", 12)),
            "claims a .npy header of 4294967295 bytes: at most 65535 are read");
}

TEST_F(npy, shapes_that_no_file_has_are_refused) {
  for (const char* const length : {"4611686018427387905", "18446744073709551615", "2"})
    EXPECT_EQ(refused(preamble(dictionary("<f4", "(" + std::string(length) + ",)")) + "1234"),
              "is a truncated .npy file: its shape says " + std::string(length) +
                  " elements of 4 bytes, and 4 bytes follow the header");
}

TEST_F(npy, more_elements_than_a_kernel_can_count_are_refused) {
  for (const char* const length : {"2147483585", "18446744073709551615"})
    EXPECT_EQ(from_pipe(preamble(dictionary("<f4", "(" + std::string(length) + ",)")) + "1234"),
              "is too large: a kernel takes the size as an int, so at most 2147483584 elements");
}

// A file of the length that it claims, of which the disk has only the beginning.
TEST_F(npy, more_elements_than_memory_are_refused_before_any_is_allocated) {
  if (address_sanitized) GTEST_SKIP() << "the address space cannot be limited here";
  constexpr std::size_t elements = 500'000'000;
  const std::string begin = preamble(dictionary("<f4", "(500000000,)"));
  const std::string file = folder_.file("x.npy", begin);
  if (truncate(file.c_str(), static_cast<off_t>(begin.size() + elements * sizeof(float))) != 0)
    GTEST_SKIP() << "no sparse file of 2 GB can be made here";
  const int code = error_support::exit_code_of_child([&] {
    if (!error_support::limit_address_space(rlim_t{1} << 30)) return 2;
    const std::string told = complaint([&] { read_input(file); });
    return told.find("x.npy' needs 9600 MiB of memory (20 bytes per element and 64 MiB), and ") != std::string::npos
               ? 0
               : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(read_input(file, 3), (floats{0, 0, 0})) << "the first few need no memory for the rest";
}

TEST_F(npy, a_damaged_file_is_read_or_refused) {
  std::mt19937 random(8);
  memory_file file;
  const std::string whole = array({1, 2, 3, 4});
  std::size_t understood = 0;
  for (int round = 0; round < 5'000; ++round) {
    std::string bytes = whole;
    for (std::size_t count = 1 + random() % 3; count > 0; --count)
      bytes[random() % bytes.size()] =
          static_cast<char>(random() % 4 == 0 ? random() : "0123456789(),'{}: <>f"[random() % 21]);
    if (random() % 8 == 0) bytes.resize(random() % bytes.size());
    try {
      EXPECT_FALSE(read_input(file.written(bytes)).empty());
      ++understood;
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), exit_code::bad_input);
    }
  }
  EXPECT_GT(understood, 100u);
}

}  // namespace
