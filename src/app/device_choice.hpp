// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices that the options choose, for built-in kernels and for the user's.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "compile/kernel_file.hpp"
#include "report/output_stream.hpp"
#include "run/backend.hpp"

namespace warpz {

/// The device that the options choose, with this warp size if there is one.
device_request device_request_of(const options& command, std::optional<unsigned> warp_size);

/// The same command on the CPU machine alone, with as many lanes in a warp as the device has.
options on_cpu_machine(const options& command, const chosen_device& device);

/// A run for each of these: one with 32 lanes and one with 64, or one as the options or the device have it.
std::vector<std::optional<unsigned>> warp_sizes_of(const options& command);

/// One device for each warp size. With `is_reported`, says which was chosen where the options leave it open, or name
/// several.
std::vector<chosen_device> choose_devices(const options& command, bool is_reported, output_stream& err);

/// Compiles the user's kernel for the chosen devices, and brings them up with it.
user_module compile_for(std::vector<chosen_device>& devices, const options& command, output_stream& err);

/// For the hidden cases: a device for each warp size that the user's kernel is for. `first` is that of the run itself.
std::vector<device_request> hidden_devices(const chosen_device& first, const options& command,
                                           const user_module& user_kernels);

}  // namespace warpz
