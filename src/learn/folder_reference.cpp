// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/folder_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "compile/kernel_cache.hpp"
#include "compile/kernel_file.hpp"
#include "error.hpp"
#include "findings/kinds.hpp"
#include "input/input.hpp"
#include "learn/python_function.hpp"
#include "learn/refused_file.hpp"
#include "puzzle/comparison.hpp"
#include "run/backend.hpp"
#include "system/file_content.hpp"
#include "system/private_folder.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// From start to end. A reference in Python has a limit of its processor time, too.
constexpr double reference_seconds = 60;

std::vector<float> list_in(const std::string& file) {
  if (!os::content_of(file)) refuse_file(file, "it cannot be read");
  return read_input(file);
}

/// One list for both warp sizes, or a second one for 64 lanes.
void add_lists(puzzle& task, const std::string& file) {
  const std::string wide_file = task.folder + "/reference-64.txt";
  std::error_code failed;
  std::vector<float> list = list_in(file);
  std::vector<float> wide = fs::exists(wide_file, failed) ? list_in(wide_file) : list;
  task.has_one_input = true;
  if (task.documented_size == 0) task.documented_size = list.size();
  task.reference = [file, list = std::move(list), wide = std::move(wide)](
                       std::span<const float>, std::span<float> expected, const parameters& values) {
    const std::vector<float>& right = values.warp_size == 64 ? wide : list;
    if (right.size() != expected.size())
      refuse_file(file,
                  fmt::format("it has {} numbers, and the output has {} elements", right.size(), expected.size()));
    std::copy(right.begin(), right.end(), expected.begin());
  };
}

/// A kernel that is launched as the puzzle's is.
class reference_kernel {
 public:
  reference_kernel(std::string file, std::string flag) : file_(std::move(file)), flag_(std::move(flag)) {}

  void run(std::span<const float> x, std::span<float> expected, const parameters& values) {
    const puzzle& task = *find_puzzle(flag_);
    if (!code_) code_.emplace(compiled(task));
    device_request wanted{backend_choice::cpu, code_->file(false), values.warp_size, {}, file_};
    wanted.confined = true;
    const chosen_device on = choose_device(wanted);
    const plan launched = plan_of(task, x.size(), values);
    std::vector<std::uint64_t> bytes{expected.size_bytes()};
    for (const std::size_t elements : launched.inputs) bytes.push_back(elements * sizeof(float));
    on.kernels->allocate(bytes);
    kernel_run launch;
    launch.kernel = code_->kernels().front();
    launch.device = on.number;
    std::copy(launched.grid.begin(), launched.grid.end(), launch.grid);
    std::copy(launched.block.begin(), launched.block.end(), launch.block);
    launch.arguments = {kernel_argument::output(0)};
    for (std::size_t i = 0; i < launched.inputs.size(); ++i) {
      const std::span<const float> part = x.first(launched.inputs[i]);
      std::copy(part.begin(), part.end(), as_floats(on.kernels->buffer(i + 1)).begin());
      launch.arguments.push_back(kernel_argument::input(i + 1));
      x = x.subspan(part.size());
    }
    for (const std::int32_t count : launched.counts) launch.arguments.push_back(kernel_argument::of_scalar(count));
    if (task.documented_pivot) launch.arguments.push_back(kernel_argument::of_scalar(values.pivot));
    // What lies far from its buffers may be the machine's own memory.
    launch.settings.check = WARPZ_CHECK_ALL;
    launch.settings.time_limit_seconds = reference_seconds;
    launch.quiet = true;
    const std::span<float> output = as_floats(on.kernels->buffer(0));
    fill_never_written(output);
    check(on.kernels->run(launch), output);
    std::copy(output.begin(), output.end(), expected.begin());
  }

 private:
  user_module compiled(const puzzle& task) const {
    compile_request request;
    request.file = file_;
    request.puzzles = {&task};
    request.instrumented = true;
    const std::string folder = default_cache_folder();
    const bool is_private = os::open_private_folder(folder).refusal.empty() &&
                            os::open_private_folder(compiler_cache_folder(folder)).refusal.empty();
    if (is_private) request.cache_folder = folder;
    std::string messages;
    request.settings.tell = [&messages](std::string_view text) { messages += text; };
    try {
      return compile_kernel(request);
    } catch (const error& problem) {
      if (problem.code() != exit_code::does_not_compile) throw;
      refuse_file(file_, fmt::format("the reference does not compile\n{}", messages));
    }
  }

  void check(const kernel_result& ran, std::span<const float> output) const {
    for (const warpz_finding& each : ran.findings) {
      if (each.severity != WARPZ_WARNING)
        refuse_file(file_, fmt::format("the reference breaks a rule itself: {}", kind_of(each.kind).noun),
                    fmt::format("Run it by itself: --{} --kernel {}", flag_, shell_word(file_)));
    }
    const auto unset = std::find_if(output.begin(), output.end(), never_written);
    if (unset != output.end())
      refuse_file(file_, fmt::format("the reference does not write element {} of the output", unset - output.begin()));
  }

  const std::string file_, flag_;
  std::optional<user_module> code_;
};

}  // namespace

void add_reference(puzzle& task) {
  constexpr std::array<const char*, 3> names{"reference.py", "reference.hip", "reference.txt"};
  std::vector<std::string> found;
  for (const char* const each : names) {
    std::error_code failed;
    if (std::string file = fmt::format("{}/{}", task.folder, each); fs::exists(file, failed))
      found.push_back(std::move(file));
  }
  if (found.empty()) {
    refuse_file(task.folder, "nothing says what is right",
                "reference.py has a Python function, reference.hip a plain kernel, reference.txt a list of numbers.");
  }
  if (found.size() > 1)
    refuse_file(found[1], fmt::format("there is {}, too: keep one of the two", printable(found[0])));
  const std::string& file = found.front();
  if (file.ends_with(".txt")) return add_lists(task, file);
  if (file.ends_with(".py")) {
    const auto function = std::make_shared<python_function>(file, reference_seconds);
    task.reference = [function, flag = task.flag](std::span<const float> x, std::span<float> expected,
                                                  const parameters& values) {
      const puzzle& own = *find_puzzle(flag);
      python_call call{plan_of(own, x.size(), values).inputs, values.warp_size, {}};
      if (own.documented_pivot) call.pivot = values.pivot;
      function->call(call, x, expected);
    };
    return;
  }
  const auto kernel = std::make_shared<reference_kernel>(file, task.flag);
  task.reference = [kernel](std::span<const float> x, std::span<float> expected, const parameters& values) {
    kernel->run(x, expected, values);
  };
}

}  // namespace warpz
