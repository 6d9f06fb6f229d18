// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/leaks.hpp"

#include <algorithm>
#include <cstdio>

namespace warpz {
namespace {

bool are_of_one_line(const symbolized_finding& a, const symbolized_finding& b) {
  if (a.schedule != b.schedule || a.related.empty() || b.related.empty()) return false;
  return a.related[0].file == b.related[0].file && a.related[0].line == b.related[0].line;
}

void put_into_words(warpz_finding& leak) {
  const auto bytes = static_cast<unsigned long long>(leak.length);
  const char* const plural = bytes == 1 ? "" : "s";
  if (leak.repeats == 0) {
    std::snprintf(leak.message, sizeof leak.message, "%llu byte%s %s never freed", bytes, plural,
                  bytes == 1 ? "is" : "are");
  } else {
    std::snprintf(leak.message, sizeof leak.message, "%llu byte%s in %u buffers are never freed", bytes, plural,
                  leak.repeats + 1);
  }
  // The message has the number.
  leak.repeats = 0;
}

}  // namespace

std::vector<symbolized_finding> joined_leaks(std::span<const symbolized_finding> leaks, leak_rule rule) {
  std::vector<symbolized_finding> joined;
  if (rule == leak_rule::off) return joined;
  for (const symbolized_finding& each : leaks) {
    const auto known = std::find_if(joined.begin(), joined.end(),
                                    [&each](const symbolized_finding& one) { return are_of_one_line(one, each); });
    if (known == joined.end()) {
      joined.push_back(each);
    } else {
      known->record.length += each.record.length;
      known->record.repeats += each.record.repeats + 1;
    }
  }
  for (symbolized_finding& each : joined) {
    put_into_words(each.record);
    each.record.severity = rule == leak_rule::warn ? WARPZ_WARNING : WARPZ_ERROR;
  }
  return joined;
}

}  // namespace warpz
