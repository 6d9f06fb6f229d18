// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder whose contents nobody but this user, or root, can have made or can exchange.
#pragma once

#include <string>

#include "system/descriptor.hpp"

namespace os {

struct private_folder {
  descriptor folder;    ///< to open files below; none where there is no such folder, or it is refused
  std::string refusal;  ///< why it is refused, with the folder on its path to blame; empty where it just is not there
};

/// Opens the folder with this path. It is refused where it, or any folder on the way there, belongs to somebody else
/// or can be written to by others. In a sticky folder on the way, such as /tmp, others can't exchange what is not
/// theirs, so that one may be written to.
private_folder open_private_folder(const std::string& path);

/// Creates the folder and those above that are missing, for this user alone. Failures show when it is opened.
void make_private_folder(const std::string& path);

}  // namespace os
