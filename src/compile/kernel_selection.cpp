// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "error.hpp"
#include "puzzle/puzzle.hpp"
#include "text/nearest.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// The namespace of empty kernels with each puzzle's parameters: the compiler spells these as it spells the user's.
constexpr std::string_view probes = "warpz_puzzle_parameters";

std::string string_literal(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// Sets the file and line of what follows, as messages and findings name it. A marker is one line, whatever the name.
std::string line_marker(std::string_view file) { return fmt::format("# 1 {}\n", string_literal(printable(file))); }

/// Precedes what warpz adds, about which compilers are not to warn.
constexpr std::string_view own_marker = "# 1 \"warpz\" 3\n";

std::string without(std::string text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) text.erase(at, part.size());
  return text;
}

/// "scale" of "mine::scale<float>".
std::string last_name(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const std::size_t colons = name.rfind("::");
  return std::string(colons == std::string_view::npos ? name : name.substr(colons + 2));
}

/// The name as code outside of any namespace may write it.
std::string qualified_name(const listed_kernel& kernel) { return without(kernel.name, "(anonymous namespace)::"); }

bool is_called(const listed_kernel& kernel, std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  const std::string whole = qualified_name(kernel);
  return whole == name || whole.substr(0, whole.find('<')) == name || last_name(whole) == name;
}

bool is_probe(const listed_kernel& kernel) { return kernel.name.starts_with(probes); }

/// The puzzle's parameters in the compiler's spelling.
std::string parameters_of(std::size_t place, std::span<const listed_kernel> found) {
  const std::string name = fmt::format("{}::of_{}", probes, place);
  const auto probe = std::find_if(found.begin(), found.end(), [&](const auto& each) { return each.name == name; });
  return probe != found.end() ? probe->parameters : "";
}

std::string signature_text(const listed_kernel& kernel) {
  return fmt::format("{}({})", qualified_name(kernel), kernel.parameters);
}

std::string list_of(std::span<const listed_kernel> kernels) {
  std::string text;
  for (const listed_kernel& each : kernels) text += fmt::format("\n  {}", printable(signature_text(each)));
  return text;
}

class kernel_choice {
 public:
  kernel_choice(const kernel_source& source, std::span<const listed_kernel> found) : source_(source), found_(found) {
    std::remove_copy_if(found.begin(), found.end(), std::back_inserter(kernels_), is_probe);
  }

  chosen_kernel kernel_for(std::size_t place) const {
    const puzzle& task = *source_.puzzles[place];
    if (kernels_.empty()) {
      refuse("has no kernel: a kernel is a function that begins with __global__ void", wanted(task));
    }
    const std::string parameters = parameters_of(place, found_);
    std::vector<listed_kernel> able = called(kernels_, source_.entry);
    if (able.empty()) refuse_entry();
    able = taking(able, parameters);
    if (able.empty()) {
      refuse(fmt::format("has no kernel{} that takes --{}'s arguments. Its kernels are:{}",
                         source_.entry ? " " + printable(*source_.entry) : "", task.flag, list_of(kernels_)),
             wanted(task));
    }
    if (able.size() > 1) able = own_or_all(able, task);
    if (able.size() == 1) return {able.front(), parameters};
    refuse(fmt::format("has {} kernels that --{} can run:{}", able.size(), task.flag, list_of(able)),
           fmt::format("Choose one, for example --entry {}", shell_word(qualified_name(able.front()))));
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, std::string advice) const {
    throw error(exit_code::bad_input, fmt::format("{} {}", printable(source_.name), problem), std::move(advice));
  }

  static std::string wanted(const puzzle& task) {
    return fmt::format("--{} needs a kernel such as __global__ void {}({})", task.flag, task.kernel,
                       signature_of(task));
  }

  [[noreturn]] void refuse_entry() const {
    std::vector<std::string> names;
    for (const listed_kernel& each : kernels_) names.push_back(qualified_name(each));
    const std::vector<std::string_view> known(names.begin(), names.end());
    const auto near = nearest(*source_.entry, known);
    refuse(fmt::format("has no kernel named {}. Its kernels are:{}", printable(*source_.entry), list_of(kernels_)),
           near.empty() ? "" : fmt::format("Did you mean {}?", alternatives(near, "--entry ")));
  }

  static std::vector<listed_kernel> called(std::vector<listed_kernel> kernels, const std::optional<std::string>& name) {
    if (name) std::erase_if(kernels, [&](const listed_kernel& each) { return !is_called(each, *name); });
    return kernels;
  }

  static std::vector<listed_kernel> taking(std::vector<listed_kernel> kernels, std::string_view parameters) {
    std::erase_if(kernels, [&](const listed_kernel& each) { return each.parameters != parameters; });
    return kernels;
  }

  static std::vector<listed_kernel> own_or_all(const std::vector<listed_kernel>& able, const puzzle& task) {
    std::vector<listed_kernel> own = able;
    std::erase_if(own, [&](const listed_kernel& each) { return last_name(qualified_name(each)) != task.kernel; });
    return own.size() == 1 ? own : able;
  }

  const kernel_source& source_;
  std::span<const listed_kernel> found_;
  std::vector<listed_kernel> kernels_;
};

}  // namespace

std::string search_text(const kernel_source& source, std::string_view header) {
  std::string text = fmt::format("#include \"{}\"\n{}namespace {} {{\n", header, own_marker, probes);
  for (std::size_t i = 0; i < source.puzzles.size(); ++i) {
    text += fmt::format("__global__ void of_{}({}) {{}}\n", i, signature_of(*source.puzzles[i]));
  }
  return fmt::format("{}}}\n{}{}\n", text, line_marker(source.name), source.text);
}

std::vector<chosen_kernel> choose_kernels(const kernel_source& source, std::span<const listed_kernel> found) {
  const kernel_choice choice(source, found);
  std::vector<chosen_kernel> kernels;
  for (std::size_t i = 0; i < source.puzzles.size(); ++i) kernels.push_back(choice.kernel_for(i));
  return kernels;
}

std::vector<chosen_kernel> named_kernels(const kernel_source& source) {
  std::vector<chosen_kernel> kernels;
  for (const puzzle* const each : source.puzzles) {
    kernels.push_back({{{}, source.entry.value_or(""), signature_of(*each)}, signature_of(*each)});
  }
  return kernels;
}

std::string short_name_of(const chosen_kernel& kernel) { return last_name(qualified_name(kernel.kernel)); }

std::string identity_of_kernel(std::size_t place) { return fmt::format("warpz_kernel_{}", place); }

std::string module_text(const kernel_source& source, std::span<const chosen_kernel> kernels) {
  std::string text =
      fmt::format("#include \"warpz/kernel.hpp\"\n{}{}\n{}", line_marker(source.name), source.text, own_marker);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const chosen_kernel& each = kernels[i];
    const std::string name = qualified_name(each.kernel);
    text += fmt::format("namespace {} {{\n", identity_of_kernel(i));
    // The kernel may be static, a template's instance, or in a namespace; here it gets a name of its own. Its type
    // selects one of several overloads.
    const std::string type = fmt::format("void (&kernel)({})", each.parameters);
    text += fmt::format("static constexpr {} = ::{};\nWARPZ_KERNEL_AS(\"{}\", kernel);\n}}\n", type, name,
                        identity_of_kernel(i));
  }
  return text;
}

}  // namespace warpz
