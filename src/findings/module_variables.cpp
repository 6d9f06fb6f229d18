// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/module_variables.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "abi/device_image.h"
#include "abi/red_zone.h"
#include "findings/plugin_lists.hpp"
#include "system/elf_file.hpp"

namespace warpz {
namespace {

/// "tile" of "_ZZ4mineE4tile", which is mine(...)::tile.
std::string short_name(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  std::string name = status == 0 ? text.get() : mangled;
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

/// Which divides the access, the offset and the whole.
unsigned common_size(unsigned access, std::int64_t offset, std::uint64_t bytes) {
  return static_cast<unsigned>(std::gcd(std::gcd(std::int64_t{access}, offset), static_cast<std::int64_t>(bytes)));
}

unsigned accessed_element_bytes(unsigned declared, unsigned access, std::int64_t offset, std::uint64_t bytes) {
  constexpr unsigned widest_vector = 16, widest_record = 64;
  const bool is_whole = common_size(access, offset, bytes) == access;
  const bool is_known = declared != 0 && bytes % declared == 0;
  const bool is_vector = is_known && access > declared && access <= widest_vector && is_whole;
  if (is_known && !is_vector) return declared;
  return is_whole && access <= widest_record ? std::max(access, 1U) : 1;
}

/// At least 1 each: a file may claim anything, and a bound may be unknown.
std::vector<std::uint64_t> extents_in(std::string_view text) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  std::vector<std::uint64_t> extents;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    extents.push_back(static_cast<std::uint64_t>(std::clamp<std::int64_t>(number_in(text.substr(0, end)), 1, most)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return extents;
}

}  // namespace

module_variables::module_variables(std::string_view module) {
  const os::elf_file file(module);
  // Functions of several files may have a variable of one name.
  std::map<std::pair<std::string_view, std::int64_t>, std::vector<part>> parts;
  for (const auto& row : rows_of_list(file.content_of_section(WARPZ_VARIABLES_SECTION))) {
    if (row.size() != 7) continue;
    std::vector<std::uint64_t> extents = extents_in(row[6]);
    const bool is_array = !extents.empty();
    if (is_array) extents.erase(extents.begin());
    parts[{row[0], number_in(row[1])}].push_back({std::string(row[2]), static_cast<std::uint64_t>(number_in(row[3])),
                                                  static_cast<std::uint64_t>(number_in(row[4])),
                                                  static_cast<unsigned>(number_in(row[5])), is_array,
                                                  std::move(extents)});
  }
  for (const os::elf_symbol& each : file.symbols()) {
    if ((each.type != STT_TLS && each.type != STT_OBJECT) || each.bytes == 0) continue;
    // Behind the suffix is another name of the same variable.
    if (each.name.starts_with(WARPZ_RED_ZONE_NAME) || each.name.ends_with(WARPZ_DEVICE_SUFFIX)) continue;
    variable one{{short_name(std::string(each.name)), each.begin, each.bytes}};
    if (const auto known = parts.find({each.name, static_cast<std::int64_t>(each.bytes)}); known != parts.end()) {
      for (part member : known->second) {
        member.name = one.whole.name + member.name;
        member.begin += one.whole.begin;
        one.members.push_back(std::move(member));
      }
    }
    (each.type == STT_TLS ? shared_ : global_).push_back(std::move(one));
  }
  for (variable_list* const list : {&shared_, &global_}) {
    std::stable_sort(list->begin(), list->end(),
                     [](const variable& a, const variable& b) { return a.whole.begin < b.whole.begin; });
  }
}

const module_variables::variable* module_variables::nearest(bool is_shared, std::uint64_t offset) const {
  const variable_list& list = is_shared ? shared_ : global_;
  const auto next = std::upper_bound(list.begin(), list.end(), offset, [](std::uint64_t place, const variable& each) {
    return place < each.whole.begin;
  });
  if (next == list.begin()) return next == list.end() ? nullptr : &*next;
  const auto before = std::prev(next);
  const std::uint64_t end = before->whole.begin + before->whole.bytes;
  if (next == list.end() || offset < end) return &*before;
  return next->whole.begin - offset < offset - end + 1 ? &*next : &*before;
}

/// The innermost one that has all of the access that is within the variable.
const module_variables::part& module_variables::accessed_part(const variable& one, std::uint64_t offset,
                                                              std::uint64_t bytes) {
  const std::uint64_t first = one.whole.begin, last = one.whole.begin + one.whole.bytes - 1;
  const std::uint64_t begin = std::clamp(offset, first, last);
  const std::uint64_t end = std::clamp(offset + std::max<std::uint64_t>(bytes, 1) - 1, begin, last);
  const part* innermost = &one.whole;
  for (const part& each : one.members) {
    if (each.begin <= begin && end < each.begin + each.bytes) innermost = &each;
  }
  return *innermost;
}

std::optional<named_memory> module_variables::memory_of(const warpz_finding& finding) const {
  const auto offset = static_cast<std::uint64_t>(finding.offset);
  const variable* const found = nearest(finding.memory == WARPZ_MEMORY_SHARED, offset);
  if (found == nullptr) return {};
  const bool is_within = offset - found->whole.begin < found->whole.bytes;
  if (!is_within && finding.kind != WARPZ_OUT_OF_BOUNDS) return {};
  const part& one = accessed_part(*found, offset, finding.groups[0].bytes);
  named_memory memory;
  memory.name = one.name;
  count_elements(memory, finding, one.element_bytes, static_cast<std::int64_t>(offset - one.begin), one.bytes);
  if (memory.element_bytes == one.element_bytes) {
    memory.is_array = one.is_array;
    memory.inner_extents = one.inner_extents;
  }
  return memory;
}

void count_elements(named_memory& memory, unsigned element_bytes, std::int64_t offset, std::uint64_t bytes) {
  const auto size = static_cast<std::int64_t>(element_bytes);
  memory.element_bytes = element_bytes;
  // Rounded down, also before the beginning.
  memory.index = offset >= 0 ? offset / size : -((-offset + size - 1) / size);
  memory.elements = bytes / element_bytes;
}

void count_elements(named_memory& memory, const warpz_finding& finding, unsigned declared, std::int64_t offset,
                    std::uint64_t bytes) {
  const unsigned access = finding.groups[0].bytes;
  // A misaligned access is of elements that are smaller.
  const unsigned size = finding.kind == WARPZ_MISALIGNED ? std::max(common_size(access, offset, bytes), 1U)
                                                         : accessed_element_bytes(declared, access, offset, bytes);
  count_elements(memory, size, offset, bytes);
}

}  // namespace warpz
