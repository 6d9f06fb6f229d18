// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A longer time limit than the default: on a busy host a kernel that waits for other blocks may have no core for
// seconds.
#include <gtest/gtest.h>

#include "simt/machine/machine.hpp"

namespace {

class longer_timeout : public testing::Environment {
 public:
  void SetUp() override { simt::current_settings().timeout_seconds = 120; }
};

const testing::Environment* const registered = testing::AddGlobalTestEnvironment(new longer_timeout);

}  // namespace
