// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A terminal that shows one screen of text and takes single keys. However the process ends, it is as before afterwards.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <cstddef>
#include <string>
#include <vector>

#include "system/descriptor.hpp"

namespace warpz {

class terminal {
 public:
  /// Takes over standard input and output. Throws error(bad_input) where they are no terminal.
  terminal();
  ~terminal();
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;

  struct extent {
    std::size_t rows, columns;
  };
  extent size() const;

  /// Shows these lines, each cut off at the edge, and nothing else. Escape sequences for colors take no column.
  void show(const std::vector<std::string>& lines) const;

  /// Gives the terminal back for a while, and takes it again.
  void leave() const;
  void enter() const;

 private:
  void start_guard();

  termios before_{};
  os::descriptor alive_;  ///< its end is how the guard learns of this process's end
  pid_t guard_ = -1;
};

}  // namespace warpz
