// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The course that the puzzles' READMEs make up, and what of it a terminal shows.
#include "learn/course.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "findings/kinds.hpp"
#include "learn/hints.hpp"
#include "learn/markdown.hpp"
#include "learn/progress.hpp"
#include "learn/working_copy.hpp"
#include "text/wrapped.hpp"

namespace {

using namespace warpz;

const puzzle task = {.number = 1, .flag = "sample", .title = "", .kernel = "", .summary = ""};

constexpr std::string_view readme = R"(# A sample (`--sample`)

Chapter: block. Difficulty: hard. Goal: no more bank conflicts or barriers than the solution. Read: [`warpz::barrier`](../../docs/reference.md#warpzbarrier).

What it *is* about.

    code[i]

    more

<details data-for="data_race crash"><summary>Hint: a barrier</summary>

Between the two.
</details>

<details><summary>Picture: what it does</summary>

![lanes](lanes.svg)
</details>

<details><summary>Hint: the end</summary>

There is one.
</details>

## Speed
)";

std::string replaced(std::string text, std::string_view from, std::string_view by) {
  return text.replace(text.find(from), from.size(), by);
}

std::string goals_of(const lesson& one) {
  std::string text;
  for (const cost_goal& each : one.goals)
    text += std::string(each.kind->name) + ": " + (each.most ? std::to_string(*each.most) : "solution") + ", ";
  return text;
}

TEST(course, has_goals_with_numbers) {
  const auto goals = [](std::string_view words) {
    return goals_of(read_lesson(
        task, replaced(std::string(readme), "no more bank conflicts or barriers than the solution", words)));
  };
  EXPECT_EQ(goals("no bank conflict"), "bank conflicts: 0, ");
  EXPECT_EQ(goals("at most 5 shuffles"), "shuffles: 5, ");
  EXPECT_EQ(goals("at most 1 barrier and no more transactions than the solution"),
            "barriers: 1, transactions: solution, ");
  for (const char* const wrong : {"few barriers", "at most barriers", "at most x barriers", "at most 5", "no smoke",
                                  "no more barriers", "at most 99999999999999999999 barriers"})
    EXPECT_THROW(goals(wrong), std::invalid_argument) << wrong;
}

TEST(course, is_read_from_a_readme) {
  const lesson one = read_lesson(task, readme);
  EXPECT_EQ(one.title, "A sample");
  EXPECT_EQ(one.chapter, "block");
  EXPECT_EQ(one.difficulty, "hard");
  EXPECT_EQ(one.goal, "no more bank conflicts or barriers than the solution");
  EXPECT_EQ(goals_of(one), "bank conflicts: solution, barriers: solution, ");
  EXPECT_EQ(one.reading, "warpz::barrier");
  EXPECT_EQ(one.text, "What it *is* about.\n\n    code[i]\n\n    more");
  ASSERT_EQ(one.hints.size(), 2U);
  EXPECT_EQ(one.hints[0].title, "a barrier");
  EXPECT_EQ(one.hints[0].text, "Between the two.");
  EXPECT_EQ(one.hints[0].cases, (std::vector<std::string>{"data_race", "crash"}));
  EXPECT_EQ(one.hints[1].title, "the end");
  EXPECT_EQ(one.hints[1].cases, std::vector<std::string>{});
}

TEST(course, refuses_a_readme_of_another_form) {
  EXPECT_THROW(read_lesson(task, ""), std::invalid_argument);
  EXPECT_THROW(read_lesson(task, replaced(std::string(readme), "Chapter: block", "Chapter: blocks")),
               std::invalid_argument);
  EXPECT_THROW(read_lesson(task, replaced(std::string(readme), "hard", "very hard")), std::invalid_argument);
  EXPECT_THROW(read_lesson(task, replaced(std::string(readme), "bank", "bunk")), std::invalid_argument);
  EXPECT_THROW(read_lesson(task, replaced(std::string(readme), "\n\nChapter", "\nChapter")), std::invalid_argument);
}

TEST(course, has_all_puzzles_once_by_chapter_the_easy_ones_first) {
  const course all;
  std::set<const puzzle*> seen;
  for (const lesson& each : all.lessons()) {
    seen.insert(each.task);
    EXPECT_EQ(&all.lesson_of(*each.task), &each);
    EXPECT_FALSE(each.reading.empty()) << each.task->flag;
    EXPECT_GE(each.hints.size(), 2U) << each.task->flag;
  }
  EXPECT_EQ(seen.size(), puzzles().size());
  EXPECT_EQ(all.lessons().size(), puzzles().size());
  EXPECT_EQ(all.lessons().front().task->flag, "neighbor");
  EXPECT_EQ(all.lessons().back().chapter, "whole arrays");
  const auto easy_again = [](const lesson& a, const lesson& b) {
    return a.chapter == b.chapter && a.difficulty != "easy" && b.difficulty == "easy";
  };
  const auto& lessons = all.lessons();
  EXPECT_EQ(std::adjacent_find(lessons.begin(), lessons.end(), easy_again), lessons.end());
}

// A misspelled kind would never choose its hint.
TEST(course, names_kinds_that_exist_in_its_hints) {
  const course all;
  for (const lesson& one : all.lessons()) {
    for (const hint& each : one.hints) {
      for (const std::string& kind : each.cases) {
        EXPECT_TRUE(kind == "hidden_case" || kind == outcome_cost || kind_named(kind) != nullptr)
            << one.task->flag << ": " << kind;
      }
    }
  }
}

TEST(course, gives_the_hint_that_the_last_outcome_asks_for) {
  const lesson one = read_lesson(task, replaced(std::string(readme), "<details><summary>Hint: the end",
                                                "<details data-for=\"hidden_case\"><summary>Hint: the end"));
  puzzle_progress done;
  EXPECT_EQ(next_hint(one, done), 0U);
  done.last = "hidden_case";
  EXPECT_EQ(next_hint(one, done), 1U);
  done.hints = {1};
  EXPECT_EQ(next_hint(one, done), 0U);
  done.hints = {0, 1};
  EXPECT_EQ(next_hint(one, done), std::nullopt);
  EXPECT_EQ(hint_text(one, 1, 2, 80), "Hint 2 of 2: the end\n\nThere is one.\n");
}

TEST(course, shows_a_task_in_as_many_lines_as_there_are) {
  const course all;
  for (const lesson& each : all.lessons()) {
    const std::vector<std::string> lines = task_lines(all, each, 12, 80);
    EXPECT_LE(lines.size(), 12U);
    EXPECT_GE(lines.size(), 3U) << each.task->flag << ": not even its first paragraph";
    for (const std::string& line : lines) EXPECT_LE(columns_of(line), 80U) << line;
  }
}

TEST(markdown, breaks_paragraphs_and_keeps_code) {
  EXPECT_EQ(terminal_text(
                "one two *three*\nfour [five](x#y) `a * b`\n\n```\na  b\n\nc\n```\n\n- item one two three\n- b\n", 14),
            "one two three\nfour five `a *\nb`\n\na  b\n\nc\n\n- item one two\n  three\n- b\n");
  EXPECT_EQ(terminal_text("text\n\n    a * b\n\n    c\n", 9), "text\n\n    a * b\n\n    c\n");
  EXPECT_EQ(terminal_text("averyverylongword x", 5), "averyverylongword\nx\n");
  EXPECT_EQ(terminal_text("    aa bb cc\n", 10), "    aa bb\n        cc\n");
  EXPECT_EQ(terminal_text("    a→   if it is so and so\n", 20), "    a→\n        if it is so\n        and so\n");
}

}  // namespace
