// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that starts itself again, by a function of the exec family, posix_spawn, system or popen. As it is no
// executable, warpz is started in its place, with the options that the program runs with.
//
// This file defines those functions for all of this executable's process, and so for the program that is loaded there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "system/descriptor.hpp"

namespace warpz {

struct own_start {
  std::string name;                ///< the program's own, its argv[0]
  std::vector<std::string> words;  ///< start it again, up to its arguments
  std::string report;              ///< the path of the started_reports
};

/// In the program's process: what starts the program does so as the words say from now on.
void follow_own_starts(own_start start);

/// What is to be told of programs that this one has started, each as another one under warpz.
class started_reports {
 public:
  started_reports();
  const std::string& path() const { return path_; }
  /// All that was filed, one behind the other.
  std::string filed() const;

  /// In a warpz that may be started by a program: tells the one that the program belongs to.
  static void file(std::string_view report);

 private:
  os::descriptor file_;
  std::string path_;
};

}  // namespace warpz
