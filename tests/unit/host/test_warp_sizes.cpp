// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel with both warp sizes.
#include "run/experiments/warp_sizes.hpp"

#include "report/details.hpp"
#include "report_support.hpp"

namespace {

using namespace report_support;

TEST(warp_sizes, right_with_one_and_wrong_with_the_other) {
  const std::vector<float> few{1, 2}, output{1, 5, 3}, expected{1, 4, 3};
  for (const bool swapped : {false, true}) {
    puzzle_outcome right = passed(neighbor, swapped ? 64 : 32, few),
                   bad = wrong(neighbor, swapped ? 32 : 64, output, expected);
    compare_warp_sizes(swapped ? bad : right, swapped ? right : bad, {}, nullptr);
    EXPECT_EQ(right.result, verdict::passed);
    EXPECT_TRUE(right.findings.empty());
    EXPECT_EQ(bad.result, verdict::broken_rule);
    ASSERT_EQ(bad.findings.size(), 1u);
    EXPECT_EQ(bad.findings[0].record.kind, WARPZ_WARP_SIZE_DEPENDENCE);
  }
}

TEST(warp_sizes, the_finding_tells_both_outputs) {
  const std::vector<float> few{1, 2}, output{1, 5, 3}, expected{1, 4, 3};
  puzzle_outcome right = passed(neighbor, 32, few), bad = wrong(neighbor, 64, output, expected);
  bad.kernel = "mine";
  compare_warp_sizes(right, bad, {}, nullptr);
  EXPECT_EQ(details_text(bad),
            "right with 32 lanes in a warp, and wrong with 64\n"
            "  in kernel mine\n"
            "  with 32 lanes: passed\n"
            "  with 64 lanes: 1 of 3 elements differs\n"
            "  output[1]: 5.0 instead of 4.0 with 64 lanes, 2.0 with 32 lanes\n"
            "  Use warpSize instead of a fixed size: in loops over offsets, widths, masks and lane numbers.\n");
  puzzle_outcome shorter = passed(neighbor, 32, {}), again = wrong(neighbor, 64, output, expected);
  compare_warp_sizes(shorter, again, {}, nullptr);
  EXPECT_NE(details_text(again).find("5.0 instead of 4.0 with 64 lanes, not there with 32 lanes\n"), std::string::npos);
}

TEST(warp_sizes, both_right_and_both_wrong_are_no_dependence) {
  const std::vector<float> output{1}, expected{2};
  puzzle_outcome a = passed(neighbor, 32, expected), b = passed(neighbor, 64, expected);
  compare_warp_sizes(a, b, {}, nullptr);
  EXPECT_EQ(b.result, verdict::passed);
  EXPECT_TRUE(a.findings.empty() && b.findings.empty());
  puzzle_outcome c = wrong(neighbor, 32, output, expected), d = broken(neighbor, 64, 64, diverged());
  compare_warp_sizes(c, d, {}, nullptr);
  EXPECT_EQ(c.result, verdict::wrong_result);
  EXPECT_EQ(c.findings.size() + d.findings.size(), 1u);
}

TEST(warp_sizes, a_broken_rule_with_one_of_them_is_a_dependence_too) {
  const std::vector<float> list{1};
  puzzle_outcome right = passed(neighbor, 32, list), bad = broken(neighbor, 64, 64, diverged());
  compare_warp_sizes(right, bad, {}, nullptr);
  ASSERT_EQ(bad.findings.size(), 2u);
  EXPECT_NE(details_text(bad).find("also: right with 32 lanes in a warp, and a broken rule with 64\n"),
            std::string::npos);
}

}  // namespace
