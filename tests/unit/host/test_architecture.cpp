// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "abi/architecture.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace {

using warpz::architecture_of;

void expect_amd(std::string_view name, unsigned major, unsigned minor, unsigned step, unsigned lanes) {
  const auto found = architecture_of(name);
  ASSERT_TRUE(found) << name;
  EXPECT_FALSE(found->is_nvidia);
  EXPECT_EQ(found->major, major) << name;
  EXPECT_EQ(found->minor, minor) << name;
  EXPECT_EQ(found->step, step) << name;
  EXPECT_EQ(found->lanes, lanes) << name;
}

TEST(architecture, amd_s_names) {
  expect_amd("gfx906", 9, 0, 6, 64);
  expect_amd("gfx90a", 9, 0, 10, 64);
  expect_amd("gfx942", 9, 4, 2, 64);
  expect_amd("gfx1030", 10, 3, 0, 32);
  expect_amd("gfx1250", 12, 5, 0, 32);
}

TEST(architecture, nvidia_s_names) {
  const auto ampere = architecture_of("sm_86"), blackwell = architecture_of("sm_100");
  ASSERT_TRUE(ampere && blackwell);
  EXPECT_TRUE(ampere->is_nvidia);
  EXPECT_EQ(ampere->major, 8U);
  EXPECT_EQ(ampere->minor, 6U);
  EXPECT_EQ(blackwell->major, 10U);
  EXPECT_EQ(blackwell->minor, 0U);
}

TEST(architecture, what_is_no_name) {
  for (const std::string_view name :
       {"", "gfx", "gfx9", "gfx90", "gfx12345", "gfx90z", "sm_", "sm_8", "sm_1000", "avx512"}) {
    EXPECT_FALSE(architecture_of(name)) << name;
  }
}

TEST(architecture, the_default_has_the_lanes_that_are_asked_for) {
  for (const unsigned lanes : {32U, 64U}) EXPECT_EQ(architecture_of(warpz::default_architecture(lanes))->lanes, lanes);
}

}  // namespace
