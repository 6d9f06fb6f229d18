// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/device_sources.hpp"

#include <algorithm>
#include <filesystem>

#include "abi/device_image.h"
#include "findings/plugin_lists.hpp"
#include "system/elf_file.hpp"
#include "system/file_content.hpp"

namespace warpz {

std::vector<device_source> device_sources_in(const std::string& file) {
  const std::string bytes = os::content_of(file).value_or("");
  std::vector<device_source> sources;
  for (const std::vector<std::string_view>& row :
       rows_of_list(os::elf_file(bytes).content_of_section(WARPZ_SOURCES_SECTION))) {
    const auto is_known = [&row](const device_source& each) { return each.path == row[0]; };
    if (row.size() != 2 || std::any_of(sources.begin(), sources.end(), is_known)) continue;
    sources.push_back({std::string(row[0]), row[1] == "cuda"});
  }
  return sources;
}

bool has_cuda(std::span<const device_source> sources) {
  return std::any_of(sources.begin(), sources.end(), [](const device_source& each) { return each.is_cuda; });
}

bool is_about_cuda(const symbolized_finding& finding, std::span<const device_source> sources) {
  const auto is_in_hip = [sources](const auto& line) {
    std::error_code failed;
    const std::string path = std::filesystem::absolute(line.file, failed).lexically_normal();
    return std::any_of(sources.begin(), sources.end(),
                       [&path](const device_source& each) { return !each.is_cuda && each.path == path; });
  };
  return has_cuda(sources) && std::none_of(finding.places.begin(), finding.places.end(), is_in_hip) &&
         std::none_of(finding.stack.begin(), finding.stack.end(), is_in_hip) &&
         std::none_of(finding.related.begin(), finding.related.end(), is_in_hip);
}

}  // namespace warpz
