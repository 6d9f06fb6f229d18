// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What another warpz's report says of a file, and what a learner sees of it.
#include "learn/judgement.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "learn/watch_view.hpp"
#include "text/wrapped.hpp"

namespace {

using namespace warpz;

/// A report of a run, with these members changed or added.
std::string report(std::string_view members, int code) {
  return fmt::format(
      R"({{"runs":[{{"warp_size":64,"size":7,"input":{{"source":"documented"}},"launch":{{"inputs":[7],"grid":[4,3]}},
"output":[0.0,1.0,2.0,"nan",null,5.0,6.0],"input_values":[10.0,11.0,12.0,13.0,14.0,15.0,16.0],
"expected":[0.0,1.0,2.0,3.0,4.0,5.0,6.0],"hidden_case":false,"launches":1,"repeat":"--size 7","passed_hidden":[],"verdict":"wrong_result","mismatch_count":2,
"first_differences":[{{"index":3,"block":2,"output":"nan","expected":3.0}}],"findings":[],"findings_text":null,"milliseconds":0.5,
"costs":null,{}}}],"exit_code":{},"error":null}})",
      members, code);
}

TEST(judgement, has_the_elements_around_the_first_difference) {
  const judgement one = read_judgement(report(R"("x":0)", 1), "");
  EXPECT_EQ(one.outcome, "wrong_result");
  EXPECT_FALSE(one.passed());
  ASSERT_EQ(one.elements.size(), 5U);
  EXPECT_EQ(one.elements.front().index, 1U);
  EXPECT_EQ(one.elements[2].input, "13.0");
  EXPECT_EQ(one.elements[2].output, "nan");
  EXPECT_TRUE(one.elements[2].is_wrong());
  EXPECT_EQ(one.elements[3].output, "never written");
  EXPECT_FALSE(one.elements[4].is_wrong());
  EXPECT_EQ(one.trace_options, "--size 7 --block 2");
  EXPECT_EQ(verdict_text(one, {}),
            "WRONG with 64 lanes: 2 elements differ\n"
            "   index           input          output        expected\n"
            "       1            11.0             1.0             1.0\n"
            "       2            12.0             2.0             2.0\n"
            "       3            13.0             nan             3.0  <--\n"
            "       4            14.0   never written             4.0  <--\n"
            "       5            15.0             5.0             5.0\n");
}

TEST(judgement, stays_within_short_lists) {
  const judgement one = read_judgement(
      report(R"("output":[1.0],"expected":[2.0],"input_values":[3.0,4.0],"mismatch_count":1,"hidden_case":true,"size":2,
"first_differences":[{"index":0,"block":null,"output":1.0,"expected":2.0}],"input":{"source":"pattern","pattern":"negative"})",
             1),
      "");
  ASSERT_EQ(one.elements.size(), 1U);
  EXPECT_EQ(one.elements[0].input, "") << "the inputs are not the output's";
  EXPECT_EQ(verdict_text(one, {}).substr(0, verdict_text(one, {}).find('\n')),
            "WRONG with 64 lanes, right with 32: 1 element differs on 2 numbers (pattern negative)");
}

TEST(judgement, says_that_a_later_launch_is_wrong) {
  const judgement one = read_judgement(
      report(R"("mismatch_count":1,"hidden_case":true,"launches":2,"warp_size":32,"input":{"source":"random"})", 1),
      "");
  EXPECT_EQ(verdict_text(one, {}).substr(0, verdict_text(one, {}).find('\n')),
            "WRONG with 32 lanes: 1 element differs on 7 random numbers, at launch 2");
}

TEST(judgement, names_the_first_error) {
  const judgement one =
      read_judgement(report(R"("verdict":"broken_rule","findings_text":"two lanes\n","first_differences":[],"findings":[
{"kind":"leak","severity":"warning","suppressed_by":null,"on_purpose":false,"schedule_seed":3,"groups":[{"block":[1,2,0]}]},
{"kind":"crash","severity":"error","suppressed_by":null,"on_purpose":true},
{"kind":"data_race","severity":"error","suppressed_by":null,"on_purpose":false,"schedule_seed":7}])",
                            3),
                     "");
  EXPECT_EQ(one.outcome, "data_race");
  EXPECT_EQ(verdict_text(one, {}), "BROKEN RULE with 64 lanes: data race\ntwo lanes\n");
  EXPECT_EQ(one.trace_options, "--size 7 --block 9 --schedule-seed 3")
      << "the first finding's order, as a trace shows that one";
}

TEST(judgement, tells_a_success_with_its_costs) {
  const judgement one = read_judgement(
      report(
          R"("verdict":"passed","first_differences":[],"input_values":null,"passed_hidden":[{"warp_size":32,"count":70},
{"warp_size":64,"count":71}],"costs":{"kernels":[{"total":{"collectives":5,"barriers":0,"atomics":{"serial":0},"global":{"transactions":8},
"shared":{"passes":33,"fewest":32}},"lines":[]}]})",
          0),
      "");
  EXPECT_TRUE(one.passed());
  EXPECT_EQ(verdict_text(one, cost_totals{1, 8, 0, 0}),
            "RIGHT\nIt is right on 141 inputs that you have not seen, with 32 and with 64 lanes.\n"
            "It costs 5 collectives (the solution: 1), 8 memory transactions, 1 bank conflict (the solution: 0), no "
            "barrier.\n");
}

TEST(judgement, misses_a_goal_by_what_it_costs) {
  const judgement right{.outcome = "passed", .costs = cost_totals{5, 8, 2, 1}};
  const cost_totals solution{5, 8, 1, 0};
  const auto as_solution = [](std::size_t kind) { return cost_goal{&cost_kinds[kind], {}}; };
  const std::vector<cost_goal> conflicts{as_solution(3)}, collectives{as_solution(0), as_solution(2)};
  judgement one = right;
  apply_goals(one, solution, collectives);
  EXPECT_TRUE(one.passed());
  apply_goals(one, {}, conflicts);
  EXPECT_TRUE(one.passed());
  apply_goals(one, solution, conflicts);
  EXPECT_FALSE(one.passed());
  EXPECT_EQ(one.outcome, "cost");
  EXPECT_EQ(
      verdict_text(one, solution),
      "RIGHT, but too costly\n"
      "It costs 5 collectives, 8 memory transactions, 2 bank conflicts (the solution: 1), 1 barrier (the solution: "
      "0).\nThe goal is 1 bank conflict at most.\n");
  judgement few = right;
  apply_goals(few, {}, std::vector<cost_goal>{{&cost_kinds[0], 5}, {&cost_kinds[4], 1}});
  EXPECT_TRUE(few.passed());
  apply_goals(few, {}, std::vector<cost_goal>{{&cost_kinds[4], 0}});
  EXPECT_EQ(few.outcome, "cost");
  EXPECT_EQ(few.words, "The goal is no barrier.\n");
  judgement wrong{.outcome = "wrong_result", .code = 1, .costs = cost_totals{5, 8, 2, 1}};
  apply_goals(wrong, solution, conflicts);
  EXPECT_EQ(wrong.outcome, "wrong_result");
}

TEST(judgement, shows_what_the_compiler_says) {
  const judgement one = read_judgement(
      R"({"runs":[],"exit_code":5,"error":{"message":"mine.hip does not compile","advice":null,"exit_code":5}})",
      "mine.hip:4:3: error: no ;\nwarpz: mine.hip does not compile\n");
  EXPECT_EQ(one.outcome, "does_not_compile");
  EXPECT_EQ(one.words, "mine.hip:4:3: error: no ;\nwarpz: mine.hip does not compile\n");
}

TEST(judgement, survives_a_report_that_is_none) {
  for (const std::string_view text : {"", "{}", "[1,2", R"({"runs":[{}],"exit_code":0,"error":null})"}) {
    const judgement one = read_judgement(text, "killed\n");
    EXPECT_EQ(one.outcome, "error") << text;
    EXPECT_FALSE(one.passed());
    EXPECT_EQ(one.words, "killed\n");
  }
}

class screen : public testing::Test {
 protected:
  std::vector<std::string> lines(std::size_t rows, std::size_t columns) const {
    return watch_lines(all_, done_, state_, rows, columns);
  }

  const course all_;
  progress done_{"/nonexistent/progress"};
  watch_state state_{.current = &all_.lessons().front(), .limit = 5};
};

TEST_F(screen, shows_the_task_where_nothing_is_begun) {
  const auto shown = lines(24, 80);
  ASSERT_EQ(shown.size(), 24U);
  EXPECT_EQ(shown[0], "neighbor: Neighbor difference                                       0 of " +
                          std::to_string(puzzles().size()) + " done");
  EXPECT_EQ(shown[3], "Not attempted: neighbor.hip is as it was given. Edit and save it.");
  EXPECT_EQ(shown.back(), "h hint  k task  t trace  p page  a all  n next  q quit");
  for (const std::string& each : shown) EXPECT_LE(columns_of(each), 80U);
}

TEST_F(screen, fits_whatever_there_is) {
  state_.is_begun = true;
  state_.last = judgement{.outcome = "data_race", .code = 3, .words = std::string(4000, 'x') + "\n  " + [] {
                            std::string words;
                            for (int i = 0; i < 500; ++i) words += "word ";
                            return words;
                          }() + "\n"};
  for (const std::size_t rows : {1, 2, 3, 5, 10, 24, 60}) {
    EXPECT_EQ(lines(rows, 40).size(), rows);
  }
  state_.file = "course/neighbor.hip";
  const auto shown = lines(24, 40);
  EXPECT_EQ(shown[3], "BROKEN RULE with 0 lanes: data race");
  EXPECT_NE(shown[21].find("more lines: warpz course/neighbor.hip)"), std::string::npos) << shown[21];
}

TEST_F(screen, cuts_a_quoted_line_off) {
  state_.is_begun = true;
  state_.last = judgement{
      .outcome = "data_race", .code = 3, .words = "      4 |  output[i] = next_val - current_val;\n        |  ^~~~\n"};
  EXPECT_EQ(lines(24, 30)[5], "      4 |  output[i] = next_va");
  EXPECT_EQ(lines(24, 30)[6], "        |  ^~~~");
}

TEST_F(screen, says_of_a_page_only_that_it_goes_on) {
  state_.page = "1\n2\n3\n4\n5\n";
  state_.note = "all of it: tasks/neighbor.txt";
  EXPECT_EQ(lines(8, 80)[5], "(3 more lines)");
  EXPECT_EQ(lines(8, 80)[6], "all of it: tasks/neighbor.txt");
}

TEST_F(screen, says_after_two_seconds_that_a_kernel_is_still_running) {
  state_.is_begun = true;
  state_.running = 0.5;
  EXPECT_EQ(lines(24, 80)[3], "judging ...");
  state_.running = 3.2;
  EXPECT_EQ(lines(24, 80)[3], "judging ... 3 s");
  state_.running_text = running_text("note\nstill running: 2 s\nstill running: line 8, 3 s. It is stopped after 5 s\n");
  EXPECT_EQ(lines(24, 80)[3], "still running: line 8, 3 s. It is stopped after 5 s. Does a loop not end?");
}

TEST(progress_of_another_warpz, is_no_part_of_what_it_says) {
  EXPECT_EQ(running_text("note: line 7\n"), "");
  EXPECT_EQ(without_progress("note\nstill running: line 8, 3 s\nend"), "note\nend");
}

}  // namespace
