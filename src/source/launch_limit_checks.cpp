// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/launch_limit_checks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <map>
#include <unordered_set>
#include <vector>

#include "source/intermediate_code.hpp"
#include "source/ir_module.hpp"
#include "source/marked_kernels.hpp"
#include "source/passes.hpp"

namespace warpz {
namespace {

/// A name that begins with @ at the beginning of the text: "@_Z1kPf", or "@\"a b\"".
std::string_view global_name(std::string_view text) {
  if (text.starts_with("@\"")) return text.substr(0, text.find('"', 2) + 1);
  return text.substr(0, text.find_first_of(" ,()", 1));
}

/// The last name in the text that begins with @.
std::string_view last_global(std::string_view text) {
  const std::size_t at = text.rfind('@');
  return at != text.npos ? global_name(text.substr(at)) : std::string_view();
}

/// The first number of a line such as "@.args = private unnamed_addr constant { i32, i32 } { i32 256, i32 2 }, ...".
std::uint64_t first_number(std::string_view code, std::string_view name) {
  const std::string begin = fmt::format("\n{} = ", name);
  const std::size_t at = code.find(begin);
  std::uint64_t number = 0;
  if (at == code.npos) return number;
  const std::string_view line = code.substr(at + 1, code.find('\n', at + 1) - at - 1);
  const std::size_t values = line.find("} { i");
  const std::size_t blank = values != line.npos ? line.find(' ', values + 4) : line.npos;
  if (blank != line.npos) std::from_chars(line.data() + blank + 1, line.data() + line.size(), number);
  return number;
}

/// Where a function is in the source, as what is attached to an instruction; empty where nothing is known of it.
std::string place_of_function(std::string_view code, std::string_view definition) {
  constexpr std::string_view mark = " !dbg ", line = ", line: ";
  const std::size_t at = definition.rfind(mark);
  if (at == definition.npos) return {};
  const std::string_view scope =
      definition.substr(at + mark.size(), definition.find(' ', at + mark.size()) - at - mark.size());
  const std::size_t begin = code.find(fmt::format("\n{} = distinct !DISubprogram(", scope));
  if (begin == code.npos) return {};
  const std::string_view described = code.substr(begin + 1, code.find('\n', begin + 1) - begin - 1);
  const std::size_t number = described.find(line);
  if (number == described.npos) return {};
  const std::string_view digits = described.substr(number + line.size());
  return fmt::format(", !dbg !DILocation(line: {}, scope: {})",
                     digits.substr(0, digits.find_first_not_of("0123456789")), scope);
}

/// The bounds of the annotated kernels, by their names without the @.
std::map<std::string_view, std::uint64_t> bounds_in(std::string_view code) {
  std::map<std::string_view, std::uint64_t> bounds;
  const std::size_t at = code.find("\n@llvm.global.annotations = ");
  if (at == code.npos) return bounds;
  std::string_view line = code.substr(at + 1, code.find('\n', at + 1) - at - 1);
  line.remove_prefix(std::min(line.find("] [") + 3, line.size()));
  // Each entry: the function, the annotation, its file and line, and its arguments.
  for (std::string_view entry = take_operand(line); entry.find('@') != entry.npos; entry = take_operand(line)) {
    const std::string_view kernel = global_name(entry.substr(entry.find('@')));
    // The other annotations of a file have texts of their own.
    const std::size_t text = entry.find('@', entry.find(kernel) + kernel.size());
    const std::string annotation = fmt::format("\n{} = ", global_name(entry.substr(std::min(text, entry.size()))));
    const std::size_t defined = code.find(annotation);
    if (defined == code.npos) continue;
    const std::string_view definition = code.substr(defined + 1, code.find('\n', defined + 1) - defined - 1);
    if (definition.find("warpz_launch_bounds") == definition.npos) continue;
    const std::uint64_t bound = first_number(code, last_global(entry));
    if (bound != 0) bounds.emplace(kernel.substr(1), bound);
  }
  return bounds;
}

/// "[64 x float]" of the line "@tile = internal thread_local global [64 x float] zeroinitializer, align 16".
std::string_view type_of_variable(const ir_entity& variable) {
  constexpr std::string_view word = " global ";
  std::string_view rest = variable.text.substr(variable.text.find(variable.name) + variable.name.size());
  rest.remove_prefix(std::min(rest.find(word), rest.size() - word.size()) + word.size());
  return type_of_operand(rest);
}

/// The bytes of the __shared__ variables that the function reaches.
std::uint64_t shared_bytes(const ir_module& module, const intermediate_types& types, const ir_entity& kernel) {
  std::uint64_t bytes = 0;
  std::unordered_set<std::string_view> reached{kernel.name};
  std::vector<const ir_entity*> to_follow{&kernel};
  while (!to_follow.empty()) {
    const std::string_view text = to_follow.back()->text;
    to_follow.pop_back();
    for (const std::string_view name : references(text)) {
      const ir_entity* const found = module.find(name);
      if (found == nullptr || !found->is_defined || !reached.insert(name).second) continue;
      if (found->is_thread_local) bytes += types.bytes(type_of_variable(*found)).value_or(0);
      to_follow.push_back(found);
    }
  }
  return bytes;
}

/// The shared memory of kernels that have any, by their names.
std::map<std::string_view, std::uint64_t> shared_memory_in(std::string_view code) {
  std::map<std::string_view, std::uint64_t> result;
  if (code.find(" thread_local ") == code.npos) return result;
  const ir_module module(code);
  const intermediate_types types(code);
  const std::vector<std::string_view> annotated = module.annotated(kernel_mark);
  const std::unordered_set<std::string_view> of_program(annotated.begin(), annotated.end());
  for (const ir_entity& each : module.entities()) {
    if (each.kind != ir_kind::function || !each.is_defined) continue;
    const std::string_view line = each.text.substr(0, each.text.find('\n'));
    if (of_program.count(each.name) == 0 && line.find(kernel_section) == line.npos) continue;
    const std::uint64_t bytes = shared_bytes(module, types, each);
    if (bytes != 0) result.emplace(each.name, bytes);
  }
  return result;
}

}  // namespace

std::string with_launch_limit_checks(std::string_view code) {
  const std::map<std::string_view, std::uint64_t> bounds = bounds_in(code);
  const std::map<std::string_view, std::uint64_t> shared_memory = shared_memory_in(code);
  if (bounds.empty() && shared_memory.empty()) return std::string(code);
  const auto number_of = [](const std::map<std::string_view, std::uint64_t>& numbers, std::string_view kernel) {
    const auto found = numbers.find(kernel);
    return found != numbers.end() ? found->second : 0;
  };
  std::string result;
  result.reserve(code.size() + code.size() / 64);
  std::string call;
  for_each_line(code, [&](std::string_view line) {
    // The first block of a function may have a name.
    if (!line.starts_with("entry:")) {
      result += call;
      call.clear();
    }
    result += line;
    const std::size_t at = line.find('@');
    if (!line.starts_with("define ") || at == line.npos) return;
    const std::string_view kernel = global_name(line.substr(at)).substr(1);
    const std::uint64_t bound = number_of(bounds, kernel), bytes = number_of(shared_memory, kernel);
    if (bound == 0 && bytes == 0) return;
    call =
        fmt::format("  call void @simt_launch_limits(i64 {}, i64 {}){}\n", bound, bytes, place_of_function(code, line));
  });
  return result + "\ndeclare void @simt_launch_limits(i64, i64)\n";
}

}  // namespace warpz
