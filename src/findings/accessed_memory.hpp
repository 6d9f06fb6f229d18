// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory and which line of the source a finding is about: from numbers of arguments, offsets and addresses to the
// names that the kernel's author gave.
#pragma once

#include <optional>
#include <string_view>

#include "findings/outcome.hpp"
#include "findings/symbols.hpp"
#include "puzzle/puzzle.hpp"

namespace warpz {

/// Fills the group's place by the address of its access, if it has one: the innermost line outside of the device
/// library, which the kernel calls.
void find_place(warpz_lane_group& group, const code_location& code);

/// The memory of a finding about an access; nothing where it is about none or nothing is known of it. `what` names a
/// kernel's arguments; null: nobody does.
std::optional<named_memory> memory_of(const warpz_finding& of, const puzzle* what, const code_location& code);

/// A finding with all that can be known of it.
symbolized_finding symbolize(const warpz_finding& record, const code_location& code, const puzzle* what);

/// The variable in a module's file that lies there, or else the nearest one; an empty name where there is none.
struct named_variable {
  std::string name;
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};
named_variable variable_at(std::string_view module, std::uint64_t offset, bool thread_local_one);

/// Name and type of the kernel's argument `number` in a list like "float* output, const float* input, int size".
struct named_argument {
  std::string name;
  unsigned element_bytes = 1;
  bool floats = false;  ///< of 32 bits
};
named_argument argument_at(std::string_view takes, unsigned number);

}  // namespace warpz
