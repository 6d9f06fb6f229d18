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

/// The variable in a module's file that lies there, or else the nearest one; an empty name where there is none.
struct named_variable {
  std::string name;
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  unsigned element_bytes = 0;  ///< it is an array of such elements; 0: it is none, or they are unknown
};
named_variable variable_at(std::string_view module, std::uint64_t offset, bool thread_local_one);

/// The size of the elements that an access counts in, by the type that the memory's elements are declared with (0:
/// unknown): the access, of so many bytes at an offset within the memory, may be of a part of one, of several that are
/// a vector, or of any number that are copied or cleared.
unsigned accessed_element_bytes(unsigned declared, unsigned access, std::int64_t offset, std::uint64_t bytes);

/// The name of the kernel's argument `number` in a signature; empty if it has none.
std::string argument_name(std::string_view signature, unsigned number);

}  // namespace warpz
