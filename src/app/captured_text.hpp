// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "report/output_stream.hpp"
#include "system/descriptor.hpp"

namespace warpz {

/// A stream whose text is kept, to be shown elsewhere.
class captured_text {
 public:
  /// Throws error(no_device) where there is no room for it.
  captured_text();

  output_stream& stream() { return stream_; }
  std::string take();

 private:
  os::descriptor file_;
  output_stream stream_;
};

}  // namespace warpz
