// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken rules end the process with a finding: each test's kernel breaks one, in a process of its own.
//
// The record is read through a sink of this test, which prints it in its own words.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "simt/lane.hpp"
#include "simt/machine/machine.hpp"
#include "simt/machine/stacks.hpp"

namespace test_findings {

using simt::index3;
using simt::lane_mask;
using simt::this_lane;

constexpr unsigned line_of_meeting = 1000;

simt::site at(const char* operation, unsigned line) { return {operation, "kernel.hip", line}; }

void nothing(simt::collective_slots&, lane_mask) {}

void meet(lane_mask mask, unsigned line = line_of_meeting) { simt::collect(nothing, mask, 0, 0, at("meet", line)); }

void barrier(unsigned line) { simt::block_barrier(simt::combine::nothing, false, at("barrier", line)); }

unsigned lane() { return this_lane->lane_id; }

warpz_finding record;
std::atomic<unsigned> records_taken{0};

/// One line for each group, in a form that a regular expression can be held against.
void print_record(warpz_finding*) {
  // Time for another block to report something as well.
  usleep(20'000);
  std::string text = "kind " + std::to_string(record.kind) + " signal " + std::to_string(record.signal) + " kernel " +
                     record.kernel + ": " + record.message + "\n";
  for (unsigned i = 0; i < record.group_count; ++i) {
    const warpz_lane_group& group = record.groups[i];
    char line[512];
    std::snprintf(line, sizeof line, "block %u.%u.%u warp %u lanes %llx state %u %s %s:%u mask %llx;\n", group.block[0],
                  group.block[1], group.block[2], group.warp, static_cast<unsigned long long>(group.lanes), group.state,
                  group.place.operation, group.place.file, group.place.line,
                  static_cast<unsigned long long>(group.place.mask));
    text += line;
  }
  text += "frames " + std::to_string(record.frame_count) + "\n";
  text += "findings " + std::to_string(records_taken) + "\n";
  std::fputs(text.c_str(), stderr);
}

template <class Body>
void call_body(const void* body) {
  (*static_cast<const Body*>(body))();
}

template <class Body>
void run(unsigned warp_size, index3 grid, index3 block, const Body& body, double timeout_seconds = 0.3) {
  const auto take = [] {
    ++records_taken;
    return &record;
  };
  simt::set_sink({take, print_record, nullptr});
  simt::current_settings().timeout_seconds = timeout_seconds;
  simt::set_warp_size(warp_size);
  simt::launch({"broken", grid, block, 0, call_body<Body>, &body});
  std::fputs("the kernel came to its end\n", stderr);
  std::_Exit(0);
}

std::string hex(lane_mask mask) {
  char text[32];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(mask));
  return text;
}

class findings : public testing::TestWithParam<unsigned> {
 protected:
  findings() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  const unsigned W = GetParam();
  const lane_mask all = W == 64 ? ~lane_mask{0} : (lane_mask{1} << W) - 1;
};

INSTANTIATE_TEST_SUITE_P(both_warp_sizes, findings, testing::Values(32U, 64U));

#define EXPECT_FINDING(statement, text) EXPECT_EXIT(statement, testing::ExitedWithCode(simt::stopped_exit_code), text)

TEST_P(findings, lanes_that_return_are_missed_by_a_collective) {
  const lane_mask waiting = all & ~lane_mask{0xfffff};
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       if (lane() >= 20) meet(~lane_mask{0});
                     }),
                 "kind 1 .*broken.*\n.*lanes " + hex(waiting) + " state 1 meet kernel.hip:1000 mask " + hex(all) +
                     ";\n.*lanes fffff state 2");
}

TEST_P(findings, lanes_at_different_lines_never_meet) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1}, [] { meet(~lane_mask{0}, lane() < 3 ? 7 : 8); }),
                 "kind 1 .*\n.*lanes 7 state 1 meet kernel.hip:7 .*\n.*state 1 meet kernel.hip:8 ");
}

TEST_P(findings, a_lane_at_a_barrier_is_missed_by_a_collective) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       if (lane() == 4) barrier(5);
                       meet(~lane_mask{0});
                     }),
                 "kind 1 .*\n.*state 1 meet .*\n.*lanes 10 state 1 barrier kernel.hip:5");
}

TEST_P(findings, names_the_warp_and_block_that_is_stuck) {
  EXPECT_FINDING(
      run(W, {1, 2, 3}, {1, 4 * W, 1},
          [&] {
            const bool there = this_lane->block_idx->z == 2 && this_lane->block_idx->y == 1;
            if (there && this_lane->thread_idx.y / static_cast<unsigned>(simt::current_warp_size) == 3 && lane() == 0)
              return;
            meet(~lane_mask{0});
          }),
      "block 0.1.2 warp 3 lanes 1 state 2");
}

TEST_P(findings, a_lane_that_its_mask_does_not_name) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1}, [] { meet(0xff); }),
                 "kind 3 .*\n.*lanes 100 state 3 meet kernel.hip:1000 mask ff;");
}

TEST_P(findings, part_of_a_warp_returns_before_a_barrier_and_the_rest_goes_on) {
  const auto body = [] {
    if (this_lane->thread_idx.x == 3) return;
    barrier(9);
    barrier(9);
  };
  EXPECT_EXIT(run(W, {2, 1, 1}, {2 * W, 1, 1}, body), testing::ExitedWithCode(0),
              "^kind 2 .*part of a warp has returned.*\n.*warp 0 .*state 1 barrier kernel.hip:9(.*\n)*findings 1\n"
              "the kernel came to its end");
}

/// Launches kernels one after the other, as a program does that goes on after a divergence.
class program {
 public:
  explicit program(unsigned warp_size) : warp_size_(warp_size) {
    simt::set_sink({[] { return &record; }, print_record, nullptr, nullptr, &abandoned_});
    simt::set_warp_size(warp_size);
    simt::current_settings().continue_after_divergence = 1;
  }
  template <class Body>
  void launch(const char* name, const Body& body) {
    if (!simt::launch({name, {8, 1, 1}, {2 * warp_size_, 1, 1}, 0, call_body<Body>, &body})) std::_Exit(1);
  }
  [[noreturn]] void end() {
    std::fprintf(stderr, "%u abandoned\n", abandoned_);
    std::_Exit(0);
  }

 private:
  unsigned warp_size_;
  std::uint32_t abandoned_ = 0;
};

TEST_P(findings, a_divergence_ends_its_launch_alone_where_the_program_goes_on) {
  const auto run_all = [&] {
    program all(W);
    static std::atomic<unsigned> lanes{0};
    // Block 0 never raises what the others wait for.
    static std::atomic<bool> raised{false};
    all.launch("first", [] {
      while (this_lane->block_idx->x != 0 && !raised) simt::yield(at("atomicAdd", 90));
      if (lane() != 2) meet(~lane_mask{0}, 91);
      raised = true;
    });
    all.launch("second", [] { meet(0xff, 92); });
    all.launch("third", [] { barrier(this_lane->thread_idx.x < 2 ? 93 : 94); });
    all.launch("third", [] { barrier(this_lane->thread_idx.x < 2 ? 93 : 94); });
    all.launch("fourth", [] {
      meet(~lane_mask{0});
      ++lanes;
    });
    std::fprintf(stderr, "%u lanes, %u repeats\n", lanes.load(), record.repeats);
    all.end();
  };
  EXPECT_EXIT(run_all(), testing::ExitedWithCode(0),
              "kind 1 .*kernel first.*\n(.*\n)*kind 3 .*kernel second.*\n(.*\n)*kind 2 .*kernel third.*\n(.*\n)*" +
                  std::to_string(16 * W) + " lanes, [0-9]* repeats\n4 abandoned");
}

TEST_P(findings, the_rest_of_a_program_has_a_time_limit_after_a_divergence) {
  const auto run_for_ever = [&] {
    program all(W);
    simt::current_settings().timeout_seconds = 0.3;
    all.launch("first", [] { meet(0xff); });
    for (;;) all.launch("again", [] { meet(~lane_mask{0}); });
  };
  EXPECT_FINDING(run_for_ever(), "kind 3 .*kernel first");
}

TEST_P(findings, warps_at_different_barriers) {
  EXPECT_FINDING(
      run(W, {1, 1, 1}, {2 * W, 1, 1},
          [&] { barrier(this_lane->thread_idx.x < static_cast<unsigned>(simt::current_warp_size) ? 11 : 12); }),
      "kind 2 .*\n.*warp 0 .*kernel.hip:11 .*\n.*warp 1 .*kernel.hip:12");
}

TEST_P(findings, a_lane_that_loops_for_ever) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       if (lane() == 6) {
                         for (volatile int i = 0;; i = i + 1) {
                         }
                       }
                       meet(~lane_mask{0});
                     }),
                 "kind 4 .*\n.*lanes 40 state 3.*");
}

// Lanes that do the same in turn are not written down one by one: a report in their midst says all the same where they
// are.

TEST_P(findings, a_lane_that_loops_amid_others_that_meet) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       for (std::atomic<bool> goes_on{lane() == 5}; goes_on;) {
                       }
                       meet(~lane_mask{0});
                     }),
                 "kind 4 .*\n.*lanes 1f state 1 meet .*\n.*lanes 20 state 3 .*\n.*lanes " +
                     hex(all & ~lane_mask{0x3f}) + " state 5 .*\nframes");
}

TEST_P(findings, a_lane_that_loops_amid_others_that_return) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       for (std::atomic<bool> goes_on{lane() == 5}; goes_on;) {
                       }
                     }),
                 "kind 4 .*\n.*lanes 20 state 3 .*\n.*lanes " + hex(all & ~lane_mask{0x3f}) +
                     " state 5 .*\n.*lanes 1f state 2 .*\nframes");
}

TEST_P(findings, a_lane_that_spins_on_what_never_comes) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       while (lane() == 6) simt::yield(at("atomicAdd", 77));
                     }),
                 "kind 4 .*\n(.*\n)*.*lanes 40 state [34] ");
}

TEST_P(findings, blocks_that_wait_in_a_circle) {
  static std::atomic<unsigned> turn{100};
  EXPECT_FINDING(run(W, {8, 1, 1}, {1, 1, 1},
                     [] {
                       while (turn != this_lane->block_idx->x) simt::yield(at("atomicAdd", 78));
                     }),
                 "kind 4 .*\nblock [0-7]\\.0\\.0 warp 0 lanes 1 state [34] ");
}

TEST_P(findings, blocks_that_wait_for_more_blocks_than_there_is_room_for) {
  static std::atomic<unsigned> here{0};
  const auto body = [] {
    if (lane() == 0) ++here;
    while (here != 8) simt::yield(at("atomicAdd", 79));
  };
  const auto run_beside_others = [&] {
    simt::lane_stacks others;
    others.reserve(simt::max_lanes_alive - 5 * W);
    run(W, {8, 1, 1}, {W, 1, 1}, body);
  };
  EXPECT_FINDING(run_beside_others(), "kind 4 .*: 5 blocks wait at once, .* no room ");
}

/// Runs for twice the limit of time without progress. Both are of processor time.
void run_for_two_seconds(unsigned W, void (*step)()) {
  // The last lane decides for all, which see it in the next round.
  static std::atomic<bool> is_over;
  is_over = false;
  const std::clock_t end = std::clock() + 2 * CLOCKS_PER_SEC;
  run(
      W, {1, 1, 1}, {W, 1, 1},
      [&] {
        while (!is_over) {
          if (lane() == W - 1 && std::clock() > end) is_over = true;
          step();
        }
      },
      1);
}

TEST_P(findings, progress_is_a_barrier_a_collective_or_a_changed_value) {
  const auto ended = testing::ExitedWithCode(0);
  EXPECT_EXIT(run_for_two_seconds(W, [] { barrier(81); }), ended, "came to its end");
  EXPECT_EXIT(run_for_two_seconds(W, [] { meet(~lane_mask{0}); }), ended, "came to its end");
  EXPECT_EXIT(run_for_two_seconds(W,
                                  [] {
                                    simt::yield(at("atomicAdd", 82));
                                    simt::note_access(&records_taken, simt::access_effect::changed);
                                  }),
              ended, "came to its end");
}

TEST_P(findings, values_that_stay_the_same_are_no_progress) {
  // It never ends by itself, however long the machine takes to notice.
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       for (;;) {
                         simt::yield(at("atomicAdd", 83));
                         simt::note_access(&records_taken, simt::access_effect::looked);
                       }
                     }),
                 "kind 4 .*made no progress for 0.3 seconds .--timeout");
}

TEST_P(findings, a_launch_has_a_time_limit_however_busy_it_is) {
  simt::current_settings().time_limit_seconds = 0.5;
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       for (;;) meet(~lane_mask{0});
                     }),
                 "kind 4 .*made progress, but did not end within 0.5 seconds .--time-limit");
  simt::current_settings().time_limit_seconds = 0;
}

TEST_P(findings, a_wild_address) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       volatile std::uintptr_t nowhere = 8;
                       if (lane() == 7) *reinterpret_cast<volatile int*>(nowhere) = 1;
                       meet(~lane_mask{0});
                     }),
                 "kind 5 signal 11 .*not mapped\n.*lanes 80 state 3 .*\nframes [1-9]");
}

[[gnu::noinline]] int recurse(int depth) {
  volatile char local[2000];
  local[0] = static_cast<char>(depth);
  return depth == -1 ? 0 : recurse(depth + 1) + local[0];
}

TEST_P(findings, endless_recursion) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       if (lane() == 9) recurse(0);
                     }),
                 "kind 5 signal 11 .*stack.*\n.*lanes 200 state 3");
}

#if defined(__x86_64__)
TEST_P(findings, integer_division_by_zero) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       int quotient = 1, divisor = 0;
                       asm volatile("cltd\n\tidivl %1" : "+a"(quotient) : "r"(divisor) : "edx", "cc");
                     }),
                 "kind 5 signal 8 .*zero\n.*lanes 1 state 3");
}
#endif

TEST_P(findings, abort_and_trap) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1}, [] { std::abort(); }), "kind 5 signal 6 .*abort");
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1}, [] { __builtin_trap(); }), "kind 5 signal [45] ");
}

TEST_P(findings, an_assertion) {
  EXPECT_FINDING(run(W, {1, 1, 1}, {W, 1, 1},
                     [] {
                       if (lane() == 1) simt::assertion_failed("x > 0", "kernel.hip", 33, "kernel");
                     }),
                 "kind 6 .*x > 0.*\n.*lanes 2 state 3 assert kernel.hip:33");
}

TEST_P(findings, two_blocks_that_break_a_rule_at_once_give_one_finding) {
  static std::atomic<unsigned> here{0};
  EXPECT_FINDING(run(W, {64, 1, 1}, {W, 1, 1},
                     [] {
                       if (lane() == 0) ++here;
                       while (here < 2) simt::yield(at("atomicAdd", 80));
                       if (lane() != 0) meet(~lane_mask{0});
                     }),
                 "^kind 1 [^\n]*\n(block[^\n]*\n)+frames 0\nfindings 1\n$");
}

TEST(signals, a_crash_outside_kernels_keeps_its_meaning) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto crash_afterwards = [] {
    simt::set_warp_size(32);
    const auto body = [] {};
    simt::launch({"fine", {1, 1, 1}, {1, 1, 1}, 0, call_body<decltype(body)>, &body});
    std::abort();
  };
  EXPECT_EXIT(crash_afterwards(), testing::KilledBySignal(SIGABRT), "");
}

}  // namespace test_findings
