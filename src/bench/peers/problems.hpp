// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warpz is measured on beside other CPU runtimes: the data, the launch and the right result of each kernel, which
// kernels.hip has in HIP and kernels.cl in OpenCL C. Sums are of small whole numbers, and so exact in any order.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

constexpr unsigned tile = 16;    ///< of a matrix, in elements a side
constexpr unsigned group = 256;  ///< threads of a block
constexpr unsigned bins = 64;    ///< of the histogram

struct problem {
  std::vector<float> first, second;     ///< the inputs; the second may be empty
  std::vector<std::uint32_t> expected;  ///< the output's words: floats, or counts
  unsigned blocks[2] = {1, 1};          ///< by x and y
  unsigned threads[2] = {group, 1};
  unsigned size;  ///< the kernel's last argument
};

inline std::uint32_t word_of(float number) {
  std::uint32_t word;
  std::memcpy(&word, &number, sizeof word);
  return word;
}

/// Whole numbers from -5 to 5.
inline std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 29 % 43 % 11) - 5;
  return values;
}

/// Of n elements; of n a side for the matrices of `matmul` and `stencil`. n is a multiple of a block's threads.
inline problem problem_of(const std::string& name, std::size_t n) {
  problem made;
  made.size = static_cast<unsigned>(n);
  const bool is_square = name == "matmul" || name == "stencil";
  const std::size_t count = is_square ? n * n : n;
  made.first = numbers(count);
  const std::vector<float>& x = made.first;
  const auto expect = [&made](float number) { made.expected.push_back(word_of(number)); };
  if (is_square) {
    made.blocks[0] = made.blocks[1] = static_cast<unsigned>(n / tile);
    made.threads[0] = made.threads[1] = tile;
  } else {
    made.blocks[0] = static_cast<unsigned>(n / group);
  }
  if (name == "neighbor") {
    for (std::size_t i = 0; i < n; ++i) expect(i + 1 < n ? x[i + 1] - x[i] : 0);
  } else if (name == "block-sums" || name == "scan") {
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum = (i % group == 0 ? 0 : sum) + x[i];
      if (name == "scan" || (i + 1) % group == 0) expect(sum);
    }
  } else if (name == "reduction") {
    std::uint32_t sum = 0;
    for (const float each : x) sum += static_cast<std::uint32_t>(static_cast<int>(each));
    made.expected = {sum};
  } else if (name == "histogram") {
    made.expected.assign(bins, 0);
    for (std::size_t i = 0; i < n; ++i) ++made.expected[static_cast<unsigned>(x[i] + 5) * 5];
  } else if (name == "stencil") {
    const auto at = [&](std::size_t row, std::size_t column) {
      return row < n && column < n ? x[row * n + column] : 0;
    };
    for (std::size_t row = 0; row < n; ++row) {
      for (std::size_t column = 0; column < n; ++column)
        expect(at(row, column) + at(row - 1, column) + at(row + 1, column) + at(row, column - 1) + at(row, column + 1));
    }
  } else if (name == "matmul") {
    made.second = numbers(count);
    std::vector<float> product(count);
    for (std::size_t row = 0; row < n; ++row) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t column = 0; column < n; ++column)
          product[row * n + column] += x[row * n + i] * made.second[i * n + column];
      }
    }
    for (const float each : product) expect(each);
  }
  return made;
}

/// How long the last of so many launches takes, whose result has to be there when it returns. What comes before it
/// warms up: some runtimes compile a kernel when it is first launched. `clear` fills the output with zeros.
template <class Clear, class Launch>
double milliseconds_of(unsigned long launches, Clear&& clear, Launch&& launch) {
  double milliseconds = 0;
  for (; launches > 0; --launches) {
    clear();
    const auto begin = std::chrono::steady_clock::now();
    launch();
    milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  return milliseconds;
}

/// Prints the verdict and the time. Returns the exit code.
inline int judge(const problem& given, const std::vector<std::uint32_t>& output, double milliseconds) {
  const bool is_right = !given.expected.empty() && output == given.expected;
  std::printf("%s %.3f ms\n", is_right ? "right" : "wrong", milliseconds);
  return is_right ? 0 : 1;
}
