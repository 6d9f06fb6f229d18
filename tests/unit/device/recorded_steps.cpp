// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With WARPZ_TEST_STEPS in the environment, the CPU machine takes each step of a sum, an extreme or a scan as a shuffle
// of its own, as it does for traces and counters.
#include <gtest/gtest.h>

#include <cstdlib>

#include "simt/machine/machine.hpp"

namespace recorded_steps {

class environment final : public testing::Environment {
 public:
  void SetUp() override {
    // Nobody counts here, so nothing is written to it.
    static int costs;
    if (std::getenv("WARPZ_TEST_STEPS") != nullptr) simt::current_settings().costs = &costs;
  }
};

const testing::Environment* const registered = testing::AddGlobalTestEnvironment(new environment);

}  // namespace recorded_steps
