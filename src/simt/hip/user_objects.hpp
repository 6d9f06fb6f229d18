// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of the program's that graphs hold references to.
#pragma once

#include <hip/hip_runtime_api.h>

#include <map>

namespace simt {

/// The references that a graph holds. A copy has as many of its own.
class held_objects {
 public:
  held_objects() = default;
  held_objects(const held_objects&) = delete;
  held_objects& operator=(const held_objects& other);
  ~held_objects();

  /// Takes over references.
  void add(hipUserObject_t object, unsigned references) { counts_[object] += references; }
  /// False where it holds fewer.
  bool release(hipUserObject_t object, unsigned references);

 private:
  std::map<hipUserObject_t, unsigned> counts_;
};

}  // namespace simt
