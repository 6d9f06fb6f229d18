// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "puzzle/comparison.hpp"
#include "puzzle/memory_limit.hpp"
#include "puzzle/random.hpp"
#include "run/symbols.hpp"

namespace warpz {
namespace {

std::span<float> as_floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

void fill_never_written(std::span<float> output) {
  std::fill(output.begin(), output.end(), std::bit_cast<float>(never_written_bits));
}

/// Below the kernel itself there are only the frames that launched it.
void end_with_kernel(std::vector<source_line>& stack, std::string_view kernel) {
  const auto is_kernel = [kernel](const source_line& line) {
    const std::string_view name = line.function;
    return name.substr(0, name.find('(')) == kernel;
  };
  const auto outermost = std::find_if(stack.rbegin(), stack.rend(), is_kernel);
  if (outermost != stack.rend()) stack.erase(outermost.base(), stack.end());
}

std::size_t size_of(const puzzle& what, const run_request& how, unsigned warp_size) {
  if (how.given != nullptr) {
    if (how.size && *how.size > how.given->size()) {
      throw error(exit_code::bad_input,
                  fmt::format("--size {}: {} has only {} numbers", *how.size, how.input.detail, how.given->size()));
    }
    return how.size.value_or(how.given->size());
  }
  const std::size_t size = how.size.value_or(what.size_for(warp_size));
  check_elements(size, fmt::format("--size {}", size));
  return size;
}

}  // namespace

runner::runner(session& of, std::uint32_t device)
    : session_(of), device_index_(device), device_(of.devices()[device]) {}

outcome runner::run(const puzzle& what, run_request how) {
  outcome result;
  result.of = &what;
  result.backend = session_.vendor();
  result.device = device_.name;
  result.warp_size = device_.warp_size;
  result.input = how.input;
  result.size = size_of(what, how, device_.warp_size);
  const bool documented_data = how.input.from == input_source::kind::documented;
  parameters with{device_.warp_size, 0};
  if (what.documented_pivot) {
    with.pivot = how.pivot.value_or(*what.documented_pivot);
    result.pivot = with.pivot;
  }
  result.documented = documented_data && !how.size && (!result.pivot || *result.pivot == *what.documented_pivot);

  const std::uint64_t bytes[] = {result.size * sizeof(float), result.size * sizeof(float)};
  session_.allocate(bytes);
  const std::span<float> output = as_floats(session_.buffer(0));
  const std::span<float> input = as_floats(session_.buffer(1));
  switch (how.input.from) {
    case input_source::kind::documented:
      what.documented_input(input, device_.warp_size);
      break;
    case input_source::kind::random:
      fill_random(input, how.seed);
      break;
    case input_source::kind::file:
      std::copy_n(how.given->begin(), input.size(), input.begin());
      break;
  }
  how.given.reset();
  // Before the kernel runs: it could change what it only should read.
  expected_.resize(result.size);
  what.reference(input, expected_, with);
  fill_never_written(output);

  kernel_run kernel;
  kernel.kernel = what.kernel;
  kernel.device = device_index_;
  kernel.block[0] = device_.warp_size;
  const std::size_t blocks = (result.size + device_.warp_size - 1) / device_.warp_size;
  kernel.grid[0] = static_cast<std::uint32_t>(documented_data && !how.size ? what.documented_blocks : blocks);
  kernel.arguments = {kernel_argument::output(0), kernel_argument::input(1),
                      kernel_argument::of_scalar(static_cast<std::int32_t>(result.size))};
  if (result.pivot) kernel.arguments.push_back(kernel_argument::of_scalar(with.pivot));
  kernel.timeout_seconds = how.timeout_seconds;
  const kernel_result ran = session_.run(kernel);

  result.expected = expected_;
  if (!ran.findings.empty()) {
    result.result = verdict::broken_rule;
    const code_location code{session_.module_file(), session_.module_base()};
    for (const warpz_finding& record : ran.findings) {
      const std::size_t frames = std::min<std::size_t>(record.frame_count, WARPZ_FINDING_FRAMES);
      result.findings.push_back({record, resolve_stack({record.frames, frames}, code)});
      end_with_kernel(result.findings.back().stack, what.kernel);
    }
    return result;
  }
  result.output = output;
  result.milliseconds = ran.milliseconds.empty() ? 0 : static_cast<double>(ran.milliseconds.front());
  comparison compared = compare(what, input, output, expected_, with);
  result.mismatch_count = compared.mismatch_count;
  result.first_mismatches = std::move(compared.first);
  if (result.mismatch_count != 0) result.result = verdict::wrong_result;
  return result;
}

}  // namespace warpz
