// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The documents' format, byte for byte, and what is said on standard error.
#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>

#include "report_support.hpp"

namespace {

using namespace report_support;

struct texts {
  std::string out;
  std::string err;
};

texts tell(const report_style& style, const std::vector<puzzle_outcome>& outcomes,
           std::vector<const puzzle*> planned = {}, const error* stopped_by = nullptr) {
  if (planned.empty()) {
    for (const puzzle_outcome& each : outcomes) planned.push_back(each.puzzle);
  }
  captured out, err;
  const auto report = make_text_report(style, out.stream, err.stream);
  report->begin(names_of(planned));
  for (const puzzle_outcome& each : outcomes) report->add(each);
  report->end(0, stopped_by);
  return {out.text(), err.text()};
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> list(count);
  std::iota(list.begin(), list.end(), 1.0F);
  return list;
}

TEST(report_text, a_plain_list) {
  const std::vector<float> list{1, 3, 0.5F, 3.3333333F, 105.333336F, 1000, 0};
  const texts told = tell({}, {passed(neighbor, 32, list)});
  EXPECT_EQ(told.out,
            "WARP_SIZE:  32\n"
            "SIZE:  7\n"
            "output: [1.0, 3.0, 0.5, 3.3333333, 105.333336, 1000.0, 0.0]\n"
            "expected: [1.0, 3.0, 0.5, 3.3333333, 105.333336, 1000.0, 0.0]\n"
            "OK Basic neighbor difference test passed!\n");
  EXPECT_EQ(told.err, "");
}

TEST(report_text, a_host_buffer_with_its_own_size_label) {
  EXPECT_EQ(tell({}, {passed(average, 64, {2.5F})}).out,
            "WARP_SIZE:  64\n"
            "SIZE_2:  1\n"
            "output: HostBuffer([2.5])\n"
            "expected: HostBuffer([2.5])\n"
            "OK Moving average test passed!\n");
}

TEST(report_text, the_pivot_comes_behind_the_lists) {
  EXPECT_EQ(tell({}, {passed(partition, 32, {3, 7})}).out,
            "WARP_SIZE:  32\n"
            "SIZE:  2\n"
            "output: HostBuffer([3.0, 7.0])\n"
            "expected: HostBuffer([3.0, 7.0])\n"
            "pivot: 5.0\n"
            "OK Warp partition test passed!\n");
}

// The lists are read from the text by the C library, and have to come out as they were.
TEST(report_text, every_documented_text_comes_out_as_it_went_in) {
  struct documented {
    const char* flag;
    const char* title;
    const char* label;
    list_style style;
  };
  constexpr auto plain = list_style::plain;
  constexpr auto buffer = list_style::host_buffer;
  constexpr documented all[] = {
      {"neighbor", "Basic neighbor difference", "SIZE", plain},
      {"average", "Moving average", "SIZE_2", buffer},
      {"broadcast-basic", "Basic broadcast", "SIZE", buffer},
      {"broadcast-conditional", "Conditional broadcast", "SIZE", buffer},
      {"broadcast-shuffle-coordination", "Broadcast + Shuffle coordination", "SIZE", buffer},
      {"pair-swap", "Butterfly pair swap", "SIZE", plain},
      {"parallel-max", "Butterfly parallel max", "SIZE", plain},
      {"conditional-max", "Butterfly conditional max", "SIZE_2", plain},
      {"prefix-sum", "Warp inclusive prefix sum", "SIZE", plain},
      {"partition", "Warp partition", "SIZE", buffer},
  };
  for (const unsigned warp_size : {32u, 64u}) {
    for (const documented& each : all) {
      std::ifstream file(std::string(WARPZ_SOURCE_DIR "/expected/warp") + std::to_string(warp_size) + "/" + each.flag +
                         ".txt");
      std::ostringstream whole;
      whole << file.rdbuf();
      const std::string text = whole.str();
      ASSERT_FALSE(text.empty()) << each.flag;
      std::vector<float> list;
      const char* at = std::strchr(std::strstr(text.c_str(), "output: "), '[');
      do {
        char* end = nullptr;
        list.push_back(std::strtof(at + 1, &end));
        at = end;
      } while (*at == ',');
      puzzle result{.number = 1,
                    .flag = each.flag,
                    .title = each.title,
                    .kernel = "",
                    .summary = "",
                    .style = each.style,
                    .size_label = each.label};
      if (result.title == "Warp partition") result.documented_pivot = 5.0F;
      EXPECT_EQ(tell({}, {passed(result, warp_size, list)}).out, text) << each.flag;
    }
  }
}

TEST(report_text, a_list_of_1024_elements_is_whole) {
  const std::string out = tell({}, {passed(neighbor, 32, counting(1024))}).out;
  EXPECT_EQ(out.find("..."), std::string::npos);
  EXPECT_EQ(std::count(out.begin(), out.end(), ','), 2 * 1023);
}

TEST(report_text, a_longer_list_is_shortened_to_its_ends) {
  EXPECT_EQ(tell({}, {passed(neighbor, 32, counting(1025))}).out,
            "WARP_SIZE:  32\n"
            "SIZE:  1025\n"
            "output: [1.0, 2.0, 3.0, ..., 1023.0, 1024.0, 1025.0]\n"
            "expected: [1.0, 2.0, 3.0, ..., 1023.0, 1024.0, 1025.0]\n"
            "OK Basic neighbor difference test passed!\n");
}

TEST(report_text, full_shows_every_element) {
  const std::string out = tell({.full = true}, {passed(average, 32, counting(100000))}).out;
  EXPECT_EQ(out.find("..."), std::string::npos);
  EXPECT_EQ(std::count(out.begin(), out.end(), ','), 2 * 99999);
  EXPECT_NE(out.find(", 99999.0, 100000.0])\n"), std::string::npos);
}

TEST(report_text, a_wrong_result_fails_and_says_where) {
  const std::vector<float> right{1, 3, 5, 0};
  const std::vector<float> output{1, 3, 5, -9};
  const texts told = tell({}, {wrong(neighbor, 32, output, right)});
  EXPECT_EQ(told.out,
            "WARP_SIZE:  32\n"
            "SIZE:  4\n"
            "output: [1.0, 3.0, 5.0, -9.0]\n"
            "expected: [1.0, 3.0, 5.0, 0.0]\n"
            "FAIL Basic neighbor difference test failed!\n");
  EXPECT_EQ(told.err,
            "wrong result: neighbor: 1 of 4 elements differs\n"
            "  index  block  warp  lane  output  expected\n"
            "      3      0     0     3    -9.0       0.0\n"
            "next: warpz --neighbor --warp-size 64 --size 4\n"
            "      does it depend on the warp size? With 64 lanes\n");
}

TEST(report_text, at_most_the_first_few_differences_and_how_many_there_are) {
  const std::vector<float> output = counting(40), right(40, 0.0F);
  const std::string err = tell({}, {wrong(neighbor, 32, output, right)}).err;
  EXPECT_EQ(err,
            "wrong result: neighbor: 40 of 40 elements differ; the first 5:\n"
            "  index  block  warp  lane  output  expected\n"
            "      0      0     0     0     1.0       0.0\n"
            "      1      0     0     1     2.0       0.0\n"
            "      2      0     0     2     3.0       0.0\n"
            "      3      0     0     3     4.0       0.0\n"
            "      4      0     0     4     5.0       0.0\n"
            "next: warpz --neighbor --size 32\n"
            "      only up to the end of the first warp that goes wrong; if it passes, the data after it matters\n");
}

TEST(report_text, an_element_that_nobody_wrote_is_called_so) {
  const std::vector<float> output{1, std::bit_cast<float>(never_written_bits), std::numeric_limits<float>::quiet_NaN()},
      right{1, 2, 3};
  const texts told = tell({}, {wrong(neighbor, 32, output, right)});
  EXPECT_NE(told.out.find("output: [1.0, nan, nan]\n"), std::string::npos);
  EXPECT_NE(told.err.find("  index  block  warp  lane         output  expected\n"
                          "      1      0     0     1  never written       2.0\n"
                          "      2      0     0     2            nan       3.0\n"),
            std::string::npos)
      << told.err;
}

TEST(report_text, an_element_that_no_single_lane_writes_has_no_lane_but_a_row) {
  const std::vector<float> output{1, 2, 3, 4, 5, 6}, right{1, 2, 3, 4, 0, 6};
  puzzle_outcome outcome = wrong(matmul, 32, output, right);
  outcome.shape = matrix_shape{2, 3, 1};
  outcome.first_mismatches.front().placed = false;
  EXPECT_NE(tell({}, {outcome})
                .err.find("  index  row  column  output  expected\n"
                          "      4    1       1     5.0       0.0\n"),
            std::string::npos)
      << tell({}, {outcome}).err;
}

TEST(report_text, a_finding_leaves_only_the_head_and_the_last_line) {
  const texts told = tell({}, {broken(neighbor, 32, 32, diverged())});
  EXPECT_EQ(told.out,
            "WARP_SIZE:  32\n"
            "SIZE:  32\n"
            "FAIL Basic neighbor difference test failed!\n");
  EXPECT_EQ(told.err.substr(0, told.err.find('\n')), "broken rule: neighbor: lanes of one warp wait for others");
}

TEST(report_text, several_puzzles_are_parted_and_end_with_a_table) {
  const std::vector<float> one{1}, two{2};
  puzzle_outcome slow = passed(partition, 32, one);
  slow.milliseconds = 1234.5;
  EXPECT_EQ(tell({}, {passed(neighbor, 32, one), wrong(average, 32, one, two), slow}).out,
            "WARP_SIZE:  32\n"
            "SIZE:  1\n"
            "output: [1.0]\n"
            "expected: [1.0]\n"
            "OK Basic neighbor difference test passed!\n"
            "\n"
            "WARP_SIZE:  32\n"
            "SIZE_2:  1\n"
            "output: HostBuffer([1.0])\n"
            "expected: HostBuffer([2.0])\n"
            "FAIL Moving average test failed!\n"
            "\n"
            "WARP_SIZE:  32\n"
            "SIZE:  1\n"
            "output: HostBuffer([1.0])\n"
            "expected: HostBuffer([1.0])\n"
            "pivot: 5.0\n"
            "OK Warp partition test passed!\n"
            "\n"
            "puzzle     result                    time\n"
            "neighbor   OK                    0.250 ms\n"
            "average    FAIL wrong result     0.250 ms\n"
            "partition  OK                 1234.500 ms\n");
}

TEST(report_text, an_error_midway_shows_in_the_table) {
  const error reason(exit_code::no_device, "the device went away");
  const std::string out =
      tell({}, {broken(neighbor, 32, 32, diverged())}, {&neighbor, &average, &partition}, &reason).out;
  EXPECT_NE(out.find("failed!\n\n"
                     "puzzle     result            time\n"
                     "neighbor   FAIL broken rule     -\n"
                     "average    error                -\n"
                     "partition  not run              -\n"),
            std::string::npos)
      << out;
}

TEST(report_text, an_error_before_the_first_puzzle_leaves_nothing_to_tabulate) {
  const error reason(exit_code::no_device, "there is no device");
  EXPECT_EQ(tell({}, {}, {&neighbor, &average}, &reason).out, "");
}

TEST(report_text, quiet_leaves_the_last_lines_alone) {
  const std::vector<float> one{1}, two{2};
  const texts told = tell({.quiet = true}, {passed(neighbor, 32, one), wrong(average, 32, one, two)});
  EXPECT_EQ(told.out,
            "OK Basic neighbor difference test passed!\n"
            "FAIL Moving average test failed!\n");
  EXPECT_EQ(told.err, "");
}

TEST(report_text, emoji_instead_of_the_words) {
  const std::vector<float> one{1}, two{2};
  const std::string out = tell({.emoji = true}, {passed(neighbor, 32, one), wrong(average, 32, one, two)}).out;
  EXPECT_NE(out.find("\n✅ Basic neighbor difference test passed!\n"), std::string::npos);
  EXPECT_NE(out.find("\n❌ Moving average test failed!\n"), std::string::npos);
  EXPECT_EQ(out.find("OK"), std::string::npos);
  // As wide as two letters each.
  EXPECT_NE(out.find("puzzle    result               time\n"
                     "neighbor  ✅               0.250 ms\n"
                     "average   ❌ wrong result  0.250 ms\n"),
            std::string::npos)
      << out;
}

TEST(report_text, color_is_for_the_verdict_and_for_the_stream_that_wants_it) {
  const std::vector<float> one{1}, two{2};
  const texts out_only = tell({.color_out = true}, {passed(neighbor, 32, one), wrong(average, 32, one, two)});
  EXPECT_NE(out_only.out.find("\n\x1b[32mOK\x1b[0m Basic neighbor difference test passed!\n"), std::string::npos);
  EXPECT_NE(out_only.out.find("\n\x1b[31mFAIL\x1b[0m Moving average test failed!\n"), std::string::npos);
  EXPECT_NE(out_only.out.find("neighbor  \x1b[32mOK\x1b[0m                 0.250 ms\n"), std::string::npos)
      << out_only.out;
  EXPECT_EQ(out_only.err.find('\x1b'), std::string::npos);
  const texts err_only = tell({.color_err = true}, {wrong(average, 32, one, two)});
  EXPECT_EQ(err_only.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(err_only.err.substr(0, 40), "\x1b[31mwrong result\x1b[0m: average: the only");
}

TEST(report_text, each_puzzle_is_out_before_the_next_one_runs) {
  captured out, err;
  const std::vector<float> one{1};
  const auto report = make_text_report({.quiet = true}, out.stream, err.stream);
  report->begin({"neighbor", "average"});
  report->add(passed(neighbor, 32, one));
  EXPECT_EQ(out.text(), "OK Basic neighbor difference test passed!\n");
}

puzzle_outcome with_long_findings() {
  puzzle_outcome outcome =
      broken(neighbor, 32, 32, finding(WARPZ_DIVERGED_COLLECTIVE, "k", std::string(20, 'm').c_str()));
  symbolized_finding& first = outcome.findings.front();
  first.record.group_count = 1;
  first.record.groups[0].lanes = 0x5555;
  first.record.groups[0].place.line = 4;
  std::strcpy(first.record.groups[0].place.file, "mine.hip");
  std::strcpy(first.record.groups[0].place.operation, "__shfl_down");
  source_line place{"k", "mine.hip", 4};
  place.code = "  a = " + std::string(60, 'x') + " + __shfl_down(b, 1) + " + std::string(60, 'y') + ";";
  first.places = {place};
  first.notes = {"a note " + std::string(30, 'n') + " of more words than there is room for in one line of a page"};
  return outcome;
}

TEST(report_text, findings_keep_to_the_columns) {
  for (const std::size_t columns : {40U, 60U, 80U, 120U}) {
    report_style style;
    style.columns = columns;
    std::istringstream lines(tell(style, {with_long_findings()}).err);
    std::string line;
    bool has_quote = false, has_caret = false;
    while (std::getline(lines, line)) {
      const bool is_command = line.starts_with("next: ") || line.starts_with("see: ");
      if (!is_command) {
        EXPECT_LE(line.size(), columns) << line;
      }
      has_quote = has_quote || line.find("__shfl_down") != line.npos;
      has_caret = has_caret || line.ends_with("^~~~~~~~~~~");
    }
    EXPECT_TRUE(has_quote && has_caret) << columns;
  }
}

TEST(report_text, a_terminal_breaks_a_list_between_its_elements) {
  report_style style;
  style.out_columns = 24;
  EXPECT_EQ(tell(style, {passed(neighbor, 32, {1, 3, 105.333336F, 1000, 20.5F, 7})}).out,
            "WARP_SIZE:  32\n"
            "SIZE:  6\n"
            "output: [1.0, 3.0,\n"
            "  105.333336, 1000.0,\n"
            "  20.5, 7.0]\n"
            "expected: [1.0, 3.0,\n"
            "  105.333336, 1000.0,\n"
            "  20.5, 7.0]\n"
            "OK Basic neighbor difference test passed!\n");
  const std::string shortened = tell(style, {passed(average, 32, counting(1025))}).out;
  EXPECT_NE(shortened.find("\noutput: HostBuffer([1.0,\n"
                           "  2.0, 3.0, ...,\n"
                           "  1023.0, 1024.0,\n"
                           "  1025.0])\n"),
            shortened.npos)
      << shortened;
}

TEST(report_text, advice_flows_where_its_own_lines_do_not_fit) {
  report_style style;
  style.columns = 60;
  const std::string err = tell(style, {with_long_findings()}).err;
  EXPECT_NE(err.find("\n  Every lane named by the mask has to reach the same call.\n  Take the call out"), err.npos)
      << err;
}

TEST(report_text, quiet_has_a_line_for_each_finding) {
  report_style style;
  style.quiet = true;
  puzzle_outcome outcome = with_long_findings();
  outcome.findings.push_back(outcome.findings.front());
  outcome.findings.back().record.severity = WARPZ_WARNING;
  outcome.findings.push_back(outcome.findings.front());
  outcome.findings.back().suppressed = suppressed_by{"known.txt", 1};
  outcome.findings.push_back({finding(WARPZ_LEAK, "", "")});
  const texts told = tell(style, {outcome});
  EXPECT_EQ(told.err,
            "mine.hip:4: diverged collective\n"
            "mine.hip:4: diverged collective (warning)\n"
            "neighbor: leak\n");
  EXPECT_EQ(told.out, "FAIL Basic neighbor difference test failed!\n");
}

}  // namespace
