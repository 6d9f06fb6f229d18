// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the kinds of findings: it has a row for each kind of the ABI, and the schema of the JSON output has the
// same names.
#include "findings/kinds.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace {

using namespace warpz;

std::string content(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(WARPZ_SOURCE_DIR "/" + file).rdbuf();
  return text.str();
}

/// The numbers of enum warpz_finding_kind, read from its header.
std::set<std::uint32_t> declared_kinds() {
  const std::string header = content("src/abi/finding.h");
  const std::size_t begin = header.find("enum warpz_finding_kind {");
  const std::string declaration = header.substr(begin, header.find("};", begin) - begin);
  const std::regex enumerator("WARPZ_[A-Z_]+ = ([0-9]+)");
  std::set<std::uint32_t> numbers;
  for (std::sregex_iterator at(declaration.begin(), declaration.end(), enumerator), end; at != end; ++at) {
    numbers.insert(static_cast<std::uint32_t>(std::stoul((*at)[1])));
  }
  return numbers;
}

TEST(finding_kinds, each_declared_kind_has_one_row) {
  std::set<std::uint32_t> rows;
  for (const finding_kind& each : finding_kinds()) EXPECT_TRUE(rows.insert(each.id).second) << each.name;
  EXPECT_EQ(rows, declared_kinds());
  EXPECT_TRUE(rows.contains(WARPZ_DATA_RACE));
}

TEST(finding_kinds, each_row_is_complete_and_found_by_number_and_name) {
  for (const finding_kind& each : finding_kinds()) {
    EXPECT_EQ(&kind_of(each.id), &each);
    EXPECT_EQ(kind_named(each.name), &each);
    for (const std::string_view words : {each.name, each.noun, each.plural_noun, each.rule})
      EXPECT_FALSE(words.empty());
    // An assertion has its own words.
    EXPECT_EQ(each.fix.empty(), each.id == WARPZ_ASSERTION) << each.name;
  }
}

TEST(finding_kinds, what_is_no_kind_is_unknown) {
  EXPECT_EQ(kind_of(0).name, "unknown");
  EXPECT_EQ(kind_of(0xffffffff).name, "unknown");
  EXPECT_EQ(kind_named("unknown"), nullptr);
  EXPECT_EQ(kind_named(""), nullptr);
}

TEST(finding_kinds, the_json_schema_has_the_same_names) {
  const auto schema = nlohmann::ordered_json::parse(content("docs/output.schema.json"));
  std::set<std::string> names{"unknown"}, documented;
  for (const finding_kind& each : finding_kinds()) names.emplace(each.name);
  for (const auto& each : schema["$defs"]["finding"]["properties"]["kind"]["enum"]) documented.insert(each);
  EXPECT_EQ(documented, names);
}

}  // namespace
