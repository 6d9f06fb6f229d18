// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder whose contents only this user or root can have made or can replace.
#pragma once

#include <string>

#include "system/descriptor.hpp"

namespace os {

struct private_folder {
  descriptor folder;    ///< to open files in; none where there is no such folder, or it is refused
  std::string refusal;  ///< why it is refused, naming the folder on its path; empty where the folder does not exist
};

/// Opens the folder with this path. It is refused if it, or any folder on its path, belongs to somebody else or can be
/// written to by others. A folder on the path that others can write to is accepted if it is sticky, as /tmp is: there
/// they cannot replace what is not theirs.
private_folder open_private_folder(const std::string& path);

/// Creates the folder and missing ones above it, for this user alone. A failure shows when the folder is opened.
void make_private_folder(const std::string& path);

}  // namespace os
