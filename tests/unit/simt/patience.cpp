// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More time for kernels than a user would give them: on a machine that is busy with other things a test's kernel that
// waits for other blocks can be without a core for seconds.
#include <gtest/gtest.h>

#include "simt/machine/machine.hpp"

namespace {

class patience : public testing::Environment {
 public:
  void SetUp() override { simt::current_settings().timeout_seconds = 120; }
};

const testing::Environment* const registered = testing::AddGlobalTestEnvironment(new patience);

}  // namespace
