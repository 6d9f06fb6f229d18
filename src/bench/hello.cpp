// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What any program costs that parses a command line with CLI11 and prints with fmt: the yardstick for warpz's start.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <string>

int main(int argc, char** argv) {
  CLI::App app{"Greets somebody"};
  std::string name = "world";
  app.add_option("--name", name, "whom to greet");
  CLI11_PARSE(app, argc, argv);
  fmt::print("Hello, {}!\n", name);
}
