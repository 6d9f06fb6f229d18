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
            "  The mask has to name every lane that makes the call, the caller too. Bit n stands for lane n.\n");
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
            "  Check what ends the loop and which lane should change the value it reads. That lane may be in\n"
            "  the same warp and waiting for this one. If the kernel only needs more time, raise the limit.\n");
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
  EXPECT_EQ(fix_text({record, {}}), "");
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
  puzzle_outcome outcome = broken(neighbor, 32, 32, diverged());
  outcome.findings.push_back(outcome.findings.front());
  const std::string text = details_text(outcome);
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
      text.ends_with("\nfound: 2 data races (490 times), 1 misaligned access, 1 data race (warning); "
                     "3 more elsewhere, not reported\n"))
      << text;
  other.suppressed = suppressed_by{"accepted.txt", 1};
  result.findings = {other, other};
  EXPECT_TRUE(details_text(result).ends_with("; suppressed: 2 misaligned accesses (2 times)\n"));
}

TEST(report_findings, a_race_is_fixed_by_what_its_lanes_have_in_common) {
  warpz_finding race = finding(WARPZ_DATA_RACE, "k", "");
  race.relation = WARPZ_ONE_WARP;
  add_group(race, 2, WARPZ_LANE_READ, "", "a.hip", 7);
  add_group(race, 1, WARPZ_LANE_WROTE, "", "a.hip", 6);
  const auto fix = [](const warpz_finding& outcome) { return fix_text({outcome, {}}); };
  EXPECT_TRUE(fix(race).starts_with("Put __syncwarp() between them")) << fix(race);
  EXPECT_EQ(words(race).find("likewise"), std::string::npos);
  // Others at these lines have less in common than the two that are shown.
  race.relation = WARPZ_ONE_BLOCK;
  EXPECT_TRUE(fix(race).starts_with("Put __syncthreads() between them")) << fix(race);
  EXPECT_NE(words(race).find("\n  likewise between lanes of different warps\n"), std::string::npos) << words(race);
  race.relation = WARPZ_TWO_BLOCKS;
  EXPECT_TRUE(fix(race).starts_with("Blocks run in any order: let none read")) << fix(race);
  EXPECT_NE(words(race).find("\n  likewise between lanes of different blocks\n"), std::string::npos) << words(race);
}

TEST(report_findings, a_race_at_one_line_is_fixed_by_what_the_line_does) {
  warpz_finding race = finding(WARPZ_DATA_RACE, "k", "");
  race.relation = WARPZ_ONE_BLOCK;
  add_group(race, 2, WARPZ_LANE_READ, "", "a.hip", 7);
  add_group(race, 1, WARPZ_LANE_WROTE, "", "a.hip", 7);
  const auto fix = [](const warpz_finding& outcome) { return fix_text({outcome, {}}); };
  EXPECT_TRUE(fix(race).starts_with("Let all lanes read first")) << fix(race);
  EXPECT_NE(fix(race).find("then __syncthreads(), then write."), std::string::npos) << fix(race);
  race.relation = WARPZ_TWO_BLOCKS;
  EXPECT_EQ(fix(race), "Blocks run in any order: write to another buffer than the one that is read.");
  race.pattern = WARPZ_RACE_UPDATE;
  EXPECT_NE(fix(race).find("Use an atomic"), std::string::npos) << fix(race);
  race.pattern = 0;
  race.groups[0].state = WARPZ_LANE_WROTE;
  EXPECT_TRUE(fix(race).starts_with("Let one lane write it")) << fix(race);
}

TEST(report_findings, a_race_with_the_next_round_says_so_and_where_a_barrier_is_missing) {
  warpz_finding race = finding(WARPZ_DATA_RACE, "k", "");
  race.relation = WARPZ_ONE_BLOCK;
  add_group(race, 2, WARPZ_LANE_READ, "", "a.hip", 22);
  add_group(race, 1, WARPZ_LANE_WROTE, "", "a.hip", 17);
  put(race.ordered_at.operation, "__syncthreads");
  put(race.ordered_at.file, "a.hip");
  race.ordered_at.line = 20;
  symbolized_finding found{race};
  found.in_next_round = 1;
  const std::string text = finding_text(found);
  EXPECT_NE(text.find("    lane 0  wrote at a.hip:17, in the next round of the loop\n"), std::string::npos) << text;
  EXPECT_EQ(fix_text(found),
            "The __syncthreads at a.hip:20 orders the two within a round, not from one round to the\n"
            "  next. Put __syncthreads() at the end of the loop.");
}

TEST(report_findings, a_checked_read_is_a_warning_with_a_way_to_write_it) {
  warpz_finding race = finding(WARPZ_DATA_RACE, "k", "");
  race.severity = WARPZ_WARNING;
  race.pattern = WARPZ_RACE_CHECKED_READ;
  add_group(race, 1, WARPZ_LANE_ATOMIC, "", "a.hip", 22);
  add_group(race, 2, WARPZ_LANE_READ, "", "a.hip", 17);
  EXPECT_NE(rule_text({race}).find("its compare-and-swap checks the value"), std::string::npos) << rule_text({race});
  EXPECT_NE(fix_text({race, {}}).find("Or begin with any value"), std::string::npos);
}

TEST(report_findings, a_warning_behind_errors_is_called_one) {
  puzzle_outcome result = broken(neighbor, 32, 32, finding(WARPZ_MISALIGNED, "k", "one"));
  symbolized_finding warning{finding(WARPZ_DATA_RACE, "k", "two")};
  warning.record.severity = WARPZ_WARNING;
  result.findings.push_back(warning);
  EXPECT_NE(details_text(result).find("\nwarning: two\n"), std::string::npos) << details_text(result);
}

TEST(report_findings, leaked_buffers_are_added_up) {
  warpz_finding leak = finding(WARPZ_LEAK, "", "");
  leak.length = 1;
  EXPECT_EQ(rule_text({leak}), "1 byte is never freed");
  leak.length = 256;
  EXPECT_EQ(rule_text({leak}), "256 bytes are never freed");
  leak.repeats = 3;
  EXPECT_EQ(rule_text({leak}), "256 bytes in 4 buffers are never freed");
  EXPECT_EQ(words(leak).find("more time"), std::string::npos) << words(leak);
}

source_line quoted(unsigned column, std::string code) { return {"k", "a.hip", 14, column, std::move(code)}; }

TEST(report_findings, a_place_is_quoted_with_a_caret) {
  source_quotes quotes({quoting::plain});
  EXPECT_EQ(quotes.next(quoted(15, "  output[i] = tile[i + 1];")),
            "         14 |  output[i] = tile[i + 1];\n"
            "            |              ^\n");
  EXPECT_EQ(quotes.next(quoted(15, "  output[i] = tile[i + 1];")), "") << "each line once";
}

TEST(report_findings, a_caret_points_to_the_operation_by_its_name) {
  EXPECT_EQ(source_quotes({quoting::plain}).next(quoted(0, "\tx = my__shfl(y) + __shfl(y, 1);"), "__shfl"),
            "         14 |  x = my__shfl(y) + __shfl(y, 1);\n"
            "            |                    ^~~~~~\n");
  EXPECT_EQ(source_quotes({quoting::colored}).next(quoted(1, "f();")),
            "         14 |  f();\n"
            "            |  \x1b[32m^\x1b[0m\n");
}

TEST(report_findings, no_caret_is_better_than_a_wrong_one) {
  const auto lines_of = [](unsigned column, const std::string& code) {
    const std::string quote = source_quotes({quoting::plain}).next(quoted(column, code));
    return std::count(quote.begin(), quote.end(), '\n');
  };
  EXPECT_EQ(lines_of(9, "tile[i] = N;"), 2);
  EXPECT_EQ(lines_of(10, "tile[i] = N;"), 1) << "a blank";
  EXPECT_EQ(lines_of(3, "tile[i] = N;"), 1) << "within a name";
  EXPECT_EQ(lines_of(90, "tile[i] = N;"), 1) << "behind its end";
  EXPECT_EQ(lines_of(13, "a[N * 2] =  b[i];"), 1) << "behind what may be a macro";
  EXPECT_EQ(lines_of(0, "a[i] = b[i];"), 1);
}

TEST(report_findings, a_long_line_is_cut_to_what_the_caret_is_about) {
  const std::string code = "f(" + std::string(200, 'a') + ", b[i]);";
  const std::string quote = source_quotes({quoting::plain}).next(quoted(205, code));
  EXPECT_LT(quote.find('\n'), 125U) << quote;
  const std::string text = quote.substr(0, quote.find('\n')), caret = quote.substr(text.size() + 1);
  EXPECT_EQ(text[caret.find('^')], 'b') << quote;
}

TEST(report_findings, a_quoted_line_cannot_steer_the_terminal) {
  for (const char c : source_quotes({quoting::plain}).next(quoted(1, "f(); // \x1b[2J\x9b \xff")))
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
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
  EXPECT_EQ(rule_text({record}), std::string(512, 'm'));
  EXPECT_NE(words(record).find("in kernel " + std::string(sizeof record.kernel, 'k') + "\n"), std::string::npos);
}

TEST(report_findings, nothing_steers_the_terminal) {
  warpz_finding record = finding(WARPZ_ASSERTION, "k\x1b[2J", "first\nfake: second line\x1b]0;title\x07");
  add_group(record, 1, WARPZ_LANE_RUNNING, "\x1b[31m", "\x9b.hip", 2);
  const std::string text = words(record, {{"\x1b[7mf", "b\nc.hip", 1}});
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
}

TEST(report_findings, a_record_that_says_nothing_still_gives_a_reason) {
  EXPECT_EQ(rule_text({finding(WARPZ_NO_PROGRESS, "", "")}), "the kernel did not end");
  EXPECT_EQ(rule_text({warpz_finding{}}), "the kernel was stopped for an unknown reason");
  puzzle_outcome outcome = broken(neighbor, 32, 32, diverged());
  outcome.findings.clear();
  EXPECT_EQ(details_text(outcome), "the kernel was stopped\n");
}

}  // namespace
