// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings in words: each kind, and records that a kernel has scribbled over.
#include <signal.h>

#include "report/details.hpp"
#include "report/finding_words.hpp"
#include "report_support.hpp"

namespace {

using namespace report_support;

std::string words(const warpz_finding& record, std::vector<source_line> stack = {}) {
  return details_text(broken(neighbor, 32, 32, record, std::move(stack)));
}

TEST(report_findings, lanes_as_ranges) {
  EXPECT_EQ(lanes_text(0), "no lanes");
  EXPECT_EQ(lanes_text(1), "lane 0");
  EXPECT_EQ(lanes_text(std::uint64_t{1} << 63), "lane 63");
  EXPECT_EQ(lanes_text(0x2ffff), "lanes 0-15, 17");
  EXPECT_EQ(lanes_text(0b101011), "lanes 0-1, 3, 5");
  EXPECT_EQ(lanes_text(~std::uint64_t{0}), "lanes 0-63");
  EXPECT_EQ(lanes_text(0xffffffff00000000), "lanes 32-63");
  EXPECT_EQ(lanes_in(0x8000000000000005), (std::vector<unsigned>{0, 2, 63}));
  EXPECT_EQ(lanes_in(0), std::vector<unsigned>{});
}

TEST(report_findings, a_collective_that_some_lanes_never_reach) {
  EXPECT_EQ(words(diverged()),
            "lanes of one warp wait for others\n"
            "  in kernel neighbor_difference\n"
            "  block 0, warp 0:\n"
            "    lanes 0-15   wait in shuffle_down (mask 0xffffffff: lanes 0-31) at neighbor/mine.hip:14\n"
            "    lanes 16-31  have returned from the kernel\n"
            "  Every lane named by the mask has to reach the same call. Take the call out of the branch\n"
            "  or loop that some lanes leave; lanes without an element take part with a neutral value.\n");
}

TEST(report_findings, a_barrier_across_warps_and_a_block_in_three_dimensions) {
  warpz_finding record = finding(WARPZ_DIVERGED_BARRIER, "k", "threads of one block wait at different barriers");
  add_group(record, 1, WARPZ_LANE_WAITING, "__syncthreads", "a.hip", 3);
  add_group(record, 2, WARPZ_LANE_WAITING, "__syncthreads", "a.hip", 5);
  warpz_lane_group& far = add_group(record, 0xff, WARPZ_LANE_READY);
  far.warp = 1;
  for (warpz_lane_group& each : record.groups) std::copy_n(std::array{2u, 1u, 0u}.begin(), 3, each.block);
  record.groups_left_out = 7;
  EXPECT_EQ(words(record),
            "threads of one block wait at different barriers\n"
            "  in kernel k\n"
            "  block (2, 1, 0), warp 0:\n"
            "    lane 0     waits in __syncthreads at a.hip:3\n"
            "    lane 1     waits in __syncthreads at a.hip:5\n"
            "  block (2, 1, 0), warp 1:\n"
            "    lanes 0-7  are free to go on\n"
            "  and 7 more groups of lanes\n"
            "  Every thread of the block has to reach the same barrier. Take it out of the branch, and\n"
            "  let no thread return before it.\n");
}

TEST(report_findings, a_mask_without_its_caller) {
  warpz_finding record = finding(WARPZ_WRONG_MASK, "k", "a lane calls an operation with a mask that does not name it");
  add_group(record, 1u << 9, WARPZ_LANE_RUNNING, "__shfl_sync", "a.hip", 8, 0xff);
  EXPECT_EQ(words(record),
            "a lane calls an operation with a mask that does not name it\n"
            "  in kernel k\n"
            "  block 0, warp 0:\n"
            "    lane 9  runs __shfl_sync (mask 0xff: lanes 0-7) at a.hip:8\n"
            "  A mask has to name every lane that makes the call, the caller too: lane n by bit n.\n");
}

TEST(report_findings, a_spin_says_where_each_lane_is) {
  warpz_finding record = finding(WARPZ_NO_PROGRESS, "k", "no block came to its end for 10 seconds");
  add_group(record, 4, WARPZ_LANE_RUNNING);
  add_group(record, 3, WARPZ_LANE_YIELDED, "atomicAdd", "a.hip", 9);
  EXPECT_EQ(words(record, {{"spin(int*)", "a.hip", 12}, {"k", "a.hip", 20}}),
            "no block came to its end for 10 seconds\n"
            "  in kernel k\n"
            "  block 0, warp 0:\n"
            "    lane 2     runs\n"
            "    lanes 0-1  were last seen in atomicAdd at a.hip:9\n"
            "  there:       spin(int*) at a.hip:12\n"
            "  called from: k at a.hip:20\n"
            "  Check what ends the loop, and which lane should change what it reads: that may be a lane of\n"
            "  the same warp, which waits for this one. If the kernel only needs more time, raise the limit.\n");
}

TEST(report_findings, a_crash_has_signal_address_and_stack) {
  warpz_finding record = finding(WARPZ_CRASH, "k", "a lane accessed an address that is not mapped");
  record.signal = SIGSEGV;
  record.address = 0x7f0012345678;
  add_group(record, 1u << 5, WARPZ_LANE_RUNNING).block[0] = 3;
  EXPECT_EQ(words(record, {{"k", "a.hip", 7}}),
            "a lane accessed an address that is not mapped\n"
            "  in kernel k, by SIGSEGV at address 0x7f0012345678\n"
            "  block 3, warp 0:\n"
            "    lane 5  runs\n"
            "  there:       k at a.hip:7\n"
            "  Compare each index with size before reading or writing there.\n");
  record.address = 0;
  EXPECT_NE(words(record).find("by SIGSEGV at address 0x0 (a null pointer)\n"), std::string::npos);
  // Neither an address nor advice about one.
  record.signal = SIGFPE;
  EXPECT_EQ(words(record),
            "a lane accessed an address that is not mapped\n"
            "  in kernel k, by SIGFPE\n"
            "  block 3, warp 0:\n"
            "    lane 5  runs\n");
  record.signal = SIGSEGV;
  put(record.message, "a lane ran out of its stack: endless recursion");
  EXPECT_EQ(fix_text(record), "");
  record.signal = 77;
  EXPECT_NE(words(record).find("by signal 77\n"), std::string::npos);
}

TEST(report_findings, a_process_that_just_ended) {
  warpz_finding record = finding(WARPZ_CRASH, "k", "the kernel's process was ended by signal 11");
  record.signal = SIGSEGV;
  EXPECT_EQ(words(record),
            "the kernel's process was ended by signal 11\n"
            "  in kernel k, by SIGSEGV\n"
            "  Compare each index with size before reading or writing there.\n");
}

TEST(report_findings, an_assertion) {
  warpz_finding record = finding(WARPZ_ASSERTION, "k", "k: assertion `a < b' does not hold");
  add_group(record, 1, WARPZ_LANE_RUNNING, "assert", "a.hip", 2);
  EXPECT_EQ(words(record),
            "k: assertion `a < b' does not hold\n"
            "  in kernel k\n"
            "  block 0, warp 0:\n"
            "    lane 0  runs assert at a.hip:2\n");
}

TEST(report_findings, several_are_told_one_after_the_other_and_the_advice_once) {
  puzzle_outcome of = broken(neighbor, 32, 32, diverged());
  of.findings.push_back(of.findings.front());
  const std::string text = details_text(of);
  EXPECT_NE(text.find("\nalso: lanes of one warp wait for others\n"), std::string::npos);
  EXPECT_EQ(text.find("Every lane named"), text.rfind("Every lane named"));
}

TEST(report_findings, the_last_line_counts_by_kind) {
  puzzle_outcome result = broken(neighbor, 32, 32, finding(WARPZ_DATA_RACE, "k", ""));
  symbolized_finding again = result.findings.front(), other{finding(WARPZ_MISALIGNED, "k", ""), {}}, warning = again;
  again.record.repeats = 488;
  warning.record.severity = WARPZ_WARNING;
  result.findings.push_back(again);
  result.findings.push_back(other);
  result.findings.push_back(warning);
  result.findings_left_out = 3;
  const std::string text = details_text(result);
  EXPECT_TRUE(
      text.ends_with("\nfound: 2 data races (490 times), 1 data race (warning) (1 time), 1 misaligned access "
                     "(1 time); 3 more elsewhere, not reported\n"))
      << text;
  other.suppressed = suppressed_by{"accepted.txt", 1};
  result.findings = {other, other};
  EXPECT_TRUE(details_text(result).ends_with("; suppressed: 2 misaligned accesses (2 times)\n"));
}

TEST(report_findings, names_of_states) {
  EXPECT_EQ(state_name(WARPZ_LANE_YIELDED), "yielded");
  EXPECT_EQ(state_name(WARPZ_LANE_ATOMIC), "atomic");
  EXPECT_EQ(state_name(WARPZ_LANE_TOOK), "took");
  EXPECT_EQ(state_name(WARPZ_LANE_NEVER_SET), "never_set");
  EXPECT_EQ(state_name(99), "unknown");
}

// Every byte set: counts far beyond the arrays, strings without an end that are no UTF-8.
TEST(report_findings, a_record_of_garbage_is_bounded_and_printable) {
  warpz_finding record;
  std::memset(&record, 0xff, sizeof record);
  EXPECT_EQ(groups_of(record).size(), std::size_t{WARPZ_FINDING_GROUPS});
  const std::string text = words(record);
  EXPECT_LT(text.size(), 80000U);
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
  EXPECT_EQ(text.substr(0, 8), "\\xff\\xff");
  EXPECT_NE(text.find("in kernel \\xff"), std::string::npos);
  EXPECT_NE(text.find("are in an unknown state"), std::string::npos);
  EXPECT_NE(text.find("and 4294967295 more groups of lanes\n"), std::string::npos);
}

TEST(report_findings, strings_without_an_end_stop_at_their_own) {
  warpz_finding record = diverged();
  std::memset(record.kernel, 'k', sizeof record.kernel);
  std::memset(record.message, 'm', sizeof record.message);
  EXPECT_EQ(rule_text(record), std::string(512, 'm'));
  EXPECT_NE(words(record).find("in kernel " + std::string(64, 'k') + "\n"), std::string::npos);
}

TEST(report_findings, nothing_steers_the_terminal) {
  warpz_finding record = finding(WARPZ_ASSERTION, "k\x1b[2J", "first\nfake: second line\x1b]0;title\x07");
  add_group(record, 1, WARPZ_LANE_RUNNING, "\x1b[31m", "\x9b.hip", 2);
  const std::string text = words(record, {{"\x1b[7mf", "b\nc.hip", 1}});
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
}

TEST(report_findings, a_record_that_says_nothing_still_gives_a_reason) {
  EXPECT_EQ(rule_text(finding(WARPZ_NO_PROGRESS, "", "")), "the kernel did not end");
  EXPECT_EQ(rule_text(warpz_finding{}), "the kernel was stopped, and left no readable reason");
  puzzle_outcome of = broken(neighbor, 32, 32, diverged());
  of.findings.clear();
  EXPECT_EQ(details_text(of), "the kernel was stopped\n");
}

}  // namespace
