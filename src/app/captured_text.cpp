// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/captured_text.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "error.hpp"
#include "system/file_content.hpp"

namespace warpz {
namespace {

os::descriptor memory_file() {
  os::descriptor file(memfd_create("messages", MFD_CLOEXEC));
  if (!file) throw error(exit_code::no_device, "there is no file in memory for messages");
  return file;
}

}  // namespace

captured_text::captured_text()
    : file_(memory_file()), stream_(file_.number(), "messages", output_stream::on_failure::ignore) {}

std::string captured_text::take() {
  stream_.flush();
  lseek(file_.number(), 0, SEEK_SET);
  return os::content_of(file_).value_or("");
}

}  // namespace warpz
