// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of the cache: any bytes, the same bytes with a hash that fits, and a record that is kept and damaged.
#include "compile/kernel_cache.hpp"

#include <functional>

#include "fuzz/fuzz_support.hpp"

namespace {

using namespace warpz;

/// A record with these bytes as its metadata.
std::string record_of(std::string_view metadata) {
  std::string record(metadata);
  const auto add = [&record](std::uint64_t number) {
    record.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  add(metadata.size());
  add(std::hash<std::string_view>{}(record));
  return record;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  fuzz::require(!read_cache_record(text, "key"), "bytes without a hash are no record");
  read_cache_record(record_of(text), "key");
  const std::size_t half = size / 2;
  const compiled_code code{text,
                           {{text.substr(0, half), text}},
                           {data, data + half},
                           text.substr(half),
                           {{text, "1"}, {"", text.substr(0, half)}}};
  std::string record = cache_record(text, code);
  fuzz::require(read_cache_record(record, text) == code, "what is kept is found");
  fuzz::require(!read_cache_record(record, text + "."), "another key finds nothing");
  const std::size_t place = size == 0 ? 0 : data[0] * record.size() / 256;
  fuzz::require(!read_cache_record(std::string_view(record).substr(0, place), text), "a cut record is none");
  record[place] = static_cast<char>(record[place] ^ 1);
  fuzz::require(!read_cache_record(record, text), "a damaged record is none");
  return 0;
}
