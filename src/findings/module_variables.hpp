// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of a module and their members: what lies where in shared memory and in the device's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/module.h"
#include "findings/outcome.hpp"

namespace warpz {

class module_variables {
 public:
  /// Of the module with this content. Does not refer to it later.
  explicit module_variables(std::string_view module);

  /// The memory of a finding about one of the variables; nothing if it is beside all of them, unless the finding is
  /// that: then the nearest one.
  std::optional<named_memory> memory_of(const warpz_finding& finding) const;

 private:
  /// A variable or a member of one; sizes and places are in bytes.
  struct part {
    std::string name;
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    unsigned element_bytes = 0;  ///< 0: unknown
    bool is_array = true;
    std::vector<std::uint64_t> inner_extents = {};
  };
  struct variable {
    part whole;
    std::vector<part> members = {};  ///< an outer one comes before its own
  };
  using variable_list = std::vector<variable>;  ///< by their begins

  const variable* nearest(bool is_shared, std::uint64_t offset) const;
  static const part& accessed_part(const variable& one, std::uint64_t offset, std::uint64_t bytes);

  variable_list shared_, global_;
};

/// Fills in which element an access is of, at an offset within memory of so many bytes.
void count_elements(named_memory& memory, unsigned element_bytes, std::int64_t offset, std::uint64_t bytes);

/// Likewise, by the finding's access and the type that the memory's elements are declared with (0: unknown): the access
/// may be of a part of one, of several that are a vector, or of any number that are copied or cleared.
void count_elements(named_memory& memory, const warpz_finding& finding, unsigned declared, std::int64_t offset,
                    std::uint64_t bytes);

}  // namespace warpz
