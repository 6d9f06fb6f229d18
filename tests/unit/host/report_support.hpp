// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of the reports share: puzzles and outcomes put together by hand, and streams that can be read back.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"

namespace report_support {

using namespace warpz;

inline const puzzle neighbor{.number = 1,
                             .flag = "neighbor",
                             .title = "Basic neighbor difference",
                             .kernel = "neighbor_difference",
                             .summary = ""};
inline const puzzle average{.number = 2,
                            .flag = "average",
                            .title = "Moving average",
                            .kernel = "moving_average_3",
                            .summary = "",
                            .style = list_style::host_buffer,
                            .size_label = "SIZE_2",
                            .documented_blocks = 2,
                            .documented_size = 64};
inline const puzzle partition{.number = 10,
                              .flag = "partition",
                              .title = "Warp partition",
                              .kernel = "warp_partition",
                              .summary = "",
                              .style = list_style::host_buffer,
                              .documented_pivot = 5.0F};

inline const puzzle block_sum{.number = 23,
                              .flag = "block-sum",
                              .title = "Block sum",
                              .kernel = "block_sum",
                              .summary = "",
                              .documented_blocks = 3,
                              .documented_size = 250,
                              .block_threads = 96};
inline const puzzle matmul{.number = 30,
                           .flag = "tiled-matmul",
                           .title = "Tiled matrix multiplication",
                           .kernel = "tiled_matmul",
                           .summary = "",
                           .documented_size = 8192,
                           .documented_shape = matrix_shape{64, 64, 64},
                           .plan_for = [](std::size_t, const parameters& values) {
                             plan created;
                             created.output = std::size_t{values.shape.m} * values.shape.n;
                             created.elements_per_thread = 0;
                             return created;
                           }};

/// The message of the error(bad_input) that the call throws.
template <class Call>
std::string failure(Call call) {
  try {
    call();
  } catch (const error& thrown) {
    EXPECT_EQ(thrown.code(), exit_code::bad_input);
    EXPECT_NE(thrown.advice(), "");
    return thrown.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline std::vector<std::string> names_of(const std::vector<const puzzle*>& puzzles) {
  std::vector<std::string> names;
  for (const puzzle* const each : puzzles) names.emplace_back(each->flag);
  return names;
}

/// A file in memory behind an output_stream.
class captured {
 public:
  captured() : descriptor_(memfd_create("captured", MFD_CLOEXEC)), stream(descriptor_, "a test's stream") {}
  ~captured() { close(descriptor_); }

  /// What was flushed so far.
  std::string text() const {
    std::string all(static_cast<std::size_t>(lseek(descriptor_, 0, SEEK_END)), '\0');
    EXPECT_EQ(pread(descriptor_, all.data(), all.size(), 0), static_cast<ssize_t>(all.size()));
    return all;
  }

 private:
  int descriptor_;

 public:
  output_stream stream;
};

/// An outcome with both lists the same.
inline puzzle_outcome passed(const puzzle& tested, unsigned warp_size, const std::vector<float>& list) {
  puzzle_outcome created;
  created.puzzle = &tested;
  created.backend = "cpu";
  created.device = "CPU machine";
  created.warp_size = warp_size;
  created.size = list.size();
  created.pivot = tested.documented_pivot;
  created.documented = created.size == tested.size_for(warp_size);
  created.output = shared_numbers(list);
  created.expected = shared_numbers(list);
  created.milliseconds = 0.25;
  return created;
}

inline puzzle_outcome wrong(const puzzle& tested, unsigned warp_size, const std::vector<float>& output,
                            const std::vector<float>& expected) {
  puzzle_outcome created = passed(tested, warp_size, expected);
  created.output = shared_numbers(output);
  created.result = verdict::wrong_result;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (output[i] == expected[i]) continue;
    ++created.mismatch_count;
    const auto place = static_cast<unsigned>(i);
    if (created.first_mismatches.size() < 5) {
      created.first_mismatches.push_back({i, output[i], expected[i], place / warp_size, 0, place % warp_size});
    }
  }
  return created;
}

inline puzzle_outcome broken(const puzzle& tested, unsigned warp_size, std::size_t size, const warpz_finding& record,
                             std::vector<source_line> stack = {}) {
  puzzle_outcome created = passed(tested, warp_size, {});
  created.size = size;
  created.documented = size == tested.size_for(warp_size);
  created.result = verdict::broken_rule;
  created.findings.push_back({record});
  created.findings.back().stack = std::move(stack);
  created.milliseconds = 0;
  return created;
}

template <std::size_t N>
void put(char (&into)[N], std::string_view text) {
  std::memset(into, 0, N);
  text.copy(into, N - 1);
}

inline warpz_finding finding(warpz_finding_kind kind, std::string_view kernel, std::string_view message) {
  warpz_finding created{};
  created.kind = kind;
  put(created.kernel, kernel);
  put(created.message, message);
  return created;
}

inline warpz_lane_group& add_group(warpz_finding& target, std::uint64_t lanes, warpz_lane_state state,
                                   std::string_view operation = {}, std::string_view file = {}, unsigned line = 0,
                                   std::uint64_t mask = 0) {
  warpz_lane_group& group = target.groups[target.group_count++];
  group.lanes = lanes;
  group.state = state;
  put(group.place.operation, operation);
  put(group.place.file, file);
  group.place.line = line;
  group.place.mask = mask;
  return group;
}

/// Lanes 0-15 wait in a shuffle, the others have returned.
inline warpz_finding diverged() {
  warpz_finding created =
      finding(WARPZ_DIVERGED_COLLECTIVE, "neighbor_difference", "lanes of one warp wait for others");
  add_group(created, 0xffff, WARPZ_LANE_WAITING, "shuffle_down", "neighbor/mine.hip", 14, 0xffffffff);
  add_group(created, 0xffff0000, WARPZ_LANE_EXITED);
  return created;
}

}  // namespace report_support
