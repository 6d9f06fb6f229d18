// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which constants that the host and the device know by one name are told, out of the plugin's list.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>
#include <vector>

#include "findings/side_values.hpp"

namespace {

std::string row(std::string_view side, std::string_view name, int value, unsigned line, std::string_view how = "",
                std::string_view source = "a.hip") {
  return fmt::format("{0}\t.\t{1}\t{2}\t{3}\t{0}\t.\t{4}\t{5}\n", source, side, name, value, line, how);
}

struct told {
  bool is_error;
  std::string message;
  unsigned host, device;
  bool operator==(const told&) const = default;
};

std::vector<told> told_of(const std::string& list, unsigned warp_size = 64) {
  std::vector<told> all;
  for (const warpz::symbolized_finding& each : warpz::disagreements_in(list, warp_size)) {
    all.push_back(
        {each.record.severity != WARPZ_WARNING, each.record.message, each.related.at(0).line, each.related.at(1).line});
  }
  return all;
}

std::ostream& operator<<(std::ostream& out, const told& one) {
  return out << one.is_error << ' ' << one.message << ' ' << one.host << ' ' << one.device;
}

const std::string on_device = row("device", "W", 64, 3);

TEST(SideValues, ASizeByAnotherWarpSizeIsAnError) {
  EXPECT_EQ(told_of(row("host", "W", 32, 8) + row("host", "W", 32, 9, "size") + on_device),
            (std::vector<told>{{true, "W is 32 for the host and 64 for the device", 9, 3}}));
}

TEST(SideValues, AnotherUseIsAWarning) {
  EXPECT_EQ(told_of(row("host", "W", 32, 8) + on_device),
            (std::vector<told>{{false, "W is 32 for the host and 64 for the device", 8, 3}}));
}

TEST(SideValues, OneNameOfASourceIsEnough) {
  const std::string rows = row("host", "ROWS", 8, 7, "size") + row("device", "ROWS", 4, 2);
  EXPECT_EQ(told_of(rows), (std::vector<told>{{true, "ROWS is 8 for the host and 4 for the device", 7, 2}}));
  EXPECT_EQ(told_of(rows + row("host", "W", 32, 9, "size") + on_device),
            (std::vector<told>{{true, "W is 32 for the host and 64 for the device", 9, 3}}));
}

TEST(SideValues, WhatIsNoDisagreementOfWarpSizes) {
  EXPECT_EQ(told_of(row("host", "W", 64, 9, "size") + on_device), std::vector<told>());
  EXPECT_EQ(told_of(row("host", "W", 32, 9, "size")), std::vector<told>());
  EXPECT_EQ(told_of(on_device), std::vector<told>());
  EXPECT_EQ(told_of(row("host", "ROWS", 8, 7) + row("device", "ROWS", 4, 2)), std::vector<told>());
  EXPECT_EQ(told_of(row("host", "VERSION", 3, 7, "size") + row("device", "VERSION", 4, 2)), std::vector<told>());
  // Each source has names of its own.
  EXPECT_EQ(told_of(row("host", "W", 32, 9, "size", "b.hip") + on_device), std::vector<told>());
}

TEST(SideValues, AHostOf32BesideWarpSizeIsAWarningWith64Lanes) {
  const std::string reads = row("device", "warpSize", 0, 4);
  const std::string list = row("host", "kWarpSize", 32, 9, "size") + reads;
  EXPECT_EQ(told_of(list),
            (std::vector<told>{{false, "the host takes a warp for 32 lanes, and the device asks warpSize", 9, 4}}));
  EXPECT_EQ(told_of(list, 32), std::vector<told>());
  EXPECT_EQ(told_of(row("host", "TILE", 32, 9, "size") + reads), std::vector<told>());
  EXPECT_EQ(told_of(row("host", "kWarpSize", 32, 9) + reads), std::vector<told>());
  EXPECT_EQ(told_of(list + row("device", "kWarpSize", 32, 5)), std::vector<told>());
}

}  // namespace
