// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory and which line of the source a finding is about: from numbers of arguments, offsets and addresses to the
// names that the kernel's author gave.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "abi/module.h"
#include "findings/outcome.hpp"
#include "findings/symbols.hpp"

namespace warpz {

/// The group's place. Where the group has the address of an access, fills it in: the innermost line outside of the
/// device library, which the kernel calls.
source_line find_place(warpz_lane_group& group, const code_location& code);

/// The arguments of the kernel that findings are about.
struct kernel_arguments {
  std::string signature;                         ///< "float* output, const float* input, int size"; empty: unknown
  std::span<const warpz_element> elements = {};  ///< one for each
};

/// The memory of a finding about an access; nothing if it is about none, or nothing is known of it.
std::optional<named_memory> memory_of(const warpz_finding& finding, const kernel_arguments& arguments,
                                      const code_location& code);

/// Adds all that can be known of a finding.
void symbolize(symbolized_finding& found, const code_location& code, const kernel_arguments& arguments);

/// The name of the kernel's argument `number` in a signature; empty if it has none.
std::string argument_name(std::string_view signature, unsigned number);

}  // namespace warpz
